#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# From a fresh Debian machine to packets going through skein, in one command.
#
#   tools/quickstart.sh [--keep] [--seconds N] [--mode native|generic]
#
#   --keep        leave the lab up afterwards; how to remove it is printed
#   --seconds N   length of each measurement (default 3)
#   --mode MODE   where the XDP program sits: native (in the driver, default) or generic
#
# Installs the missing packages, builds the release preset, brings the lab up (three network
# namespaces in a row), runs `skein forward` in the middle one and lets the kernel's own TCP, UDP
# and ping go through it, over IPv4 and IPv6. Then it prints rates, drops by reason, where every
# frame is, and whether the bytes arrived as they were sent. The lab is taken down again, also
# after a failure and Ctrl-C. Nothing outside the lab's namespaces is touched.
#
# Exit status: 0 everything arrived intact, 1 not so, 2 usage.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
skein=$repository/build/release/bin/skein
keep=false seconds=3 mode=native failures=0
lab_is_ours=false forward='' iperf='' work=''

usage() {
    sed -n 's/^#   \(tools.*\)/usage: \1/p' "$0" >&2
    exit 2
}

while [[ $# -gt 0 ]]; do
    case $1 in
        --keep) keep=true ;;
        --seconds)
            seconds=${2:-}
            shift
            ;;
        --mode)
            mode=${2:-}
            shift
            ;;
        *) usage ;;
    esac
    shift || usage
done
[[ $seconds =~ ^[1-9][0-9]*$ && $mode =~ ^(native|generic)$ ]] || usage

if [[ $EUID -ne 0 ]]; then
    echo "tools/quickstart.sh needs root: it makes network namespaces and attaches XDP programs" >&2
    exit 1
fi

# shellcheck source=tools/packages.sh
source "$repository/tools/packages.sh"

if [[ -t 1 ]]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi
title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
row() { printf '  %-26s %s\n' "$1" "$2"; }

problem() {
    failures=$((failures + 1))
    row "$1" "FAILED: $2"
}

# end PID SIGNAL: a clean end within five seconds, else a hard one.
end() {
    local pid=$1 tries
    kill -s "$2" "$pid" 2>/dev/null || return 0
    for ((tries = 0; tries < 50; ++tries)); do
        [[ $(ps -o stat= -p "$pid") =~ ^[^Z] ]] || return 0
        sleep 0.1
    done
    echo "process $pid did not end by SIG$2; killed" >&2
    kill -KILL "$pid" 2>/dev/null || true
}

clean_up() {
    local status=$?
    trap - EXIT
    trap '' INT TERM HUP
    if [[ -n $iperf ]]; then end "$iperf" TERM; fi
    if [[ -n $forward ]]; then end "$forward" INT; fi
    if $lab_is_ours && ! $keep; then
        "$skein" lab down >/dev/null || status=1
    elif $lab_is_ours; then
        title "The lab is still up"
        row "look" "$skein lab status"
        row "go on" "$skein lab exec middle -- $skein forward left right"
        row "remove" "$skein lab down"
    fi
    if [[ -n $work ]]; then rm -rf "$work"; fi
    exit "$status"
}

build() {
    title "Building (release)"
    install_missing build run test
    (cd "$repository" && cmake --preset release >"$work/configure.log" 2>&1) || {
        cat "$work/configure.log" >&2
        return 1
    }
    (cd "$repository" && cmake --build --preset release --target skein)
}

bring_lab_up() {
    title "The lab"
    if [[ $("$skein" lab status --json | jq '.namespaces | length') -ne 0 ]]; then
        echo "a lab is already up, and it is left alone; remove it first: $skein lab down" >&2
        return 1
    fi
    lab_is_ours=true  # first: Ctrl-C may come before the next line; one that was up is refused above
    "$skein" lab up >/dev/null
    echo "  client0 ------- left  [skein forward]  right ------- server0"
    echo "  10.77.0.1, fd77::1                     10.77.0.2, fd77::2"
}

in_client() { "$skein" lab exec client -- "$@"; }

explain_forward() {
    echo "skein forward does not forward; it said:" >&2
    tail -n 20 "$work/forward.err" "$work/forward.jsonl" >&2
}

# Background programs of a script ignore SIGINT unless told otherwise.
start_forward() {
    env --default-signal=INT "$skein" lab exec middle -- \
        "$skein" forward left right --mode "$mode" --json \
        >"$work/forward.jsonl" 2>"$work/forward.err" &
    forward=$!
    local tries
    for ((tries = 0; tries < 20; ++tries)); do
        kill -0 "$forward" 2>/dev/null || break
        if in_client ping -q -c 1 -W 1 10.77.0.2 >/dev/null; then return 0; fi
        sleep 0.2
    done
    explain_forward
    return 1
}

