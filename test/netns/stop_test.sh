#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How live commands end: told by a signal they close in order; killed, they leave nothing behind; and
# where nobody reads their output any more they end quietly.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench

each_signal_ends_it_in_order() {
    local signal
    for signal in INT TERM HUP; do
        run_skein "$signal" forward left right
        in_client ping -q -c 2 -i 0.1 10.9.0.2 >/dev/null || fail 'nothing passes'
        finish "$running" "$signal" 3
        assert_equal 0 "$status" "exit status after SIG$signal"
        assert_ledger "$live_work/$signal.out"
        assert_json '.frames.free == .frames.total and .rx.packets >= 4' "$(total "$signal" .)"
        assert_equal true "$(tail -1 "$live_work/$signal.out" | jq .final)" 'the last line is final'
        assert_nothing_attached
    done
}

a_signal_under_full_load_ends_it_in_order() {
    run_skein busy forward left right
    start up ip netns exec "$client" "$skein" tx client0 --duration 2 --json
    local up=$started
    start down ip netns exec "$server" "$skein" tx server0 --duration 2 --json
    local down=$started
    sleep 1
    stop_skein busy
    finish "$up" -
    finish "$down" -
    assert_json '.frames.free == .frames.total and .rx.packets > 1000' "$(total busy .)"
}

# Attached by a link, the program goes with the process; the queue can be had again at once.
kill_9_leaves_nothing() {
    local round
    for round in 1 2 3; do
        run_skein "killed$round" forward left right
        finish "$running" KILL
        assert_nothing_attached
    done
    run_skein after forward left right
    in_client ping -q -c 1 -W 1 10.9.0.2 >/dev/null || fail 'nothing passes after kill -9'
    stop_skein after
}

# What libxdp attached stays on the device: the next start removes it, and that is said.
kill_9_behind_libxdp_is_cleaned_up_by_the_next_start() {
    local process
    run_skein leaver rx left --attach dispatcher
    process=$(ip netns pids "$middle")
    finish "$running" KILL
    assert_equal 1 "$(attached_programs "$middle" left)" 'programs left behind'
    run_skein cleaner rx left
    assert_contains 'removed program' "$(<"$live_work/cleaner.err")"
    assert_contains "left behind by skein process $process" "$(<"$live_work/cleaner.err")"
    stop_skein cleaner
}

a_closed_pipe_ends_it_quietly() {
    local code=0
    timeout 8 ip netns exec "$middle" "$skein" rx left --json 2>"$live_work/pipe.err" | head -n 1 \
        >"$live_work/pipe.out" || code=$?
    assert_equal 0 "$code" "exit status: $(<"$live_work/pipe.err")"
    assert_json '.t == 1' "$(<"$live_work/pipe.out")"
    timeout 8 ip netns exec "$middle" "$skein" rx left 2>"$live_work/pipe.err" | true || code=$?
    assert_equal 0 "$code" 'exit status where nobody reads at all'
    assert_equal '' "$(<"$live_work/pipe.err")" 'standard error'
    assert_nothing_attached
}

ctrl_c_while_it_waits_for_a_queue_leaves_nothing() {
    run_skein holder tx right
    start waiter ip netns exec "$middle" "$skein" forward left right --json
    sleep 0.4
    finish "$started" INT 4
    assert_equal 1 "$status" 'exit status'
    assert_contains 'bind on right queue 0: the queue is in use' "$(<"$live_work/waiter.out")"
    assert_nothing_attached
    stop_skein holder
}

run_cases each_signal_ends_it_in_order a_signal_under_full_load_ends_it_in_order kill_9_leaves_nothing \
    kill_9_behind_libxdp_is_cleaned_up_by_the_next_start a_closed_pipe_ends_it_quietly \
    ctrl_c_while_it_waits_for_a_queue_leaves_nothing
