#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sample `own_loop`: a port in an epoll loop counts what arrives, beside a timer and signals, and
# does not spin.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/bench.sh"
live_begin "$@"
own_loop=$(dirname "$skein")/own_loop
[[ -x $own_loop ]] || fail "$own_loop is not built"
make_bench

attached() { [[ $(attached_programs "$middle" left) -eq 1 ]]; }
run_loop() {
    start loop ip netns exec "$middle" "$own_loop" left "$@"
    running=$started
    wait_until 5 attached || fail "own_loop does not start: $(<"$live_work/loop.err")"
}
counted() { awk '/packets$/ { n = $1 } END { print n + 0 }' "$live_work/loop.out"; }
has_counted() { [[ $(counted) -ge $1 ]]; }

packets_are_counted_until_a_signal() {
    run_loop
    send_packets 5000 --rate 20000
    wait_until 5 has_counted 5000 || fail "counted $(counted) of 5000"
    assert_idle "$running"
    finish "$running" INT
    assert_equal 0 "$status" "exit status: $(<"$live_work/loop.err")"
    assert_contains "nothing under way" "$(<"$live_work/loop.out")" "the report"
    assert_nothing_attached
}

it_ends_by_its_timer() {
    run_loop 1
    finish "$running" - 5
    assert_equal 0 "$status" "exit status"
    assert_nothing_attached
}

a_device_that_is_not_there_is_named() {
    local said code=0
    said=$(ip netns exec "$middle" "$own_loop" nothing0 2>&1) || code=$?
    assert_equal 1 "$code" "exit status"
    assert_contains nothing0 "$said" "what it says"
}

run_cases packets_are_counted_until_a_signal it_ends_by_its_timer a_device_that_is_not_there_is_named
