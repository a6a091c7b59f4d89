#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --pcap: what a command handled, readable by capture tools, every packet once and whole.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools tshark ping
make_bench mtu 9000

# fields FILE FILTER FIELD...: a line for each packet.
fields() {
    local file=$1 filter=$2 options=()
    shift 2
    for field in "$@"; do options+=(-e "$field"); done
    tshark -r "$file" -o udp.check_checksum:TRUE -Y "$filter" -T fields "${options[@]}" 2>"$live_work/tshark.err" ||
        fail "tshark: $(<"$live_work/tshark.err")"
    ! grep -q 'cut short\|damaged\|corrupt' "$live_work/tshark.err" || fail "$(<"$live_work/tshark.err")"
}

received_packets_are_all_there() {
    local file=$live_work/rx.pcapng
    run_skein rx rx left --pcap "$file"
    send_packets 1000 --size 200
    send_packets 10 --size 9000
    send_packets 10 --src fd77::1 --dst fd77::2 --size 1500
    sleep 0.2
    stop_skein rx
    assert_equal "$(total rx .rx.packets)" "$(fields "$file" frame frame.number | wc -l)" 'packets in the file'
    assert_equal "$(total rx .rx.bytes)" "$(fields "$file" frame frame.len | awk '{ n += $1 } END { print n }')" 'bytes in the file'
    assert_equal 1000 "$(fields "$file" 'ip.src == 198.18.0.1 && frame.len == 200' frame.number | wc -l)"
    assert_equal 10 "$(fields "$file" 'frame.len == 9000 && frame.cap_len == 9000' frame.number | wc -l)"
    assert_equal 1020 "$(fields "$file" 'udp.checksum.status == 1' frame.number | wc -l)" 'good checksums'
}

both_directions_of_forward_are_there() {
    local file=$live_work/forward.pcapng
    run_skein forward forward left right --pcap "$file"
    in_client ping -q -c 5 -i 0.1 -s 8000 10.9.0.2 >/dev/null || fail 'nothing passes'
    stop_skein forward
    assert_equal "$(total forward .rx.packets)" "$(fields "$file" frame frame.number | wc -l)" 'packets in the file'
    assert_equal 5 "$(fields "$file" 'frame.interface_name == "left" && icmp.type == 8' frame.number | wc -l)"
    assert_equal 5 "$(fields "$file" 'frame.interface_name == "right" && icmp.type == 0' frame.number | wc -l)"
    # By the clock: within the last minute, in order for each interface.
    fields "$file" 'frame.interface_name == "left"' frame.time_epoch | sort -c -n || fail 'not in the order of time'
    local first
    first=$(fields "$file" frame frame.time_epoch | head -1)
    [[ $(($(date +%s) - ${first%.*})) -lt 60 ]] || fail "the clock says $first"
}

sent_packets_are_there() {
    local file=$live_work/tx.pcapng
    send_packets 321 --size 77 --pcap "$file"
    assert_equal 321 "$(fields "$file" 'frame.len == 77' frame.number | wc -l)" 'packets in the file'
}

it_can_be_read_while_it_is_written() {
    local file=$live_work/live.pcapng
    run_skein live rx left --pcap "$file"
    send_packets 50 --size 300
    sleep 1.3
    assert_equal 50 "$(fields "$file" 'frame.len == 300' frame.number | wc -l)" 'packets in the growing file'
    finish "$running" KILL
    assert_equal 50 "$(fields "$file" 'frame.len == 300' frame.number | wc -l)" 'packets after kill -9'
}

a_full_disk_ends_it_with_a_reason() {
    mkdir "$live_work/small"
    mount -t tmpfs -o size=64k skein-test "$live_work/small"
    start full ip netns exec "$middle" "$skein" rx left --pcap "$live_work/small/x.pcapng" --json
    sleep 0.7
    send_packets 2000 --size 1500
    finish "$started" - 5
    assert_equal 1 "$status" 'exit status'
    assert_contains 'ENOSPC' "$(tail -1 "$live_work/full.out" | jq -r .error.what)"
    assert_ledger "$live_work/full.out"
    umount "$live_work/small"
    assert_nothing_attached
}

# A reader that leaves, and one that takes nothing any more: both end the command with a reason, the
# totals and the ledger.
readers_that_fail_end_it_with_a_reason() {
    local behaviour
    for behaviour in 'head -c 20000 >/dev/null' 'sleep 30'; do
        rm -f "$live_work/pipe"
        mkfifo "$live_work/pipe"
        start reader bash -c "exec <'$live_work/pipe'; $behaviour"
        local reader=$started
        run_skein pipe rx left --pcap "$live_work/pipe"
        send_packets 2000 --size 1500
        finish "$running" - 8
        assert_equal 1 "$status" "exit status with a reader that does '$behaviour'"
        assert_json '.error.what | test("EPIPE|ETIMEDOUT")' "$(total pipe .)"
        assert_ledger "$live_work/pipe.out"
        kill "$reader" 2>/dev/null || true
    done
    assert_nothing_attached
}

standard_output_is_for_the_report() {
    refused 2 'both want standard output' 'give --pcap a file name' rx left --pcap -
}

run_cases received_packets_are_all_there both_directions_of_forward_are_there sent_packets_are_there \
    it_can_be_read_while_it_is_written a_full_disk_ends_it_with_a_reason \
    readers_that_fail_end_it_with_a_reason standard_output_is_for_the_report
