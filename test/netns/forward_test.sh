#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skein forward between two devices, with the kernel's own stack at both ends: bytes arrive as they
# were sent, every frame is accounted for, and nothing stays behind.
#
# FORWARD_BYTES sets how much TCP moves each way (default 1G in native mode, a quarter in generic).
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
require_tools socat openssl nstat ping

client='' middle='' server=''
make_space client
make_space middle
make_space server
join_spaces "$client" client0 "$middle" left
join_spaces "$middle" right "$server" server0
add_address "$client" client0 10.9.0.1/24
add_address "$client" client0 fd09::1/64
add_address "$server" server0 10.9.0.2/24
add_address "$server" server0 fd09::2/64

in_client() { ip netns exec "$client" "$@"; }
reaches() { in_client ping -q -c 1 -W 1 "$1"; }

# start_forward NAME OPTION...: returns when packets pass.
start_forward() {
    local name=$1
    shift
    start "$name" ip netns exec "$middle" "$skein" forward left right --json "$@"
    forward=$started
    wait_until 10 reaches 10.9.0.2 || fail "nothing passes: $(<"$live_work/$name.err")"
}

# stop_forward NAME: a clean end, whole ledgers, clean devices.
stop_forward() {
    finish "$forward" INT
    assert_equal 0 "$status" "exit status of forward: $(<"$live_work/$1.err")"
    assert_ledger "$live_work/$1.out"
    assert_nothing_attached
}

assert_nothing_attached() {
    local device
    for device in left right; do
        wait_until 2 nothing_attached_to "$device" || fail "an XDP program stays on $device"
    done
}

nothing_attached_to() { [[ $(attached_programs "$middle" "$1") -eq 0 ]]; }

# bytes_arrive AMOUNT: both ways at once, over both families.
bytes_arrive() {
    local address result
    for address in 10.9.0.2 fd09::2; do
        result=$("$repository/tools/exchange.sh" --json --bytes "$1" "$client" "$server" "$address") ||
            fail "not intact over $address: $result"
        say "  $address: $(jq -c '{bytes, bits_per_second, retransmits}' <<<"$result")"
    done
}

tcp_arrives_intact_in_native_mode() {
    start_forward native --mode native
    assert_equal 1 "$(attached_programs "$middle" left)" "programs on left"
    bytes_arrive "${FORWARD_BYTES:-1G}"
    stop_forward native
}

tcp_arrives_intact_in_generic_mode() {
    start_forward generic --mode generic
    bytes_arrive "${FORWARD_BYTES:-256M}"
    stop_forward generic
}

ip_fragments_pass() {
    start_forward fragments --mode native
    in_client ping -q -c 3 -i 0.2 -s 4000 10.9.0.2 >/dev/null || fail "no answer to IPv4 fragments"
    in_client ping -q -c 3 -i 0.2 -s 4000 fd09::2 >/dev/null || fail "no answer to IPv6 fragments"
    stop_forward fragments
}

# Frames of an EtherType nobody knows (IEEE 802 local experimental), the shortest and the longest.
foreign_frames_pass_unchanged() {
    local size frame seen
    start_forward frames --mode native
    for size in 60 1514; do
        frame=0200000000aa0200000000bb88b5$(openssl rand -hex $((size - 14)))
        start seen timeout 3 ip netns exec "$server" socat -u INTERFACE:server0 -
        sleep 0.3
        send_frame "$client" client0 "$frame"
        finish "$started" - 5
        seen=$(od -An -v -tx1 "$live_work/seen.out" | tr -d ' \n')
        assert_contains "$frame" "$seen" "frames at the server"
    done
    stop_forward frames
}

kill_9_leaves_nothing_and_the_next_start_works() {
    start_forward killed --mode native
    finish "$forward" KILL
    assert_nothing_attached
    start_forward again --mode native
    stop_forward again
}

for case in tcp_arrives_intact_in_native_mode tcp_arrives_intact_in_generic_mode ip_fragments_pass \
    foreign_frames_pass_unchanged kill_9_leaves_nothing_and_the_next_start_works; do
    say "- ${case//_/ }"
    "$case"
done
