#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skein bench io: measures in a lab of its own, beside a peer, and leaves nothing behind, however it ends.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools taskset

namespaces() { ip netns list | wc -l; }
none_left() { ! pgrep -f 'skein (rx left|tx client0 --size 77)' >/dev/null; }

each_job_moves_packets() {
    "$skein" bench io --mode native --size 64 --rounds 1 --seconds 1 --json >"$live_work/out" 2>"$live_work/err" ||
        fail "$(<"$live_work/out")"
    jq -e '[.cases[].job] == ["rx", "tx", "forward"] and .peer == null and
        all(.cases[]; .skein.packets_per_second.median > 1000 and (has("peer") | not))' "$live_work/out" >/dev/null ||
        fail "$(<"$live_work/out")"
    assert_equal 0 "$(namespaces)" 'namespaces seen by others'
}

# The command itself in the role of the peer: a script that speaks as xdpsock does.
a_peer_runs_beside_it() {
    cat >"$live_work/peer" <<END
#!/bin/sh
# -r -i left -q 0 ...
[ "\$1 \$2 \$3" = "-r -i left" ] || exit 9
"$skein" rx left --json >"$live_work/peer.out" 2>/dev/null &
trap 'kill -INT \$!; wait \$!' INT
wait
printf '%-18s %-14s %-14s\n' rx 0 "\$(tail -n 1 "$live_work/peer.out" | jq .rx.packets)"
END
    chmod +x "$live_work/peer"
    "$skein" bench io --job rx --mode native --size 64 --rounds 2 --seconds 1 --json --peer "xdpsock=$live_work/peer" \
        >"$live_work/out" 2>"$live_work/err" || fail "$(<"$live_work/out")"
    jq -e '.peer == "xdpsock" and (.cases[0].peer.runs | length) == 2 and .cases[0].peer.packets_per_second.lower > 1000 and
        .cases[0].ratio_permille.median > 0' "$live_work/out" >/dev/null || fail "$(<"$live_work/out")"
}

a_peer_that_fails_is_named() {
    local said code=0
    said=$("$skein" bench io --job rx --rounds 1 --seconds 1 --peer xdpsock=/bin/false --json 2>/dev/null) || code=$?
    assert_equal 1 "$code" 'exit status'
    jq -e '(.error.what | contains("/bin/false -r -i left") and contains("ended at once")) and .error.remedy != ""' \
        <<<"$said" >/dev/null || fail "$said"
    code=0
    said=$("$skein" bench io --peer testpmd=/bin/true 2>&1) || code=$?
    assert_equal 2 "$code" 'exit status'
    assert_contains 'known is xdpsock=PATH' "$said"
}

stopped_or_killed_it_leaves_nothing() {
    local signal
    for signal in INT TERM KILL; do
        start "$signal" "$skein" bench io --job rx --mode native --size 77 --rounds 9 --seconds 1 --json
        local running=$started
        wait_until 10 eval '! none_left' || fail 'it starts nothing'
        sleep 0.7
        finish "$running" "$signal" 5
        [[ $signal == KILL ]] || assert_contains "stopped by SIG$signal" "$(<"$live_work/$signal.out")"
        assert_equal 0 "$(namespaces)" "namespaces after SIG$signal"
        wait_until 3 none_left || fail "a process stays after SIG$signal"
    done
}

run_cases each_job_moves_packets a_peer_runs_beside_it a_peer_that_fails_is_named stopped_or_killed_it_leaves_nothing
