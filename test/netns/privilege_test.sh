#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skein with fewer privileges than root's: what is missing is named, what is not needed is not asked
# for, and nothing stays on the device.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools setpriv
make_bench

# Where everybody may run it.
install -m 755 "$skein" "$live_work/skein"
chmod 755 "$live_work"
skein=$live_work/skein

# with_nothing ARGUMENT..., without CAPABILITY... -- ARGUMENT...: skein in the middle; its words in
# $said, its exit status in $code.
with_nothing() {
    code=0
    said=$(timeout 10 ip netns exec "$middle" setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$skein" "$@" 2>&1) || code=$?
}

without() {
    local lost=''
    while [[ $1 != -- ]]; do
        lost+=,-$1
        shift
    done
    shift
    code=0
    said=$(ulimit -l 8192 && timeout 10 ip netns exec "$middle" setpriv --bounding-set "${lost#,}" \
        --inh-caps "${lost#,}" "$skein" "$@" 2>&1) || code=$?
}

assert_refused() {
    assert_equal 1 "$code" "exit status: $said"
    local part
    for part in "$@"; do assert_contains "$part" "$said" 'refusal'; done
    assert_nothing_attached
}

nobody_is_told_which_capabilities_it_takes() {
    with_nothing rx left --duration 1
    assert_refused 'load XDP program on left: not permitted to use bpf()' 'EPERM' \
        'run as root, or with CAP_NET_ADMIN and CAP_BPF (and CAP_NET_RAW for the sockets)'
    with_nothing tx left --count 1
    assert_refused 'open an AF_XDP socket on left queue 0: EPERM' 'run as root or with CAP_NET_RAW'
    with_nothing tx left --count 1 --json
    assert_refused '{"error":{"what":"open an AF_XDP socket'
}

root_without_a_capability_is_told_which() {
    without net_raw -- rx left --duration 1
    assert_refused 'open an AF_XDP socket on left queue 0: EPERM' 'run as root or with CAP_NET_RAW'
    without bpf sys_admin -- rx left --duration 1
    assert_refused 'load XDP program on left: not permitted to use bpf()' 'CAP_BPF'
    without net_admin sys_admin -- rx left --duration 1
    assert_refused 'not permitted' 'CAP_NET_ADMIN'
    without ipc_lock sys_admin -- rx left --duration 1
    assert_refused 'register UMEM on left queue 0: 16777216 bytes exceed RLIMIT_MEMLOCK [ENOBUFS' \
        'add CAP_IPC_LOCK, raise `ulimit -l`, or ask for fewer frames'
}

three_capabilities_and_few_frames_are_enough() {
    code=0
    said=$(timeout 10 ip netns exec "$middle" setpriv --inh-caps -all,+net_raw,+net_admin,+bpf \
        --bounding-set -all,+net_raw,+net_admin,+bpf \
        "$skein" forward left right --duration 1 --frames 512 --ring 256 --json 2>&1 >/dev/null) || code=$?
    assert_equal 0 "$code" "exit status: $said"
    assert_nothing_attached
}

a_smaller_send_buffer_is_said_not_fatal() {
    without net_admin -- tx left --count 5 --dst-mac 02:00:00:00:00:09
    assert_equal 0 "$code" "exit status: $said"
    assert_contains 'raise net.core.wmem_max or add CAP_NET_ADMIN' "$said"
}

run_cases nobody_is_told_which_capabilities_it_takes root_without_a_capability_is_told_which \
    three_capabilities_and_few_frames_are_enough a_smaller_send_buffer_is_said_not_fatal
