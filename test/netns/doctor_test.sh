#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skein doctor on real devices: it tells the truth, finds what bites, says where packets go, and
# removes leftovers and nothing else.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools setpriv clang
make_bench numrxqueues 4 numtxqueues 4

# doctor ARGUMENT...: in the middle, as JSON in $said.
doctor() { said=$(in_middle timeout 30 "$skein" doctor "$@" --json 2>"$live_work/doctor.err") || fail "doctor $*: $said"; }

veth_is_told_from_the_kernel() {
    doctor left
    assert_json '.interface == "left" and .driver == "veth" and .kernel != ""' "$said"
    assert_json '.device_caps.tx_no_linear == {value: false, source: "kernel"}' "$said"
    assert_json '.device_caps.min_head_bytes == {value: 14, source: "table"}' "$said"
    assert_json '.device_caps.zero_copy.value == false and .device_caps.queues.value == 4' "$said"
    assert_json '.device_caps.mtu == {value: 1500, source: "kernel"}' "$said"
    assert_json '[.device_caps[].source] | all(. == "kernel" or . == "table" or . == "default")' "$said"
    assert_json '[.. | numbers] | all(. == floor)' "$said"
    assert_json '[.bind_plan[] | select(.expected == "accepted")] | length == 1' "$said"
    assert_json '.bind_plan[0].expected == "refused"' "$said"
    assert_json '.peer.name == "client0" and .peer.namespace == "'"$client"'"' "$said"
}

# The bench's offloads are off: with the sender's on, it is a problem with the command that helps.
unfinished_checksums_are_found_at_the_peer() {
    doctor left
    assert_json '[.problems[].what | select(contains("pseudo-header"))] == []' "$said"
    in_client ethtool -K client0 tx on >/dev/null
    doctor left
    local remedy
    remedy=$(jq -r '.problems[] | select(.what | contains("pseudo-header")) | .remedy' <<<"$said")
    assert_equal "ip netns exec $client ethtool -K client0 tx off" "$remedy"
    $remedy >/dev/null
    doctor left
    assert_json '[.problems[].what | select(contains("pseudo-header"))] == []' "$said"
}

lo_and_tun_are_told() {
    doctor lo
    assert_json '.driver == "" and .device_caps.xdp_native.value == false' "$said"
    assert_json '.device_caps.tx_no_linear == {value: false, source: "kernel"}' "$said"
    in_middle ip tuntap add tap7 mode tap
    doctor tap7
    assert_json '.driver == "tun" and .device_caps.tx_no_linear == {value: false, source: "kernel"}' "$said"
    assert_json '.device_caps.zero_copy.value == false' "$said"
    assert_json '[.problems[].what | select(contains("is down"))] | length == 1' "$said"
    in_middle ip tuntap delete tap7 mode tap
}

too_few_queues_are_no_native_mode() {
    in_middle ethtool -L left rx 1
    doctor left
    assert_json '.device_caps.xdp_native == {value: false, source: "kernel"}' "$said"
    assert_json '[.problems[].remedy | select(startswith("ethtool -L left rx 4"))] | length == 1' "$said"
    in_middle ethtool -L left rx 4
    doctor left
    assert_json '.device_caps.xdp_native.value' "$said"
}

a_device_that_is_not_here_is_looked_for() {
    refused 1 "no interface 'nowhere7'" 'there are' doctor nowhere7
    refused 1 "no interface 'lef'" 'did you mean left?' doctor lef
    refused 1 "it is in namespace $client" "skein doctor client0 --netns $client" doctor client0
    doctor client0 --netns "$client"
    assert_json '.driver == "veth" and .peer.name == "left"' "$said"
    doctor client0 --netns "/run/netns/$client"
    doctor "$client/client0"
    assert_json '.driver == "veth" and .interface == "client0"' "$said"
    refused 1 'nosuch' 'ip netns list' doctor nosuch/client0
    refused 1 '/etc/passwd' 'ip netns list' doctor lo --netns /etc/passwd
    refused 2 'twice' 'leave out --netns' doctor "$client/client0" --netns "$client"
    assert_json '.interface == "client0"' "$said"
}

overrides_win_and_bad_ones_are_usage() {
    doctor left --caps driver=virtio_net,tx_no_linear=on,segment_cost_bytes=0
    assert_json '.device_caps.tx_no_linear == {value: true, source: "override"}' "$said"
    assert_json '.device_caps.max_tx_segments.value == 17' "$said"
    assert_json '.device_caps.min_head_bytes.value == 0' "$said"
    refused 2 "no capability is named 'speed'" 'segment_cost_bytes' doctor left --caps speed=1
}

