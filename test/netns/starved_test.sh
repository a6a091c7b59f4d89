#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# More packets than frames, and than a ring can hold: the loss is counted where it happens, with what
# helps, and no frame is lost with the packets.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench

# conserved NAME: what was sent is what was received and what was dropped.
conserved() {
    local sent
    sent=$(total sent .tx.packets)
    jq -e --argjson sent "$sent" '.rx.packets + ([.rx.drops[]] | add // 0) == $sent' <<<"$(total "$1" .)" >/dev/null ||
        fail "of $sent packets: $(total "$1" .)"
}

# Nothing is read while the receiver is stopped.
flood_while_stopped() {
    kill -STOP "$running"
    send_packets "$1"
    kill -CONT "$running"
    sleep 0.3
}

too_few_frames_are_counted() {
    run_skein few rx left --frames 64 --ring 64
    flood_while_stopped 5000
    stop_skein few
    assert_json '.rx.drops.rx_fill_ring_empty_descs > 4000' "$(total few .)"
    assert_json '.rx.drops.rx_fill_ring_empty_descs > 0 and .rx.drops.rx_dropped == null' "$(total few .)"
    assert_contains 'give more --frames and a larger --ring' "$(<"$live_work/few.err")"
    conserved few
}

a_full_ring_is_counted() {
    run_skein full rx left --frames 4096 --ring 16
    flood_while_stopped 1000
    stop_skein full
    assert_json '([.rx.drops[]] | add) > 900' "$(total full .)"
    conserved full
}

# Both directions share the frames; the reserve for sending keeps one from starving the other.
forward_with_few_frames_recovers() {
    local process
    run_skein tight forward left right --frames 64 --ring 64
    process=$running
    start flood ip netns exec "$server" "$skein" tx server0 --duration 2 --json
    send_packets 100000
    finish "$started" - 10
    in_client ping -q -c 3 -i 0.1 -W 1 10.9.0.2 >/dev/null || fail 'nothing passes after the flood'
    assert_idle "$process"
    stop_skein tight
    assert_json '.rx.packets == .tx.packets and .frames.free == .frames.total' "$(total tight .)"
}

smallest_setting_works() {
    run_skein least forward left right --frames 16 --ring 2
    in_client ping -q -c 5 -i 0.1 -W 1 10.9.0.2 >/dev/null || fail 'nothing passes'
    stop_skein least
}

run_cases too_few_frames_are_counted a_full_ring_is_counted forward_with_few_frames_recovers \
    smallest_setting_works
