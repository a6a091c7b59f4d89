#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Links that go down with packets under way: told to the user, waited for without spinning, and every
# frame is back at the end, whether the link came up again or not.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench

passes() { in_client ping -q -c 1 -W 1 10.9.0.2; }
says() { grep -qF "$2" "$live_work/$1.err"; }

packets_wait_for_a_link_that_is_down() {
    run_skein wait forward left right
    ip -n "$middle" link set right down
    send_packets 20000
    wait_until 3 says wait 'right: the link is down, packets wait; `ip link set right up` lets them go' ||
        fail "nothing is said of the link: $(<"$live_work/wait.err")"
    assert_idle "$running"
    assert_json '.status == "link_down" and .frames.tx_ring == 2048 and .frames.lost == 0' \
        "$(grep '"interface":"right"' "$live_work/wait.out" | tail -1)"
    ip -n "$middle" link set right up
    wait_until 5 passes || fail 'nothing passes after the link came up'
    wait_until 3 says wait 'right: the link is up again' || fail 'it is not said that the link is up'
    stop_skein wait
    # What it held while the link was down went out behind it.
    assert_json '.rx.packets == .tx.packets and (.tx.drops | length) == 0' "$(total wait .)"
}

frames_are_back_though_the_link_stays_down() {
    run_skein down forward left right
    ip -n "$middle" link set right down
    send_packets 3000
    stop_skein down
    assert_json '.frames.free == .frames.total' "$(total down .)"
    assert_json '.tx.drops.unsent_at_close > 0 and .tx.drops.unsent_at_close == .tx.packets' "$(total down .)"
    assert_json '.rx.packets == .tx.packets + (.tx.drops.waiting_at_close // 0)' "$(total down .)"
    assert_contains "$(total down .tx.packets) never sent" "$(<"$live_work/down.err")"
    ip -n "$middle" link set right up
}

a_sender_on_a_link_that_is_down_ends_when_told() {
    ip -n "$middle" link set right down
    run_skein sender tx right --count 100
    finish "$running" - 5
    assert_equal 0 "$status" 'exit status'
    assert_json '.tx.drops.unsent_at_close == 100 and .frames.free == .frames.total' "$(total sender .)"
    assert_json '.ports[0].status == "link_down"' "$(total sender .)"
    ip -n "$middle" link set right up
}

# The other end of the cable: the kernel takes such packets and drops them, completing their frames.
a_peer_that_is_down_costs_packets_not_frames() {
    run_skein peer forward left right
    ip -n "$server" link set server0 down
    send_packets 500
    sleep 0.3
    ip -n "$server" link set server0 up
    wait_until 5 passes || fail 'nothing passes after the peer came up'
    stop_skein peer
    assert_json '.tx.drops.kernel_dropped == 500' "$(total peer .)"
    assert_contains 'the other end is down' "$(<"$live_work/peer.err")"
}

a_device_that_is_down_can_be_opened() {
    ip -n "$middle" link set left down
    run_skein early rx left
    wait_until 3 says early 'left: the link is down' || fail 'nothing is said of the link'
    assert_idle "$running"
    ip -n "$middle" link set left up
    wait_until 3 says early 'left: the link is up again' || fail 'it is not said that the link is up'
    send_packets 7 --size 500
    sleep 0.2
    stop_skein early
    assert_json '.rx.bytes >= 7 * 500' "$(total early .)"
}

an_mtu_beyond_the_frames_is_told_with_a_remedy() {
    run_skein grown rx left --no-sg
    ip -n "$middle" link set left mtu 5000
    wait_until 3 says grown 'left: the MTU is now 5000; packets over 3840 bytes are dropped (rx_dropped)' ||
        fail "nothing is said of the MTU: $(<"$live_work/grown.err")"
    assert_contains 'start again without --no-sg, or set an MTU of 3822 or less' "$(<"$live_work/grown.err")"
    ip -n "$middle" link set left mtu 1500
    wait_until 3 grep -qx 'left: the MTU is now 1500' "$live_work/grown.err" || fail 'it is not said that all is well'
    stop_skein grown
}

run_cases packets_wait_for_a_link_that_is_down frames_are_back_though_the_link_stays_down \
    a_sender_on_a_link_that_is_down_ends_when_told a_peer_that_is_down_costs_packets_not_frames \
    a_device_that_is_down_can_be_opened an_mtu_beyond_the_frames_is_told_with_a_remedy
