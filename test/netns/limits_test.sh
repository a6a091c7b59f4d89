#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --count, --duration and --rate mean what they say: to the packet, to the second, and on average.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench numtxqueues 2 numrxqueues 2

count_is_exact_for_rx() {
    local queue
    for queue in 0 all; do
        run_skein rx rx left --count 100 --queue "$queue"
        send_packets 1000 --queue 0
        finish "$running" - 5
        assert_equal 0 "$status" 'exit status'
        assert_equal 100 "$(total rx .rx.packets)" 'packets received'
        assert_ledger "$live_work/rx.out"
    done
}

count_is_exact_for_tx() {
    send_packets 1
    assert_equal 1 "$(total sent .tx.packets)" 'packets sent'
    # Over several queues it is the sum; 12345 fills no burst.
    run_skein rx rx left --queue all
    send_packets 12345 --queue all --rate 30000 --size 333
    assert_equal 12345 "$(total sent .tx.packets)" 'packets sent'
    assert_equal 12345 "$(total sent '[.ports[].tx.packets] | add')" 'packets sent by both ports'
    sleep 0.3
    stop_skein rx
    assert_json '.rx.packets + (.rx.drops.rx_dropped // 0) + (.rx.drops.rx_ring_full // 0) >= 12345' "$(total rx .)"
}

count_is_exact_for_forward() {
    run_skein forward forward left right --count 777 --queue all
    start back timeout 10 ip netns exec "$server" "$skein" tx server0 --count 2000 --queue 1 --json
    send_packets 2000
    finish "$running" - 5
    assert_equal 0 "$status" 'exit status'
    assert_json '.rx.packets == 777 and .tx.packets == 777' "$(total forward .)"
    finish "$started" -
}

duration_is_exact() {
    local begin end seconds
    for seconds in 1 3; do
        begin=$(date +%s%N)
        in_middle "$skein" rx left --duration "$seconds" --queue 0 --json >"$live_work/rx.out" 2>/dev/null
        end=$(date +%s%N)
        local took=$(((end - begin) / 1000000))
        [[ $took -ge $((seconds * 1000)) && $took -lt $((seconds * 1000 + 900)) ]] ||
            fail "--duration $seconds took $took ms"
        assert_equal "$seconds" "$(total rx .t)" 'the closing time'
        # A line for each second, and the closing one.
        assert_equal $((seconds + 1)) "$(wc -l <"$live_work/rx.out")" 'lines'
    done
}

# A burst of more than 51 ms would overrun the 256 entries of the receiver.
rate_without_bursts() {
    run_skein rx rx left --queue 0 --ring 256 --frames 512
    in_client "$skein" tx client0 --rate 5000 --duration 2 --size 500 --json >"$live_work/sent.out" 2>/dev/null
    assert_json '.tx.packets >= 9800 and .tx.packets <= 10200' "$(total sent .)"
    stop_skein rx
    jq -e '(.rx.drops | length) == 0' <<<"$(total rx .)" >/dev/null
}

# On a machine that is busy otherwise a receiver may sleep that long by chance, but not every time.
rate_is_kept_on_average_and_without_bursts() {
    rate_without_bursts || rate_without_bursts || rate_without_bursts || fail "bursts: $(total rx .rx)"
}

run_cases count_is_exact_for_rx count_is_exact_for_tx count_is_exact_for_forward duration_is_exact \
    rate_is_kept_on_average_and_without_bursts
