#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The samples `drop`, `forward` and `embed`: they do what they say with live traffic, tell bad
# command lines from good ones, and are gone without a trace however they are ended.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/bench.sh"
live_begin "$@"
make_bench
samples=$(dirname "$skein")
for sample in drop forward embed; do [[ -x $samples/$sample ]] || fail "$sample is not built"; done

attached_to() { [[ $(attached_programs "$middle" "$1") -eq 1 ]]; }

# begin SAMPLE ARGUMENT...: in the middle, process id in $running, once `left` has its program.
begin() {
    local sample=$1
    shift
    start "$sample" ip netns exec "$middle" "$samples/$sample" "$@"
    running=$started
    wait_until 5 attached_to left || fail "$sample does not start: $(<"$live_work/$sample.err")"
}

# end SAMPLE [SIGNAL]
end() {
    finish "$running" "${2:-INT}"
    assert_equal 0 "$status" "exit status of $1: $(<"$live_work/$1.err")"
    assert_nothing_attached
}

drop_counts_what_it_drops() {
    begin drop left
    send_packets 2000 --rate 10000
    wait_until 3 grep -q 'packets/s' "$live_work/drop.out" || fail "drop prints no rate"
    end drop
    local counted
    counted=$(awk '/packets in all/ { print $1 }' "$live_work/drop.out")
    [[ $counted -ge 2000 ]] || fail "drop counted $counted of 2000 packets"
}

forward_joins_both_sides() {
    begin forward left right
    wait_until 5 attached_to right || fail "forward does not start: $(<"$live_work/forward.err")"
    in_client ping -q -i 0.01 -c 50 -W 2 10.9.0.2 >"$live_work/ping" || fail "IPv4: $(<"$live_work/ping")"
    in_client ping -q -i 0.01 -c 50 -W 2 fd09::2 >"$live_work/ping" || fail "IPv6: $(<"$live_work/ping")"
    assert_contains ' 0% packet loss' "$(<"$live_work/ping")"
    end forward TERM
    awk -v least=100 '/^(left|right): / { n++; if ($2 < least || $5 < least) exit 1 } END { exit n != 2 }' \
        "$live_work/forward.out" || fail "forward counted: $(<"$live_work/forward.out")"
}

embed_takes_its_port_alone() {
    begin embed left 9
    send_packets 5 --dport 9 --size 100
    send_packets 5 --dport 10 --size 200
    send_packets 1 --dport 9 --size 300
    wait_until 5 grep -q '300 bytes' "$live_work/embed.out" || fail "embed says: $(<"$live_work/embed.out")"
    assert_equal '5 100 bytes 1 300 bytes' "$(uniq -c "$live_work/embed.out" | xargs)"
    # It is ended by the signal itself: the link goes with the process.
    finish "$running" INT
    assert_nothing_attached
}

a_killed_one_leaves_nothing() {
    local sample
    for sample in 'drop left' 'forward left right' 'embed left 9'; do
        # shellcheck disable=SC2086
        begin $sample
        finish "$running" KILL
        assert_nothing_attached
    done
}

a_removed_device_is_named() {
    local sample
    for sample in drop forward own_loop; do
        ip -n "$middle" link add gone0 type veth peer name gone1
        ip -n "$middle" link set gone0 up
        if [[ $sample == forward ]]; then set -- left; else set --; fi
        start "$sample" ip netns exec "$middle" "$samples/$sample" gone0 "$@"
        wait_until 5 grep -q 'gone0 queue 0' "$live_work/$sample.err" || fail "$sample does not start"
        sleep 0.2
        ip -n "$middle" link del gone0
        finish "$started" - 10
        assert_equal 1 "$status" "exit status of $sample without its device"
        assert_contains 'gone0 was removed' "$(<"$live_work/$sample.err")" "$sample"
    done
}

mistakes_are_named() {
    local code sample said
    for sample in drop 'forward left' embed; do
        code=0
        # shellcheck disable=SC2086
        said=$(in_middle "$samples/"$sample 2>&1) || code=$?
        [[ $code -ne 0 ]] || fail "$sample without its arguments ends well"
        assert_contains 'usage: ' "$said" "$sample"
    done
    for sample in 'drop nosuch' 'forward left nosuch' 'embed nosuch 9'; do
        code=0
        # shellcheck disable=SC2086
        said=$(in_middle "$samples/"$sample 2>&1) || code=$?
        assert_equal 1 "$code" "exit status of $sample"
        assert_contains nosuch "$said" "$sample"
        assert_nothing_attached
    done
}

run_cases drop_counts_what_it_drops forward_joins_both_sides embed_takes_its_port_alone \
    a_killed_one_leaves_nothing a_removed_device_is_named mistakes_are_named
