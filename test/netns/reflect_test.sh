#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sample `reflect`: what is sent to it comes back with the addresses exchanged, and every packet
# once, also while the way back is closed for a time.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
require_tools tshark

here='' there=''
make_space here
make_space there
join_spaces "$here" veth0 "$there" far
for space in "$here" "$there"; do
    ip netns exec "$space" sh -c 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6'
done
reflect=$(dirname "$skein")/reflect
[[ -x $reflect ]] || fail "$reflect is not built"

start reflect ip netns exec "$here" "$reflect" veth0
mirror=$started
attached() { [[ $(attached_programs "$here" veth0) -eq 1 ]]; }
wait_until 5 attached || fail "reflect does not start: $(<"$live_work/reflect.err")"

# seen MAC: packets from that address in the capture of the far side.
seen() { tshark -r "$live_work/back.pcapng" -Y "eth.src == $1" -T fields -e eth.dst 2>/dev/null; }

packets_come_back_exchanged() {
    start capture ip netns exec "$there" tshark -q -i far -c 500 -a duration:10 -w "$live_work/back.pcapng"
    local capture=$started
    wait_until 8 capturing || fail "no capture: $(<"$live_work/capture.err")"
    ip netns exec "$there" "$skein" tx far --count 500 --rate 5000 --json \
        --src-mac 02:00:00:00:00:0a --dst-mac 02:00:00:00:00:0b >"$live_work/tx.out" 2>&1 ||
        fail "tx: $(<"$live_work/tx.out")"
    finish "$capture" - 12
    assert_equal 500 "$(seen 02:00:00:00:00:0b | grep -c 02:00:00:00:00:0a)" "packets exchanged"
    assert_equal 0 "$(seen 02:00:00:00:00:0a | wc -l)" "packets that came back unchanged"
}
capturing() { grep -q 'Capture started' "$live_work/capture.err"; }

# The way back is down: nothing is kept that would leave later with its addresses exchanged again.
nothing_is_exchanged_twice() {
    ip -n "$there" link set far down
    sleep 0.2
    ip -n "$there" link set far up
    packets_come_back_exchanged
}

for case in packets_come_back_exchanged nothing_is_exchanged_twice; do
    say "- ${case//_/ }"
    "$case"
done
finish "$mirror" INT 5
[[ $(attached_programs "$here" veth0) -eq 0 ]] || fail "the program of reflect stays"
