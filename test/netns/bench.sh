# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
#
# The bench that most live tests stand on, and how they run skein on it. Behind lib.sh:
#
#     client: client0 ──── left :middle: right ──── server0 :server
#     10.9.0.1, fd09::1                             10.9.0.2, fd09::2
#
#     source "$(dirname "$0")/bench.sh"
#     make_bench [LINK_SETTING...]          # for every device: mtu 9000, numrxqueues 4 ...
#     run_skein bridge forward left right   # in the middle, --json; returns when it works
#     stop_skein bridge                     # SIGINT; exit status 0, whole ledger, clean devices
#     total bridge .rx.packets              # a number of its closing line

client='' middle='' server=''

make_bench() {
    make_space client
    make_space middle
    make_space server
    join_spaces "$client" client0 "$middle" left "$@"
    join_spaces "$middle" right "$server" server0 "$@"
    local space
    for space in "$client" "$middle" "$server"; do quiet "$space"; done
    add_address "$client" client0 10.9.0.1/24
    add_address "$client" client0 fd09::1/64
    add_address "$server" server0 10.9.0.2/24
    add_address "$server" server0 fd09::2/64
}

# No packets but those a test sends: no router solicitations, few multicast reports, no questions
# whether a neighbour is still there, and no IPv6 of the middle's own.
quiet() {
    local device setting=net.ipv6.conf family
    for device in $(ip -n "$1" -json link show | jq -r '.[].ifname | select(. != "lo")'); do
        ip -n "$1" link set "$device" addrgenmode none
        ip -n "$1" -6 address flush dev "$device" scope link
        ip netns exec "$1" sysctl -qw "$setting.$device.router_solicitations=0" \
            "$setting.$device.mldv2_unsolicited_report_interval=3600000"
        for family in ipv4 ipv6; do
            ip netns exec "$1" sysctl -qw "net.$family.neigh.$device.delay_first_probe_time=3600"
        done
        if [[ $1 == "$middle" ]]; then
            ip netns exec "$1" sysctl -qw "$setting.$device.disable_ipv6=1"
        fi
    done
}

in_client() { ip netns exec "$client" "$@"; }
in_middle() { ip netns exec "$middle" "$@"; }
in_server() { ip netns exec "$server" "$@"; }

# run_skein NAME COMMAND ARGUMENT...: in the background, process id in $running.
run_skein() {
    local name=$1
    shift
    start "$name" ip netns exec "${skein_space:-$middle}" "$skein" "$@" --json
    # shellcheck disable=SC2034
    running=$started
    wait_until 10 grep -qE "^(${skein_ready:-left|right|client0|server0}) queue" "$live_work/$name.err" ||
        fail "skein $* does not start: $(<"$live_work/$name.err")"
    # The line above is written by the set-up of the last port; its thread starts right behind it.
    sleep 0.2
}

stop_skein() {
    finish "$running" INT
    assert_equal 0 "$status" "exit status of $1: $(<"$live_work/$1.err")"
    assert_ledger "$live_work/$1.out"
    assert_nothing_attached
}

# total NAME FILTER: of the closing line.
total() { final_lines "$live_work/$1.out" | jq -c "$2"; }

assert_nothing_attached() {
    local device
    for device in left right; do
        ip -n "$middle" link show dev "$device" >/dev/null 2>&1 || continue
        wait_until 2 nothing_attached_to "$device" || fail "an XDP program stays on $device"
    done
}
nothing_attached_to() { [[ $(attached_programs "$middle" "$1") -eq 0 ]]; }

# send_packets COUNT TX_OPTION...: by skein tx from the client; they go where no kernel answers.
send_packets() {
    local count=$1
    shift
    in_client "$skein" tx client0 --count "$count" --json "$@" >"$live_work/sent.out" 2>/dev/null ||
        fail "skein tx: $(<"$live_work/sent.out")"
}

# refused STATUS TEXT REMEDY COMMAND...: skein COMMAND ends at once, with that exit status and both texts,
# for people and in JSON.
refused() {
    local wanted=$1 text=$2 remedy=$3 said code=0
    shift 3
    said=$(timeout 10 ip netns exec "${skein_space:-$middle}" "$skein" "$@" 2>&1 >/dev/null) || code=$?
    assert_equal "$wanted" "$code" "exit status of skein $*: $said"
    assert_contains "$text" "$said" "skein $*"
    assert_contains "  remedy: " "$said" "skein $*"
    assert_contains "$remedy" "$said" "skein $*"
    code=0
    said=$(timeout 10 ip netns exec "${skein_space:-$middle}" "$skein" "$@" --json 2>/dev/null) || code=$?
    assert_equal "$wanted" "$code" "exit status of skein $* --json: $said"
    jq -e --arg text "$text" --arg remedy "$remedy" \
        '(.error.what | contains($text)) and (.error.remedy | contains($remedy) and . != "")' \
        <<<"$said" >/dev/null || fail "skein $* --json says: $said"
}

cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# assert_idle PID: less than a fifth of one CPU over a second.
assert_idle() {
    local before after
    before=$(cpu_ticks "$1")
    sleep 1
    after=$(cpu_ticks "$1")
    [[ $((after - before)) -lt 20 ]] || fail "process $1 spins: $((after - before)) ticks in a second"
}

run_cases() {
    local case
    for case in "$@"; do
        say "- ${case//_/ }"
        "$case"
    done
}
