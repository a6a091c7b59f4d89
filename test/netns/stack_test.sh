#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernel's own TCP and UDP through skein forward: both ways, over IPv4 and IPv6, in both modes, and
# not one checksum error at either end. And the one thing a bridge of frames cannot mend: a sender
# that leaves its checksums to an offload.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools iperf3 nstat ping
make_bench

# counter SPACE NAME: of the kernel's stack since it began.
counter() { ip netns exec "$1" nstat -asz "$2" | awk -v name="$2" '$1 == name { print $2 }'; }

checksum_errors() {
    local space name sum=0
    for space in "$client" "$server"; do
        for name in TcpInCsumErrors UdpInCsumErrors Udp6InCsumErrors IcmpInCsumErrors Icmp6InCsumErrors; do
            sum=$((sum + $(counter "$space" "$name")))
        done
    done
    echo "$sum"
}

start_iperf() {
    start iperf ip netns exec "$server" iperf3 -s --forceflush
    wait_until 5 grep -q listening "$live_work/iperf.out" || fail 'no iperf3 server'
}

# measure OPTION...: a second of iperf3; what it says in JSON.
measure() { in_client timeout 15 iperf3 -J -t 1 -C cubic "$@"; }

stack_works_in() {
    local mode=$1 address result
    run_skein "$mode" forward left right --mode "$mode"
    start_iperf
    for address in 10.9.0.2 fd09::2; do
        result=$(measure -c "$address" --bidir) || fail "TCP over $address: $result"
        assert_json '.end | .sum_received.bytes > 1e7 and .sum_received_bidir_reverse.bytes > 1e7' "$result"
    done
    result=$(in_client timeout 15 iperf3 -J -t 1 -u -b 20M -l 1400 -c fd09::2 --bidir) || fail "UDP: $result"
    assert_json '.end.sum | .packets > 1000 and .lost_packets < .packets / 20' "$result"
    finish "$started" TERM
    stop_skein "$mode"
    assert_equal 0 "$(checksum_errors)" 'checksum errors'
}

tcp_and_udp_work_in_native_mode() { stack_works_in native; }
tcp_and_udp_work_in_generic_mode() { stack_works_in generic; }

# Through a bridge that is flooded from both sides frames are lost, never made up or mixed.
a_flood_from_both_sides_loses_no_frame() {
    run_skein flood forward left right
    start up ip netns exec "$client" "$skein" tx client0 --duration 2 --size 1514 --json
    local up=$started
    in_server "$skein" tx server0 --duration 2 --size 60 --json >"$live_work/down.out" 2>/dev/null
    finish "$up" -
    stop_skein flood
    assert_json '.frames.free == .frames.total and (.tx.drops | has("never_completed") | not)' "$(total flood .)"
    assert_json '[.ports[].rx.packets] | all(.[]; . > 10000)' "$(total flood .)"
    assert_json '.rx.packets == .tx.packets + (.tx.drops.waiting_at_close // 0)' "$(total flood .)"
    assert_json '.ports | .[0].rx.bytes == .[1].tx.bytes or .[0].rx.packets > .[1].tx.packets' "$(total flood .)"
}

server_refuses_checksums() { [[ $(counter "$server" TcpInCsumErrors) -gt 0 ]]; }

# On veth such a packet carries the sum of its pseudo header only: the bridge hands it on as it is,
# and the receiver's kernel refuses it. `ethtool -K DEVICE tx off` at the sender is the cure.
checksum_offload_at_the_sender_is_not_mended() {
    in_client ethtool -K client0 tx on >/dev/null 2>&1
    run_skein offload forward left right
    in_client bash -c 'exec 3<>/dev/tcp/10.9.0.2/9' 2>/dev/null &
    wait_until 3 server_refuses_checksums || fail 'no checksum error though none was computed'
    in_client ethtool -K client0 tx off >/dev/null 2>&1
    stop_skein offload
}

run_cases tcp_and_udp_work_in_native_mode tcp_and_udp_work_in_generic_mode \
    a_flood_from_both_sides_loses_no_frame checksum_offload_at_the_sender_is_not_mended
