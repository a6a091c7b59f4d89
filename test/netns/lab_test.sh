#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skein lab: what it makes is what it says, it is all or nothing, and it leaves nothing behind.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"

# expect STATUS COMMAND...: runs it, output in $out and $err, and expects the exit status.
expect() {
    local wanted=$1 got=0
    shift
    "$@" >"$live_work/out" 2>"$live_work/err" || got=$?
    out=$(<"$live_work/out") err=$(<"$live_work/err")
    assert_equal "$wanted" "$got" "exit status of '$*' ($err)"
}

spaces() { find /run/netns -mindepth 1 -printf '%f\n' | sort | tr '\n' ' '; }

lab_up_makes_what_it_says() {
    expect 0 "$skein" lab up --queues 2 --mtu 9000 --json
    assert_json '.up and ([.namespaces[].name] == ["skein-client", "skein-middle", "skein-server"])' "$out"
    assert_json '[.namespaces[].devices[].name] | sort == ["client0", "left", "right", "server0"]' "$out"
    assert_json 'all(.namespaces[].devices[]; .mtu == 9000 and .queues == {rx: 2, tx: 2})' "$out"
    assert_json 'all(.namespaces[].devices[]; .carrier and .xdp == [])' "$out"
    assert_json '.namespaces[0].devices[0].addresses == ["10.77.0.1/24", "fd77::1/64"]' "$out"
    assert_json '.namespaces[2].devices[0].addresses == ["10.77.0.2/24", "fd77::2/64"]' "$out"
    assert_json 'all(.namespaces[1].devices[]; .addresses == [])' "$out"
    assert_json 'all(.namespaces[].devices[].offloads[]; . != "txvlan" and . != "rxvlan")' "$out"
    assert_json 'all(.namespaces[0, 2].devices[].offloads[]; . != "tx" and . != "tso")' "$out"
}

client_and_server_meet_over_a_bridge_and_not_without() {
    expect 1 "$skein" lab exec client -- ping -c 1 -W 1 10.77.0.2
    ip -n skein-middle link add bridge0 type bridge
    ip -n skein-middle link set left master bridge0
    ip -n skein-middle link set right master bridge0
    ip -n skein-middle link set bridge0 up
    local address
    for address in 10.77.0.2 fd77::2; do
        wait_until 5 "$skein" lab exec client -- ping -c 1 -W 1 "$address" ||
            fail "no answer from $address"
    done
}

a_second_up_is_refused_and_harms_nothing() {
    expect 1 "$skein" lab up
    assert_contains "already up" "$err"
    expect 1 "$skein" lab up --json
    assert_json '.error.remedy | test("skein lab down")' "$out"
    assert_equal "skein-client skein-middle skein-server " "$(spaces)"
}

exec_hands_everything_on() {
    expect 0 "$skein" lab exec middle -- printf '<%s>' '[a,b]' '' '{}' 'a b' -- --help
    assert_equal '<[a,b]><><{}><a b><--><--help>' "$out"
    expect 7 "$skein" lab exec server -- sh -c 'exit 7'
    expect 0 "$skein" lab exec middle -- ls /sys/class/net
    assert_contains right "$out"
    expect 2 "$skein" lab exec nowhere -- true
    assert_contains "client, middle, server" "$err"
    expect 1 "$skein" lab exec client -- /no/such/program
    assert_contains ENOENT "$err"
}

down_names_who_is_still_inside_and_leaves_no_device() {
    start sleeper ip netns exec skein-middle sleep 60
    local sleeper=$started
    wait_until 5 grep -q sleep "/proc/$sleeper/comm" || fail "the sleeper does not start"
    expect 0 "$skein" lab status --json
    assert_json ".namespaces[1].processes == [{pid: $sleeper, name: \"sleep\"}]" "$out"
    expect 0 "$skein" lab down --json
    assert_json ".processes == [{pid: $sleeper, name: \"sleep\", namespace: \"skein-middle\"}]" "$out"
    assert_json '.removed | length == 3' "$out"
    kill -0 "$sleeper" || fail "down ended a process that is not its own"
    assert_equal "" "$(nsenter -t "$sleeper" -n ip -br link show type veth)" "devices left behind"
    finish "$sleeper" TERM
}

down_is_safe_to_repeat() {
    expect 0 "$skein" lab down
    assert_contains "nothing to remove" "$out"
    expect 0 "$skein" lab status --json
    assert_json '. == {up: false, namespaces: []}' "$out"
    expect 1 "$skein" lab exec client -- true
    assert_contains "skein lab up" "$err"
}