start_iperf_server() {
    env --default-signal=INT "$skein" lab exec server -- iperf3 -s >"$work/iperf.log" 2>&1 &
    iperf=$!
    local tries
    for ((tries = 0; tries < 50; ++tries)); do
        if "$skein" lab exec server -- ss -Hltn 'sport = 5201' | grep -q LISTEN; then return 0; fi
        sleep 0.1
    done
    echo "iperf3 does not start:" >&2
    cat "$work/iperf.log" >&2
    return 1
}

ping_through() {
    local name="ping $1" answer
    if answer=$(in_client ping -q -c 5 -i 0.2 -W 1 "$2"); then
        row "$name" "$(awk -F '[/ ]' '/^rtt/ {print $8 " ms on average"}' <<<"$answer")"
    else
        problem "$name" "no answer from $2"
    fi
}

# measure NAME ADDRESS JQ_FORMAT IPERF_OPTION...
measure() {
    local name=$1 address=$2 format=$3 result
    shift 3
    if result=$(timeout --foreground $((seconds + 15)) "$skein" lab exec client -- \
        iperf3 -c "$address" -t "$seconds" -J "$@") && jq -e '.end | length > 0' <<<"$result" >/dev/null; then
        row "$name" "$(jq -r "def gbps: . / 1e7 | round / 100; $format" <<<"$result")"
    else
        problem "$name" "$(jq -r '.error // "iperf3 failed"' <<<"$result" 2>/dev/null || echo timeout)"
    fi
}

tcp_format='"\(.end.sum_received.bits_per_second | gbps) Gb/s, \(.end.sum_sent.retransmits) retransmits"'
udp_format='.end.sum | "\(.packets) datagrams of 1400 bytes, \(.lost_packets) lost, \(.jitter_ms * 1000 | round) µs jitter"'

measure_family() {
    local family=$1 address=$2 control=()
    if grep -qw cubic /proc/sys/net/ipv4/tcp_available_congestion_control; then control=(-C cubic); fi
    ping_through "$family" "$address"
    measure "TCP $family, to the server" "$address" "$tcp_format" "${control[@]}"
    measure "TCP $family, to the client" "$address" "$tcp_format" "${control[@]}" -R
    measure "UDP $family, 200 Mb/s" "$address" "$udp_format" -u -b 200M -l 1400
}

exchange_bytes() {
    local family=$1 address=$2 result=''
    result=$("$repository/tools/exchange.sh" --json --bytes 256M --timeout 30 \
        skein-client skein-server "$address" 2>"$work/exchange.err") || true
    if jq -e '.intact and .checksum_errors == {client: 0, server: 0}' <<<"$result" >/dev/null 2>&1; then
        row "both ways at once, $family" "$(jq -r '"\(.bytes / 1048576) MiB each way, SHA-256 equal at both ends, no checksum error, \(.bits_per_second / 1e7 | round / 100) Gb/s each way"' <<<"$result")"
    else
        problem "both ways at once, $family" "not intact: $(tr '\n' ' ' <"$work/exchange.err")"
    fi
}

run_traffic() {
    title "The kernel's own TCP, UDP and ping through skein ($mode XDP)"
    measure_family IPv4 10.77.0.2
    measure_family IPv6 fd77::2
    title "Bytes intact"
    exchange_bytes IPv4 10.77.0.2
    exchange_bytes IPv6 fd77::2
}

stop_forward() {
    local status=0
    end "$forward" INT
    wait "$forward" || status=$?
    forward=''
    if [[ $status -ne 0 ]]; then problem "skein forward" "exit status $status"; fi
}

final_lines() { jq -c 'select(.final == true)' "$work/forward.jsonl"; }

report_forward() {
    title "What skein forward counted"
    final_lines | jq -r '
        def drops: [.rx.drops, .tx.drops, .tx.refused] | map(. // {} | to_entries[] | select(.value > 0));
        def text: if length == 0 then "none" else map("\(.key) \(.value)") | join(", ") end;
        (.ports // [.])[] |
        "  \(.interface) queue \(.queue)",
        "    received \(.rx.packets) packets, \(.rx.bytes) bytes; sent \(.tx.packets) packets, \(.tx.bytes) bytes",
        "    drops    \(drops | text)",
        "    frames   \(.frames | to_entries | map("\(.key) \(.value)") | join(", "))"'
    if ! final_lines | jq -e -s 'length > 0 and all(.[].frames; .lost == 0 and .written_off == 0)' >/dev/null; then
        problem "frame ledger" "frames are not accounted for"
        explain_forward
    fi
}

work=$(mktemp -d)
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

build
bring_lab_up
start_forward
start_iperf_server
run_traffic
stop_forward
report_forward

if [[ $failures -ne 0 ]]; then
    title "$failures of the above went wrong"
    exit 1
fi
title "Everything arrived intact"