a_foreign_program_is_named() {
    clang -O2 -target bpf -x c -c - -o "$live_work/foreign.o" <<'END'
#define SEC(name) __attribute__((section(name), used))
SEC("xdp") int foreign_pass(void *context) { return context ? 2 : 1; }
char license_text[] SEC("license") = "GPL";
END
    in_middle ip link set dev left xdpdrv obj "$live_work/foreign.o" sec xdp
    doctor left
    assert_json '.programs[0].name == "foreign_pass" and .programs[0].mode == "native"' "$said"
    assert_json '[.problems[].what | select(contains("foreign_pass"))] | length == 1' "$said"
    doctor left --clean
    assert_json '.removed == []' "$said"
    assert_equal 1 "$(attached_programs "$middle" left)" 'foreign programs left in place'
    in_middle ip link set dev left xdpdrv off
}

# keep_sending QUEUE: from the client's queue, which in native mode arrives on the same one.
keep_sending() {
    start sender ip netns exec "$client" "$skein" tx client0 --queue "$1" --rate 500 --duration 30 --json
    sending=$started
}

packets_on_another_queue_are_named() {
    run_skein bound rx left --queue 0
    local receiver=$running
    keep_sending 2
    doctor left --watch 2 --queue 0
    assert_json '.watch.queue == 0 and .watch.source == "skein"' "$said"
    assert_json '.watch.queues | any(.queue == 2 and .packets > 50)' "$said"
    assert_json '.watch.finding | contains("queue 2 got")' "$said"
    assert_json '.problems | any(.remedy | contains("skein rx left --queue 2"))' "$said"
    doctor left --watch 1 --queue 2
    assert_json '.watch.finding | contains("no socket sits there")' "$said"
    finish "$sending" INT
    running=$receiver
    stop_skein bound
    refused 2 'has no queue 9' 'choose 0 to 3' doctor left --watch 1 --queue 9
}

silence_is_told_from_packets() {
    ip -n "$middle" link add lone type veth peer name lonep
    ip -n "$middle" link set lone up
    doctor lone --watch 1
    assert_json '.watch.finding | startswith("no packet arrived at lone")' "$said"
    ip -n "$middle" link delete lone
}

what_a_killed_owner_left_is_removed() {
    run_skein dispatched rx left --attach dispatcher
    local owner
    owner=$(ip netns pids "$middle")
    doctor left --clean
    assert_json '.removed == []' "$said"
    kill -KILL "$owner"
    finish "$running" -
    doctor left
    assert_json '[.problems[].remedy | select(. == "skein doctor left --clean")] | length == 1' "$said"
    doctor --clean
    assert_json '.removed | length == 1 and .[0].interface == "left" and .[0].process == '"$owner" "$said"
    nothing_attached_to left || fail 'the leftover is still there'
}

nobody_gets_less_and_is_told_why() {
    install -m 755 "$skein" "$live_work/skein"
    chmod 755 "$live_work"
    said=$(ip netns exec "$middle" setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$live_work/skein" doctor left --json) || fail "unprivileged: $said"
    assert_json '.device_caps.tx_no_linear == {value: false, source: "table"}' "$said"
    assert_json '.notes | any(contains("CAP_PERFMON"))' "$said"
    assert_json '.problems | any(.what | startswith("CAP_NET_RAW is missing"))' "$said"
    assert_json '.device_caps.xdp_native.value' "$said"
}

without_a_device_all_are_listed() {
    doctor
    assert_json '[.interfaces[].interface] | contains(["left", "lo", "right"])' "$said"
    said=$(in_middle "$skein" doctor)
    assert_contains 'left: veth, up, MTU 1500, 4 queues, XDP native, copy' "$said"
    said=$(in_middle "$skein" doctor --drivers --json)
    assert_json '.drivers | any(.driver == "mlx5_core" and .variant == "cx4lx" and .source != "")' "$said"
}

run_cases veth_is_told_from_the_kernel unfinished_checksums_are_found_at_the_peer lo_and_tun_are_told \
    too_few_queues_are_no_native_mode a_device_that_is_not_here_is_looked_for \
    overrides_win_and_bad_ones_are_usage a_foreign_program_is_named packets_on_another_queue_are_named \
    silence_is_told_from_packets what_a_killed_owner_left_is_removed nobody_gets_less_and_is_told_why \
    without_a_device_all_are_listed
