#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --rule on live traffic: what is wanted comes to skein, everything else goes on through the kernel as
# if skein were not there.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools ping socat
make_bench
add_address "$middle" left 10.9.0.3/24

# datagram BYTES PORT: from the client's kernel to the middle's.
datagram() {
    head -c "$1" /dev/zero | in_client socat -b 65536 -u - "UDP4-SENDTO:10.9.0.3:$2"
}

one_port_is_taken_and_ping_goes_on() {
    local mode
    for mode in native generic; do
        run_skein dns rx left --mode "$mode" --rule 'take udp dport 53'
        start listener ip netns exec "$middle" timeout 5 socat -u UDP4-RECV:54 -
        sleep 0.3
        datagram 100 53
        datagram 101 53
        datagram 60 54
        in_client ping -q -c 3 -i 0.1 -W 1 10.9.0.3 >/dev/null || fail 'ping does not reach the kernel'
        sleep 0.2
        stop_skein dns
        finish "$started" TERM
        assert_json '.rx.packets == 2 and .rx.bytes == 2 * 42 + 201' "$(total dns .)"
        assert_json '.verdicts.taken_by_rule == 2 and .verdicts.passed_by_default >= 4' "$(total dns .)"
        assert_equal 60 "$(wc -c <"$live_work/listener.out")" 'bytes for the kernel'
    done
}

# Only the first fragment shows ports: all are taken, whatever their port, so that they stay together.
fragments_of_a_wanted_port_are_taken() {
    run_skein fragments rx left --rule 'take udp dport 53'
    datagram 4000 53
    sleep 0.2
    stop_skein fragments
    assert_json '.rx.packets == 3 and .rx.bytes == 3 * 34 + 4008' "$(total fragments .)"
    assert_json '.verdicts == {"taken_fragment": 3}' "$(total fragments .)"
}

the_first_rule_that_matches_decides() {
    run_skein order rx left --rule 'pass udp dport 54' --rule 'take udp' --otherwise nothing
    datagram 10 53
    datagram 10 54
    in_client ping -q -c 1 -W 1 10.9.0.3 >/dev/null || fail 'ping does not reach the kernel'
    sleep 0.2
    stop_skein order
    assert_json '.rx.packets == 1 and .verdicts.taken_by_rule == 1 and .verdicts.passed_by_rule == 1' \
        "$(total order .)"
}

everything_but_is_possible() {
    run_skein except rx left --rule 'pass icmp' --rule 'pass arp' --otherwise everything
    in_client ping -q -c 2 -i 0.1 -W 1 10.9.0.3 >/dev/null || fail 'ping does not reach the kernel'
    datagram 10 53
    sleep 0.2
    stop_skein except
    assert_json '.rx.packets == 1 and .verdicts.taken_by_default == 1' "$(total except .)"
}

forward_bridges_only_what_is_wanted() {
    run_skein only forward left right --rule 'take arp' --rule 'take icmp'
    in_client ping -q -c 3 -i 0.1 -W 1 10.9.0.2 >/dev/null || fail 'ping does not pass'
    start listener ip netns exec "$server" timeout 5 socat -u UDP4-RECV:53 -
    sleep 0.3
    printf x | in_client socat -u - UDP4-SENDTO:10.9.0.2:53
    sleep 0.2
    stop_skein only
    finish "$started" TERM
    assert_equal '' "$(<"$live_work/listener.out")" 'what passed without a rule'
}

run_cases one_port_is_taken_and_ping_goes_on fragments_of_a_wanted_port_are_taken \
    the_first_rule_that_matches_decides everything_but_is_possible forward_bridges_only_what_is_wanted
