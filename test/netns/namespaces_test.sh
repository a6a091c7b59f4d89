#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Interfaces of other network namespaces: one process bridges two of them over one UMEM, from a
# third place, and says of each what the user wrote.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench
east=''
make_space east
ip -n "$middle" link set right netns "$east"
ip -n "$east" link set right up
ip netns exec "$east" ethtool -K right tx off txvlan off rxvlan off >/dev/null 2>&1

# No device of these names is where the command runs.
elsewhere=''
make_space elsewhere
skein_space=$elsewhere
left=$middle/left
right=$east/right
skein_ready="$left|$right"

passes() { in_client ping -q -c 1 -W 1 10.9.0.2; }
says() { grep -qF "$2" "$live_work/$1.err"; }

one_process_bridges_two_namespaces() {
    local mode
    for mode in native generic; do
        run_skein "$mode" forward "$left" "$right" --mode "$mode"
        wait_until 5 passes || fail "nothing passes in $mode mode: $(<"$live_work/$mode.err")"
        in_client ping -q -c 50 -i 0.002 -s 1400 10.9.0.2 >/dev/null || fail 'packets are lost'
        finish "$running" INT
        assert_equal 0 "$status" "exit status: $(<"$live_work/$mode.err")"
        assert_ledger "$live_work/$mode.out"
        assert_json ".interface == \"$left,$right\" and .tx.copied_bytes == 0 and .rx.packets >= 100" \
            "$(total "$mode" .)"
        assert_json '.rx.packets == .tx.packets and .frames.free == .frames.total' "$(total "$mode" .)"
        wait_until 2 clean || fail 'an XDP program stays'
    done
}
clean() { [[ $(attached_programs "$middle" left) -eq 0 && $(attached_programs "$east" right) -eq 0 ]]; }

what_happens_to_a_device_elsewhere_is_told() {
    run_skein told forward "$left" "$right"
    ip -n "$east" link set right down
    wait_until 3 says told "$right: the link is down, packets wait; \`ip netns exec $east ip link set right up\`" ||
        fail "nothing is said of the link: $(<"$live_work/told.err")"
    ip -n "$east" link set right up
    wait_until 3 says told "$right: the link is up again" || fail 'it is not said that the link is up'
    ip -n "$middle" link set left mtu 1400
    wait_until 3 says told "$left: the MTU is now 1400" || fail 'the MTU is not told'
    ip -n "$middle" link set left mtu 1500
    finish "$running" INT
    assert_equal 0 "$status" "exit status: $(<"$live_work/told.err")"
}

a_name_that_changes_is_used_from_then_on() {
    run_skein renamed rx "$left"
    ip -n "$middle" link set left down
    ip -n "$middle" link set left name other
    ip -n "$middle" link set other up
    wait_until 3 says renamed "$left: it is called other now" || fail 'the name is not told'
    wait_until 3 says renamed "$middle/other: the link is up again" || fail 'the new name is not used'
    wait_until 3 grep -qF "\"interface\":\"$middle/other\"" "$live_work/renamed.out" ||
        fail 'the report goes on with the old name'
    finish "$running" INT
    assert_equal 0 "$status" "exit status: $(<"$live_work/renamed.err")"
    ip -n "$middle" link set other down
    ip -n "$middle" link set other name left
    ip -n "$middle" link set left up
}

packets_are_sent_and_received_elsewhere() {
    run_skein seen rx "$right"
    ip netns exec "$elsewhere" "$skein" tx "$server/server0" --count 100 --size 500 --json \
        >"$live_work/sent.out" 2>/dev/null || fail "skein tx: $(<"$live_work/sent.out")"
    sleep 0.2
    finish "$running" INT
    assert_json '.rx.bytes >= 100 * 500' "$(total seen .)"
}

mistakes_are_named_with_a_remedy() {
    refused 1 'enter network namespace nowhere: there is none of that name' '`ip netns list` shows' rx nowhere/left
    refused 1 "find interface on $middle/nope: no such interface in network namespace $middle" \
        "\`ip netns exec $middle ip link\` lists" rx "$middle/nope"
    refused 1 'it is no network namespace' 'ip netns list' rx /proc/self/exe/left
    refused 1 "find interface on left: no such interface in this network namespace" 'ip link' rx left
    refused 2 "forward needs two interfaces, not $left twice" 'receives on one' forward "$left" "$left"
    if command -v setpriv >/dev/null; then
        local said code=0
        said=$(timeout 10 setpriv --bounding-set -sys_admin --inh-caps -sys_admin "$skein" rx "$left" 2>&1) || code=$?
        assert_equal 1 "$code" "exit status without CAP_SYS_ADMIN: $said"
        assert_contains 'CAP_SYS_ADMIN' "$said" 'refusal'
    fi
}

run_cases one_process_bridges_two_namespaces what_happens_to_a_device_elsewhere_is_told \
    a_name_that_changes_is_used_from_then_on packets_are_sent_and_received_elsewhere \
    mistakes_are_named_with_a_remedy
