#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Several queues: every one is served, counted by itself, and bridged to its counterpart.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools ping socat
make_bench numtxqueues 4 numrxqueues 4

# send_to_each: 100 packets to queue 0, 200 to queue 1, 300 to 2, 400 to 3 of client0.
send_to_each() {
    local queue
    for queue in 0 1 2 3; do send_packets $((100 * (queue + 1))) --queue "$queue" --size 500; done
    sleep 0.2
}

# per_queue NAME INTERFACE DIRECTION: packets of those sent, in hundreds, by queue.
per_queue() {
    final_lines "$live_work/$1.out" |
        jq -c --arg interface "$2" "[.ports[] | select(.interface == \$interface)] | sort_by(.queue) |
            [.[].$3.packets / 100 | floor]"
}

native_mode_keeps_the_queue() {
    run_skein rx rx left --mode native
    send_to_each
    stop_skein rx
    assert_equal '[1,2,3,4]' "$(per_queue rx left rx)" 'packets by queue'
    assert_equal '"all"' "$(total rx .queue)"
}

# The kernel reads the sender's queue as "recorded receive queue, plus one" (veth, Linux 6.18).
generic_mode_is_off_by_one() {
    run_skein rx rx left --mode generic
    send_to_each
    stop_skein rx
    assert_equal '[3,3,4,0]' "$(per_queue rx left rx)" 'packets by queue'
}

one_queue_leaves_the_others_to_the_kernel() {
    run_skein rx rx left --mode native --queue 2
    send_to_each
    stop_skein rx
    assert_equal '[3]' "$(per_queue rx left rx)" 'packets of queue 2'
    assert_json '.verdicts | has("passed_no_socket") | not' "$(total rx .)"
}

forward_bridges_each_queue_to_its_counterpart() {
    local cpus
    for cpus in 0 0,1; do
        run_skein bridge forward left right --queue all --mode native --cpu "$cpus"
        send_to_each
        in_client ping -q -c 3 -i 0.1 10.9.0.2 >/dev/null || fail 'nothing passes'
        stop_skein bridge
        assert_equal '[1,2,3,4]' "$(per_queue bridge left rx)" 'received on left'
        assert_equal '[1,2,3,4]' "$(per_queue bridge right tx)" 'sent on right'
        assert_json '.rx.packets == .tx.packets and (.ports | length) == 8' "$(total bridge .)"
    done
}

forward_bridges_all_queues_in_generic_mode() {
    run_skein bridge forward left right --queue all --mode generic
    send_to_each
    in_client ping -q -c 3 -i 0.1 10.9.0.2 >/dev/null || fail 'nothing passes'
    in_client ping -q -c 3 -i 0.1 fd09::2 >/dev/null || fail 'nothing passes over IPv6'
    stop_skein bridge
    assert_json '.rx.packets == .tx.packets and .rx.bytes == .tx.bytes' "$(total bridge .)"
}

unequal_numbers_are_refused() {
    ip -n "$middle" link add narrow numtxqueues 2 numrxqueues 2 type veth peer name narrow_peer
    refused 1 'left has 4 queues, narrow has 2' 'give both the same number (`ethtool -L`), or choose one with --queue' \
        forward left narrow
    assert_nothing_attached
    run_skein one forward left narrow --queue 1
    stop_skein one
}

# Native XDP on a veth wants as many receive queues as its peer has to send.
too_few_for_native_mode_fall_back_and_say_so() {
    ip -n "$middle" link add few numtxqueues 1 numrxqueues 1 type veth peer name many numtxqueues 4 numrxqueues 4
    skein_ready=few run_skein fallback rx few
    assert_contains 'few queue 0: generic XDP by link' "$(<"$live_work/fallback.err")"
    assert_contains 'native mode refused: ENOSPC' "$(<"$live_work/fallback.err")"
    stop_skein fallback
    refused 1 'the device has too few queues for native XDP' 'use generic mode' rx few --mode native
}

run_cases native_mode_keeps_the_queue generic_mode_is_off_by_one one_queue_leaves_the_others_to_the_kernel \
    forward_bridges_each_queue_to_its_counterpart forward_bridges_all_queues_in_generic_mode \
    unequal_numbers_are_refused too_few_for_native_mode_fall_back_and_say_so
