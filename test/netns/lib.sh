# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the live tests share: network namespaces of their own, background programs, deadlines,
# assertions. A test starts with
#
#     set -euo pipefail
#     source "$(dirname "$0")/lib.sh"
#     live_begin "$@"
#
# From there on it runs in a private mount namespace with a /run/netns of its own: what it makes is
# seen by nobody else, `skein lab` can be tested beside a lab that is up, and nothing stays behind
# even after kill -9. Whatever was started by `start`, or still lives in a namespace made here, is
# ended when the test ends, however it ends.
#
# Environment: SKEIN is the skein command (default build/release/bin/skein);
# SKEIN_REQUIRE_NETNS=1 makes a missing privilege a failure instead of a skip (exit status 77).

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034
skein=${SKEIN:-$repository/build/release/bin/skein}
live_spaces=()
live_children=()
live_work=

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "FAILED: $*"
    exit 1
}

# The machine cannot run this test.
skip() {
    if [[ ${SKEIN_REQUIRE_NETNS:-0} == 1 ]]; then fail "$* (and SKEIN_REQUIRE_NETNS=1)"; fi
    say "skipped: $*"
    exit 77
}

require_tools() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "the program '$tool' is missing"
    done
}

live_clean_up() {
    local status=$? pid space
    trap - EXIT INT TERM HUP
    for space in "${live_spaces[@]}"; do
        while read -r pid; do live_children+=("$pid"); done < <(ip netns pids "$space" 2>/dev/null)
    done
    for pid in "${live_children[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
    for space in "${live_spaces[@]}"; do ip netns delete "$space" 2>/dev/null || true; done
    wait 2>/dev/null || true
    [[ -z $live_work ]] || rm -rf "$live_work"
    exit "$status"
}

# live_begin "$@": privileges, the private mount namespace, a scratch directory in $live_work.
live_begin() {
    [[ $EUID -eq 0 ]] || skip "live tests need root: they make network namespaces"
    if [[ ${SKEIN_LIVE_TEST:-} != "$$" ]]; then
        unshare --mount true 2>/dev/null || skip "this root may not make a mount namespace"
        SKEIN_LIVE_TEST=$$ exec unshare --mount --propagation private bash "$0" "$@"
    fi
    unset SKEIN_LIVE_TEST
    require_tools ip ethtool jq
    mkdir -p /run/netns
    mount -t tmpfs -o mode=755 skein-test /run/netns
    live_work=$(mktemp -d)
    trap live_clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

# make_space VARIABLE: a network namespace of a unique name, which is put into the variable.
make_space() {
    local name="skein-test-$$-$RANDOM-$1"
    ip netns add "$name"
    live_spaces+=("$name")
    ip -n "$name" link set lo up
    printf -v "$1" '%s' "$name"
}

# join_spaces A DEVICE B DEVICE [LINK_SETTING...]: a veth pair, up, plain frames (no checksum or tag
# offload); the settings (mtu 9000, numrxqueues 4, ...) apply to both ends.
join_spaces() {
    local a=$1 device_a=$2 b=$3 device_b=$4
    shift 4
    ip -n "$a" link add "$device_a" "$@" type veth peer name "$device_b" netns "$b" "$@"
    ip netns exec "$a" ethtool -K "$device_a" tx off txvlan off rxvlan off >/dev/null 2>&1
    ip netns exec "$b" ethtool -K "$device_b" tx off txvlan off rxvlan off >/dev/null 2>&1
    ip -n "$a" link set "$device_a" up
    ip -n "$b" link set "$device_b" up
}

# add_address SPACE DEVICE ADDRESS/PREFIX: usable at once.
add_address() {
    local options=()
    if [[ $3 == *:* ]]; then options=(nodad); fi
    ip -n "$1" address add "$3" dev "$2" "${options[@]}"
}

# wait_until SECONDS COMMAND...: polls until the command succeeds; false when the time is over.
wait_until() {
    local deadline=$(($(date +%s%N) + $1 * 1000000000))
    shift
    until "$@" >/dev/null 2>&1; do
        [[ $(date +%s%N) -lt $deadline ]] || return 1
        sleep 0.05
    done
}

# start NAME COMMAND...: in the background, stdout and stderr in $live_work/NAME.out and .err, its
# process id in $started. Background programs of a script have SIGINT ignored: that is undone.
start() {
    local name=$1
    shift
    env --default-signal=INT,TERM "$@" >"$live_work/$name.out" 2>"$live_work/$name.err" &
    started=$!
    live_children+=("$started")
}

ended() { ! kill -0 "$1" 2>/dev/null || [[ $(ps -o stat= -p "$1") == Z* ]]; }

# finish PID [SIGNAL] [SECONDS]: sends SIGINT (or another signal, or none with "-"), waits, and puts
# the exit status into $status. Fails when the program does not end in time.
finish() {
    local pid=$1 signal=${2:-INT} seconds=${3:-10}
    [[ $signal == - ]] || kill -s "$signal" "$pid" || fail "process $pid ended before its time"
    wait_until "$seconds" ended "$pid" || fail "process $pid does not end within $seconds s"
    status=0
    wait "$pid" 2>/dev/null || status=$?
}

# send_frame SPACE DEVICE HEX: one Ethernet frame, as it stands. (By way of a file: bash would hand
# it over in pieces, one for each byte 0a.)
send_frame() {
    # shellcheck disable=SC2001
    printf '%b' "$(sed 's/../\\x&/g' <<<"$3")" >"$live_work/frame"
    ip netns exec "$1" socat -b 65536 -u "OPEN:$live_work/frame" "INTERFACE:$2"
}

assert_equal() {
    [[ $1 == "$2" ]] || fail "${3:-values differ}: expected '$1', got '$2'"
}

assert_contains() {
    [[ $2 == *"$1"* ]] || fail "${3:-text}: '$1' is not in: $2"
}

# assert_json FILTER TEXT: the jq filter gives true.
assert_json() {
    jq -e "$1" <<<"$2" >/dev/null || fail "not so: $1 in: $2"
}

# final_lines FILE: the closing JSON lines of rx, tx or forward, one object a line.
final_lines() { jq -c 'select(.final == true)' "$1"; }

# assert_ledger FILE: every closing line has every frame back, and there is one.
assert_ledger() {
    local lines
    lines=$(final_lines "$1")
    [[ -n $lines ]] || fail "no line with \"final\": true in $1"
    jq -e -s 'all(.[].frames; .total > 0 and .free == .total and .lost == 0 and .written_off == 0)' \
        <<<"$lines" >/dev/null || fail "frames unaccounted for: $(jq -c .frames <<<"$lines")"
}

# attached_programs SPACE DEVICE: how many XDP programs sit on the device.
attached_programs() {
    ip -n "$1" -json -details link show dev "$2" | jq '[.[0].xdp.attached[]?] | length'
}
