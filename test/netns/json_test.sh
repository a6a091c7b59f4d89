#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --json: every line is an object by itself, with the promised members, whole numbers and one closing
# line; and nothing else is on standard output.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench

object_of_a_port='
    def counts: type == "object" and ([.[] | numbers | select(. == floor and . >= 0)] | length) == length;
    def direction: (.packets | type == "number") and (.bytes | type == "number") and (.drops | counts);
    def ledger: counts and ([keys[] | select(IN("total", "free", "fill", "kernel_rx", "rx_ring",
        "application", "tx_ring", "kernel_tx", "completion", "lost", "written_off"))] | length) == 11;
    def port: (.interface | type == "string") and (.queue | type == "number") and
        (.status | IN("ready", "link_down", "device_gone")) and
        (.rx | direction) and (.tx | direction) and (.frames | ledger);
    def whole: [.. | numbers | select(. != floor)] == [];
    '

# seconds_are_right NAME PORTS
seconds_are_right() {
    local file=$live_work/$1.out
    jq -e . "$file" >/dev/null || fail "not JSON: $(<"$file")"
    jq -se "$object_of_a_port"'[.[] | select(.final | not)] | length >= 2 and all(.[]; port and whole)' \
        "$file" >/dev/null || fail "a line lacks something: $(<"$file")"
    # Each second once for each port, in order.
    jq -se --argjson ports "$2" '[.[] | select(.final | not).t] |
        . == [range(1; length / $ports + 1) | range($ports) as $port | .]' \
        "$file" >/dev/null || fail "seconds: $(jq -c .t "$file")"
}

# the_end_is_right NAME PORTS
the_end_is_right() {
    local file=$live_work/$1.out
    jq -se 'map(.final == true) | .[-1] and (.[:-1] | any | not)' "$file" >/dev/null ||
        fail "not one closing line, and last: $(<"$file")"
    jq -se --argjson ports "$2" "$object_of_a_port"'.[-1] | whole and (.ports | length == $ports) and
        (.ports | all(.[]; port)) and (.rx | direction) and (.tx | direction) and (.frames | ledger) and
        ([.tx.scatter, .tx.pull, .tx.merge, .tx.linearise, .tx.split, .tx.header_bytes, .tx.copied_bytes] |
            all(.[]; type == "number")) and (.tx.refused | counts) and (.verdicts | counts)' \
        "$file" >/dev/null || fail "the closing line lacks something: $(tail -1 "$file")"
    # Totals are the sum of the seconds and what came behind the last one.
    jq -se 'def all_packets(way): [.[] | select(.final | not) | way.packets] | add;
        all_packets(.rx) <= .[-1].rx.packets and all_packets(.tx) <= .[-1].tx.packets and
        .[-1].rx.packets == ([.[-1].ports[].rx.packets] | add)' "$file" >/dev/null ||
        fail "the sums do not agree: $(<"$file")"
}

# load_for_seconds SECONDS: packets both ways.
load_for_seconds() {
    in_client ping -q -i 0.05 -w "$1" 10.9.0.2 >/dev/null || true
}

forward_writes_what_it_promises() {
    run_skein forward forward left right
    load_for_seconds 3
    stop_skein forward
    seconds_are_right forward 2
    the_end_is_right forward 2
    assert_json '.interface == "left,right" and .queue == 0 and .verdicts.taken_by_default == .rx.packets' \
        "$(total forward .)"
    # The messages for people are elsewhere.
    assert_contains 'left queue 0: native XDP by link' "$(<"$live_work/forward.err")"
}

rx_and_tx_write_what_they_promise() {
    run_skein rx rx left
    in_client "$skein" tx client0 --rate 2000 --duration 3 --json >"$live_work/tx.out" 2>/dev/null
    stop_skein rx
    seconds_are_right tx 1
    the_end_is_right tx 1
    seconds_are_right rx 1
    the_end_is_right rx 1
}

run_cases forward_writes_what_it_promises rx_and_tx_write_what_they_promise