a_failing_step_takes_everything_down_again() {
    mkdir "$live_work/broken"
    printf '#!/bin/sh\necho "no such offload" >&2\nexit 3\n' >"$live_work/broken/ethtool"
    chmod +x "$live_work/broken/ethtool"
    expect 1 env PATH="$live_work/broken:$PATH" "$skein" lab up --json
    assert_json '.error.what | test("ethtool -K client0 .*no such offload")' "$out"
    assert_equal "" "$(spaces)" "namespaces left behind"
}

an_interrupt_takes_everything_down_again() {
    mkdir "$live_work/slow"
    printf '#!/bin/sh\nsleep 1\nexec %s "$@"\n' "$(command -v ethtool)" >"$live_work/slow/ethtool"
    chmod +x "$live_work/slow/ethtool"
    start up env PATH="$live_work/slow:$PATH" "$skein" lab up
    wait_until 5 test -e /run/netns/skein-server || fail "the lab does not come up"
    finish "$started" INT
    [[ $status -ne 0 ]] || fail "an interrupted up reports success"
    assert_equal "" "$(spaces)" "namespaces left behind"
}

a_part_of_a_lab_is_not_built_upon() {
    ip netns add skein-middle
    expect 1 "$skein" lab up
    assert_contains "a part of a lab" "$err"
    assert_equal "skein-middle " "$(spaces)"
    expect 0 "$skein" lab down
    assert_equal "" "$(spaces)"
}

options_out_of_range_are_named() {
    local bad
    for bad in "--mtu 67" "--mtu 65536" "--queues 0" "--queues 4097" "--big-tcp 65535" "--big-tcp 524281"; do
        # shellcheck disable=SC2086
        expect 2 "$skein" lab up $bad
        assert_contains "${bad% *}" "$err"
        assert_equal "" "$(spaces)"
    done
}

dry_run_is_the_plan_and_can_be_pasted() {
    expect 0 "$skein" lab up --dry-run --mtu 1400
    assert_equal "" "$(spaces)" "dry run made something"
    bash -e <<<"$out" >/dev/null
    expect 0 "$skein" lab status --json
    assert_json '.up and all(.namespaces[].devices[]; .mtu == 1400 and .carrier)' "$out"
    expect 0 "$skein" lab down
}

big_tcp_reaches_the_kernel() {
    expect 0 "$skein" lab up --big-tcp 185000 --json
    assert_json 'all(.namespaces[0, 2].devices[].size_limits; .gso == 185000 and .gro == 185000)' "$out"
    if [[ $err != *"no IPv4 size limits"* ]]; then
        assert_json 'all(.namespaces[0, 2].devices[].size_limits; .gso_ipv4 == 185000 and .gro_ipv4 == 185000)' "$out"
    fi
    assert_json 'all(.namespaces[1].devices[].size_limits; .gso <= 65536)' "$out"
    expect 0 "$skein" lab down
}

small_links_do_without_ipv6() {
    expect 0 "$skein" lab up --mtu 576 --json
    assert_json '.namespaces[0].devices[0].addresses == ["10.77.0.1/24"]' "$out"
    assert_contains "no IPv6" "$err"
    expect 0 "$skein" lab down
}

# The examples of every help text, on a lab that is up, except for those that make one.
every_example_runs() {
    local path verb line
    path=$(dirname "$skein"):$PATH
    for verb in "" up status exec down; do
        # shellcheck disable=SC2086
        expect 0 "$skein" lab $verb --list-examples
        while read -r line; do
            "$skein" lab down >/dev/null
            [[ $line == "skein lab up"* ]] || "$skein" lab up >/dev/null
            PATH=$path bash -c "$line" >"$live_work/said" 2>&1 </dev/null ||
                fail "the example '$line' fails: $(<"$live_work/said")"
        done <<<"${out//--duration 10/--duration 1}"
    done
    "$skein" lab down >/dev/null
}

without_root_it_says_so() {
    expect 1 setpriv --reuid 65534 --clear-groups "$skein" lab up
    assert_contains "needs root" "$err"
}

for case in lab_up_makes_what_it_says client_and_server_meet_over_a_bridge_and_not_without \
    a_second_up_is_refused_and_harms_nothing exec_hands_everything_on \
    down_names_who_is_still_inside_and_leaves_no_device down_is_safe_to_repeat \
    a_failing_step_takes_everything_down_again an_interrupt_takes_everything_down_again \
    a_part_of_a_lab_is_not_built_upon options_out_of_range_are_named \
    dry_run_is_the_plan_and_can_be_pasted big_tcp_reaches_the_kernel \
    small_links_do_without_ipv6 every_example_runs without_root_it_says_so; do
    say "- ${case//_/ }"
    "$case"
done
