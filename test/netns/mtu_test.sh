#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packets longer than one frame: refused with a remedy without scatter-gather, carried in pieces with
# it, and what is too long even for that is counted, never silent.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools ping
make_bench mtu 9000

set_mtu() {
    ip -n "$client" link set client0 mtu "$1"
    ip -n "$middle" link set left mtu "$1"
    ip -n "$middle" link set right mtu "$1"
    ip -n "$server" link set server0 mtu "$1"
}

echo_of() { in_client ping -q -c 5 -i 0.1 -W 1 -M "do" -s "$1" "$2" >"$live_work/ping.out"; }

without_scatter_gather_a_long_mtu_is_refused() {
    local mode what='packets of MTU 9000 do not fit frames of 3840 bytes without scatter-gather [EMSGSIZE'
    for mode in native generic; do
        refused 1 "bind on left queue 0: $what" 'allow scatter-gather, or lower the MTU to 3822' \
            rx left --no-sg --mode "$mode"
    done
    refused 1 'frames of 1792 bytes' 'lower the MTU to 1774' rx left --no-sg --chunk 2048
    assert_nothing_attached
}

with_it_they_come_in_pieces() {
    local mode
    for mode in native generic; do
        run_skein "$mode" forward left right --mode "$mode"
        assert_contains 'scatter-gather' "$(<"$live_work/$mode.err")"
        echo_of 8900 10.9.0.2 || fail "no answer to 8900 bytes: $(<"$live_work/ping.out")"
        echo_of 8900 fd09::2 || fail "no answer to 8900 bytes over IPv6: $(<"$live_work/ping.out")"
        # The longest frame: MTU, Ethernet header, VLAN tag. In frames of 2048 it is sent in five.
        send_packets 100 --size 9018
        send_packets 100 --size 9018 --chunk 2048
        stop_skein "$mode"
        assert_json '.rx.packets == .tx.packets and .rx.bytes == .tx.bytes' "$(total "$mode" .)"
        assert_json '(.rx.drops | length) == 0 and (.tx.drops | length) == 0' "$(total "$mode" .)"
        assert_json '.ports[0].rx.bytes > 200 * 9018' "$(total "$mode" .)"
    done
}

# The kernel drops it at the sender: EBUSY.
one_byte_over_the_mtu_is_counted() {
    send_packets 100 --size 9019
    assert_json '.tx.drops.kernel_dropped == 100' "$(total sent .)"
    assert_ledger "$live_work/sent.out"
}

the_longest_ip_packet_passes() {
    set_mtu 65535
    run_skein longest forward left right
    echo_of 65507 10.9.0.2 || fail "no answer to 65507 bytes: $(<"$live_work/ping.out")"
    send_packets 50 --size 65549
    stop_skein longest
    assert_json '.rx.bytes == .tx.bytes and (.tx.drops | length) == 0' "$(total longest .)"
}

what_takes_too_many_pieces_is_announced_and_counted() {
    run_skein small forward left right --chunk 2048
    assert_contains 'left has MTU 65535: packets over 32256 bytes are dropped on the way to right' \
        "$(<"$live_work/small.err")"
    echo_of 32000 10.9.0.2 || fail "no answer to 32000 bytes: $(<"$live_work/ping.out")"
    send_packets 10 --size 40000
    stop_skein small
    assert_json '.tx.drops.too_many_pieces == 10 and .tx.refused.too_many_pieces == 10' "$(total small .)"
    assert_contains 'too_many_pieces 10: ' "$(<"$live_work/small.err")"
    assert_contains 'use --chunk 4096' "$(<"$live_work/small.err")"
}

a_shorter_mtu_on_the_other_side_is_announced_and_counted() {
    ip -n "$middle" link set right mtu 1500
    ip -n "$server" link set server0 mtu 1500
    run_skein shorter forward left right
    assert_contains 'left has MTU 65535, right only 1500' "$(<"$live_work/shorter.err")"
    send_packets 10 --size 1515
    send_packets 10 --size 1600
    stop_skein shorter
    # Neighbour questions of the ends, had they any, are no longer than 86 bytes.
    assert_json '.tx.drops.kernel_dropped == 10 and .tx.packets >= 20 and
        .tx.bytes - 10 * 1515 - 10 * 1600 <= 86 * (.tx.packets - 20)' "$(total shorter .)"
}

a_packet_that_never_fits_is_refused_by_tx() {
    refused 1 'a packet of 5000 bytes takes 2 frames of 4096, and this port sends at most 1' \
        'leave out --no-sg' tx right --size 5000 --no-sg
    refused 1 'a packet of 40000 bytes takes 20 frames of 2048, and this port sends at most 18' \
        'use --chunk 4096' tx right --size 40000 --chunk 2048
}

run_cases without_scatter_gather_a_long_mtu_is_refused with_it_they_come_in_pieces \
    one_byte_over_the_mtu_is_counted the_longest_ip_packet_passes \
    what_takes_too_many_pieces_is_announced_and_counted \
    a_shorter_mtu_on_the_other_side_is_announced_and_counted a_packet_that_never_fits_is_refused_by_tx
