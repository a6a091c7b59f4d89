#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command over unaligned frames: bridging in both modes, long packets in pieces, and what is
# refused.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench mtu 9000

passes() { in_client ping -q -c 1 -W 1 10.9.0.2; }

frames_of_any_size_bridge_long_packets() {
    local mode chunk name
    for mode in native generic; do
        for chunk in 3000 3072; do
            name=$mode$chunk
            run_skein "$name" forward left right --mode "$mode" --unaligned --chunk "$chunk"
            wait_until 5 passes || fail "nothing passes: $(<"$live_work/$name.err")"
            # ping compares what comes back with what it sent.
            in_client ping -c 20 -i 0.01 -s 8900 -p 5aa50f 10.9.0.2 >"$live_work/ping" || fail 'packets are lost'
            assert_contains ' 0% packet loss' "$(<"$live_work/ping")" 'ping'
            if grep -q 'wrong data byte' "$live_work/ping"; then fail 'bytes were changed'; fi
            stop_skein "$name"
            assert_json '.tx.copied_bytes == 0 and .rx.packets == .tx.packets' "$(total "$name" .)"
            assert_contains "frames of $chunk bytes" "$(<"$live_work/$name.err")"
        done
    done
}

sizes_that_are_none_are_usage_errors() {
    refused 2 '3000 not in {2048,4096} without --unaligned' 'see skein rx --help' rx left --chunk 3000
    refused 2 '1024 not in [2048,4096]' 'see skein rx --help' rx left --chunk 1024 --unaligned
    refused 1 'zero-copy and unaligned chunks do not go together' 'aligned chunks' \
        rx left --chunk 3000 --unaligned --zc
}

run_cases frames_of_any_size_bridge_long_packets sizes_that_are_none_are_usage_errors
