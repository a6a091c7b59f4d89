#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every real capture in $SKEIN_CASES/pcaps goes through skein replay and comes out with the same
# packets, as pcap and as pcapng, with balanced counters, twice the same.
#
# usage: cases.sh SKEIN CAPTURE_LIST
# Exit status 77 (skipped) without SKEIN_CASES; with SKEIN_REQUIRE_NETNS=1 that is a failure.
set -u
skein=$1
list=$2

if [ -z "${SKEIN_CASES:-}" ]; then
    echo "SKEIN_CASES is not set"
    [ "${SKEIN_REQUIRE_NETNS:-0}" = 1 ] && exit 1
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
count=0

fail() {
    echo "FAILED $1: $2"
    failures=$((failures + 1))
}

# shellcheck disable=SC2016  # $truncated is jq's
balanced='.input.packets == .output.packets and .input.bytes == .output.bytes
    and .tx.scatter == .output.packets and .frames.lost == 0 and .frames.free == .frames.total
    and .frames.written_off == 0 and .input.truncated == $truncated and .output.snapped == 0'

# The captures that end inside a record.
truncated_captures=' suricata-verify__pgsql_pgsql-5000-query-results_input.pcap '

check_output() { # NAME IN OUT
    local before=$scratch/before after=$scratch/after
    "$list" "$2" > "$before" || { fail "$1" "the input cannot be listed"; return; }
    "$list" "$3" > "$after" || { fail "$1" "the output cannot be listed"; return; }
    cmp -s "$before" "$after" || fail "$1" "packets differ"
}

for capture in "$SKEIN_CASES"/pcaps/*.pcap "$SKEIN_CASES"/pcaps/*.pcapng; do
    name=${capture##*/}
    count=$((count + 1))
    [[ $truncated_captures == *" $name "* ]] && truncated=true || truncated=false
    for out in "$scratch/out.pcap" "$scratch/out.pcapng"; do
        if ! "$skein" replay "$capture" -o "$out" --json > "$scratch/report" 2> "$scratch/log"; then
            fail "$name" "$(cat "$scratch/report")"
            continue
        fi
        jq -e --argjson truncated "$truncated" "$balanced" "$scratch/report" > /dev/null ||
            fail "$name" "$(cat "$scratch/report")"
        check_output "$name" "$capture" "$out"
    done
    cp "$scratch/report" "$scratch/report.first"
    cp "$scratch/out.pcapng" "$scratch/first.pcapng"
    "$skein" replay "$capture" -o "$scratch/out.pcapng" --json > "$scratch/report" 2> "$scratch/log"
    cmp -s "$scratch/report" "$scratch/report.first" || fail "$name" "reports of two runs differ"
    cmp -s "$scratch/out.pcapng" "$scratch/first.pcapng" || fail "$name" "two runs differ"
    rm -f "$scratch"/out.*
done

echo "$count captures, $failures failures"
[ "$count" -ge 140 ] || { echo "too few captures in $SKEIN_CASES/pcaps"; exit 1; }
[ "$failures" = 0 ]
