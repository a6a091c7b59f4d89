#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A device that is removed while it is used: the command ends by itself, says so, and accounts for
# every frame.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"

what='left was removed while in use'

# ends_by_itself NAME
ends_by_itself() {
    finish "$running" - 4
    assert_equal 1 "$status" "exit status: $(<"$live_work/$1.err")"
    assert_contains "skein: $what" "$(<"$live_work/$1.err")"
    assert_equal "\"$what\"" "$(total "$1" .error.what)" 'the error in the closing line'
    assert_json '.error.remedy != "" and .frames.free == .frames.total' "$(total "$1" .)"
    assert_ledger "$live_work/$1.out"
}

rx_ends_when_its_device_is_removed() {
    make_bench
    run_skein rx rx left
    ip -n "$middle" link del left
    ends_by_itself rx
    assert_json '.ports[0].status == "device_gone"' "$(total rx .)"
}

tx_ends_when_its_device_is_removed() {
    make_bench
    run_skein tx tx left
    ip -n "$middle" link del left
    ends_by_itself tx
}

forward_ends_with_traffic_both_ways() {
    make_bench
    run_skein forward forward left right --mode generic
    start up ip netns exec "$client" "$skein" tx client0 --json
    start down ip netns exec "$server" "$skein" tx server0 --json
    sleep 0.5
    ip -n "$middle" link del left
    ends_by_itself forward
    assert_json '[.ports[].status] == ["device_gone", "ready"]' "$(total forward .)"
}

people_read_the_totals_and_then_why() {
    make_bench
    start text ip netns exec "$middle" "$skein" rx left
    running=$started
    sleep 0.7
    ip -n "$middle" link del left
    finish "$running" - 4
    assert_equal 1 "$status" 'exit status'
    assert_contains 'total of' "$(<"$live_work/text.out")"
    assert_contains "$what" "$(<"$live_work/text.err")"
    assert_contains '  remedy: `ip link`' "$(<"$live_work/text.err")"
}

# Its number is what counts.
a_device_that_is_renamed_goes_on() {
    make_bench
    run_skein renamed rx left
    ip -n "$middle" link set left down
    ip -n "$middle" link set left name other
    ip -n "$middle" link set other up
    sleep 1.2
    send_packets 5 --size 500
    sleep 0.2
    finish "$running" INT
    assert_equal 0 "$status" "exit status: $(<"$live_work/renamed.err")"
    assert_json '.rx.bytes >= 5 * 500' "$(total renamed .)"
}

run_cases rx_ends_when_its_device_is_removed tx_ends_when_its_device_is_removed \
    forward_ends_with_traffic_both_ways people_read_the_totals_and_then_why a_device_that_is_renamed_goes_on
