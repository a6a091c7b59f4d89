#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A device or queue that somebody else uses: refused by name, taken over with --replace, waited for
# where it is just being released.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools clang
make_bench

# An XDP program of somebody else, on the device left.
attach_foreign() {
    clang -O2 -target bpf -x c -c - -o "$live_work/foreign.o" <<'END'
#define SEC(name) __attribute__((section(name), used))
SEC("xdp") int foreign_pass(void *context) { return context ? 2 : 1; }
char license_text[] SEC("license") = "GPL";
END
    in_middle ip link set dev left "$1" obj "$live_work/foreign.o" sec xdp
}

a_foreign_program_is_refused_by_name() {
    local mode
    for mode in drv generic; do
        attach_foreign "xdp$mode"
        refused 1 "\"foreign_pass\" (${mode/drv/native}) is attached [EBUSY" \
            'ip link set left xdp off, or --replace' rx left
        assert_equal 1 "$(attached_programs "$middle" left)" 'foreign programs left in place'
        in_middle ip link set dev left "xdp$mode" off
    done
}

forward_leaves_nothing_where_one_side_is_taken() {
    attach_foreign xdpdrv
    refused 1 '"foreign_pass"' '--replace' forward right left
    nothing_attached_to right || fail 'a program stays on right'
    in_middle ip link set dev left xdpdrv off
}

replace_takes_its_place_and_says_so() {
    attach_foreign xdpdrv
    run_skein taker rx left --replace
    assert_contains 'replaced program' "$(<"$live_work/taker.err")"
    assert_contains '"foreign_pass" (native)' "$(<"$live_work/taker.err")"
    stop_skein taker
}

another_skein_is_refused_by_its_process() {
    run_skein first rx left
    local process
    process=$(ip netns pids "$middle")
    refused 1 "\"skein_redirect\" (native, of skein process $process) is attached" \
        'stop that process, or use --replace' rx left
    stop_skein first
}

a_queue_in_use_is_refused_after_a_second_of_patience() {
    run_skein first rx left
    local begin=$SECONDS
    refused 1 'bind on left queue 0: the queue is in use by another AF_XDP socket [EBUSY' \
        'stop the other program, or choose another queue' tx left
    [[ $((SECONDS - begin)) -ge 2 ]] || fail 'no patience with a queue that may be released soon'
    stop_skein first
}

# The kernel releases a queue some milliseconds behind its last user. (That this is waited for, and said,
# is for port_setup_test.cpp: a new process is rarely fast enough to meet it.)
a_queue_just_released_can_be_had() {
    local round
    for round in {1..8}; do
        in_client "$skein" tx client0 --count 1 >"$live_work/again.out" 2>&1 ||
            fail "round $round: $(<"$live_work/again.out")"
    done
}

run_cases a_foreign_program_is_refused_by_name forward_leaves_nothing_where_one_side_is_taken \
    replace_takes_its_place_and_says_so another_skein_is_refused_by_its_process \
    a_queue_in_use_is_refused_after_a_second_of_patience a_queue_just_released_can_be_had
