#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sample `xdpsock`: the usual command lines run as they are, what it sends is what its options
# say byte for byte, what it counts is what went by, and it leaves nothing behind.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
require_tools tshark

here='' there=''
make_space here
make_space there
join_spaces "$here" veth0 "$there" far
for space in "$here" "$there"; do
    ip netns exec "$space" sh -c 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6'
done
xdpsock=$(dirname "$skein")/xdpsock
[[ -x $xdpsock ]] || fail "$xdpsock is not built"
export LC_ALL=C

in_here() { ip netns exec "$here" "$@"; }
in_there() { ip netns exec "$there" "$@"; }
attached() { [[ $(attached_programs "$here" veth0) -eq 1 ]]; }
detached() { [[ $(attached_programs "$here" veth0) -eq 0 ]]; }

# run ARGUMENT...: to its end, which must be a good one; the last table is in $said.
run() {
    local code=0
    in_here timeout 20 "$xdpsock" "$@" >"$live_work/run.out" 2>"$live_work/run.err" || code=$?
    assert_equal 0 "$code" "exit status of xdpsock $*: $(<"$live_work/run.err")"
    said=$(<"$live_work/run.out")
    detached || fail "xdpsock $* leaves its program behind"
}

# begin ARGUMENT...: in the background, process id in $running, once its program is attached.
begin() {
    start xdpsock ip netns exec "$here" "$xdpsock" "$@"
    running=$started
    wait_until 5 attached || fail "xdpsock $* does not start: $(<"$live_work/xdpsock.err")"
}

# end: by Ctrl-C or another signal.
end() {
    finish "$running" "${1:-INT}"
    assert_equal 0 "$status" "exit status of xdpsock: $(<"$live_work/xdpsock.err")"
    said=$(<"$live_work/xdpsock.out")
    wait_until 2 detached || fail "xdpsock leaves its program behind"
}

# count ROW [COLUMN]: of the last such row; column 2 is the total.
count() {
    awk -v row="$1" -v column="${2:-2}" '$0 ~ "^" row " +[0-9]" {
        split(substr($0, length(row) + 1), columns)
        n = columns[column]
    } END { print n + 0 }' <<<"$said"
}

# refused STATUS TEXT ARGUMENT...
refused() {
    local wanted=$1 text=$2 code=0 error
    shift 2
    error=$(in_here timeout 10 "$xdpsock" "$@" 2>&1 >/dev/null) || code=$?
    assert_equal "$wanted" "$code" "exit status of xdpsock $*: $error"
    assert_contains "$text" "$error" "xdpsock $*"
    detached || fail "xdpsock $* leaves its program behind"
}

capturing() { grep -q 'Capture started' "$live_work/capture.err"; }

# sent COUNT ARGUMENT...: what arrives at the far side of xdpsock -t -C COUNT ..., in $live_work/sent.pcapng.
sent() {
    local packets=$1 capture
    shift
    start capture ip netns exec "$there" tshark -q -i far -f 'udp port 4096 or vlan' \
        -c "$packets" -a duration:15 -w "$live_work/sent.pcapng"
    capture=$started
    wait_until 10 capturing || fail "no capture: $(<"$live_work/capture.err")"
    run -t -i veth0 -C "$packets" "$@"
    assert_equal "$packets" "$(count tx)" "packets counted by xdpsock -t -C $packets $*"
    finish "$capture" - 20
}

# all_are COUNT FILTER: so many packets of the capture are like this.
all_are() {
    local found
    found=$(tshark -r "$live_work/sent.pcapng" -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE \
        -Y "$2" 2>/dev/null | wc -l)
    assert_equal "$1" "$found" "packets with $2"
}
good='ip.checksum.status == 1 && udp.checksum.status == 1 && ip.src == 10.10.10.16 && ip.dst == 10.10.10.32'

usual_command_lines_run() {
    run -i veth0 -q 0 -r -N -d 1
    assert_contains 'sock0@veth0:0 rxdrop xdp-drv' "$said"
    assert_contains 'pps            pkts' "$said"
    run -i veth0 -r -S -d 1
    assert_contains 'sock0@veth0:0 rxdrop xdp-skb' "$said"
    run --rxdrop --interface=veth0 --queue=0 --copy --poll -d 1
    assert_contains 'rxdrop xdp-drv poll()' "$said"
    run -li veth0 -Scm -d1 -b 128
    assert_contains 'sock0@veth0:0 l2fwd xdp-skb' "$said"
    run --l2fwd --interface veth0 --no-need-wakeup --frame-size=2048 --duration 1 -n 1 -B
    run -i veth0 -t -d 1 -b 16 -p
    assert_contains 'sock0@veth0:0 txonly' "$said"
    [[ $(count tx) -gt 1000 ]] || fail "a second of -t sends $(count tx) packets"
    run --txonly -i veth0 -N --tx-pkt-count=1000 --tx-pkt-size=64 --retries=1
    assert_equal 1000 "$(count tx)" "packets of --tx-pkt-count=1000"
    run -i veth0 -r -M -d 1
    run -i veth0 -r -Q -d 1 -w REALTIME -W OTHER
    assert_equal 1 "$(grep -c 'sock0@' <<<"$said")" "tables of -Q: the closing one"
}

what_is_sent_is_what_was_asked_for() {
    sent 20 -s 64
    all_are 20 "$good && frame.len == 60 && eth.dst == 3c:fd:fe:9e:7f:71 && eth.src == ec:b1:d7:98:3a:c0"
    all_are 20 'udp.srcport == 4096 && udp.dstport == 4096 && data.data[0:18] == 12:34:56:78:12:34:56:78:12:34:56:78:12:34:56:78:12:34'
    sent 20 -s 1518 -P 0xa1b2c3d4 -G 2:0:0:0:0:b -H 02:00:00:00:00:0a
    all_are 20 "$good && frame.len == 1514 && eth.dst == 02:00:00:00:00:0b && eth.src == 02:00:00:00:00:0a"
    all_are 20 'data.data[0:5] == a1:b2:c3:d4:a1'
    # Only counting whole packets tells that no more were sent than asked for, in whatever batch.
    sent 77 -b 7 -s 65
    all_are 77 "$good && frame.len == 61"
}

tags_are_put_in_front() {
    sent 10 -V -J 5 -K 3 -s 100
    all_are 10 "$good && frame.len == 96 && vlan.id == 5 && vlan.priority == 3"
    sent 10 --tx-vlan
    all_are 10 "$good && frame.len == 60 && vlan.id == 1 && vlan.priority == 0"
}

stamps_count_and_tell_the_time() {
    local before
    before=$(date +%s)
    sent 10 -y -w REALTIME -s 64
    all_are 10 "$good && frame.len == 60 && pktgen.magic == 0xbe9be955 && data.data == 12:34"
    local expected=0 number second
    while read -r number second; do
        assert_equal "$expected" "$number" "number of the stamp"
        [[ $second -ge $before && $second -le $(date +%s) ]] ||
            fail "the stamp's second $second is not between $before and now"
        expected=$((expected + 1))
    done < <(tshark -r "$live_work/sent.pcapng" -T fields -e pktgen.seqnum -e pktgen.tvsec 2>/dev/null)
    assert_equal 10 "$expected" "stamps"
    # A stamp takes 16 bytes: behind a tag a packet of 60 is too short for it.
    sent 10 -y -V
    all_are 10 "$good && frame.len == 62"
}

packets_of_several_frames_are_sent_whole() {
    ip -n "$here" link set veth0 mtu 9000
    ip -n "$there" link set far mtu 9000
    sent 10 -s 5000 -f 2048
    all_are 10 "$good && frame.len == 4996"
    sent 10 -F -s 9014
    assert_contains 'frags' "$said" "columns of -F"
    assert_equal 30 "$(count tx 4)" "frames of 10 packets of 9010 bytes"
    all_are 10 "$good && frame.len == 9010"
    refused 1 'give -F' -r -i veth0
    ip -n "$here" link set veth0 mtu 1500
    ip -n "$there" link set far mtu 1500
}

a_cycle_sends_a_batch_each_time() {
    run -t -i veth0 -T 2000 -b 4 -C 400 -a
    assert_equal 400 "$(count tx)"
    assert_contains 'Cyclic TX          2000000' "$said"
    assert_equal 100 "$(count 'Cyclic TX' 5)" "cycles for 400 packets in batches of 4"
    local calls
    calls=$(count 'tx wakeup sendtos')
    # One each, and some more where the kernel says `again`.
    [[ $calls -ge 100 && $calls -le 120 ]] || fail "$calls calls for 100 cycles"
}

received_packets_are_counted() {
    begin -i veth0 -r -x -a
    in_there "$skein" tx far --count 500 --rate 5000 --json >/dev/null 2>&1
    sleep 0.3
    end
    [[ $(count rx) -ge 500 ]] || fail "$(count rx) of 500 packets counted: $said"
    assert_equal 0 "$(count 'rx dropped')"
    for row in 'rx invalid' 'tx invalid' 'rx queue full' 'fill ring empty' 'tx ring empty' \
        'rx empty polls' 'fill fail polls' 'copy tx sendtos' 'tx wakeup sendtos' 'opt polls'; do
        assert_contains "$row" "$said" "rows of -x and -a"
    done
}

forwarding_exchanges_addresses() {
    start capture ip netns exec "$there" tshark -q -i far -f 'ether src 02:00:00:00:00:0b' \
        -c 300 -a duration:10 -w "$live_work/sent.pcapng"
    local capture=$started
    wait_until 10 capturing || fail "no capture: $(<"$live_work/capture.err")"
    begin -l -i veth0
    in_there "$skein" tx far --count 300 --rate 5000 --json \
        --src-mac 02:00:00:00:00:0a --dst-mac 02:00:00:00:00:0b >/dev/null 2>&1
    finish "$capture" - 15
    end TERM
    all_are 300 'eth.dst == 02:00:00:00:00:0a'
    [[ $(count rx) -ge 300 && $(count tx) -ge 300 ]] || fail "not all is counted: $said"
}

unaligned_frames_carry_packets_as_others_do() {
    sent 20 -u -f 3000 -s 64
    all_are 20 "$good && frame.len == 60"
    begin -i veth0 -r -u -f 3000
    assert_contains 'frames of 3000 bytes' "$(<"$live_work/xdpsock.err")"
    in_there "$skein" tx far --count 200 --rate 5000 --size 1500 --json >/dev/null 2>&1
    sleep 0.3
    end
    [[ $(count rx) -ge 200 ]] || fail "$(count rx) of 200 packets counted: $said"
    begin -i veth0 -l --unaligned -x
    in_there "$skein" tx far --count 200 --rate 5000 --json >/dev/null 2>&1
    sleep 0.3
    end
    [[ $(count tx) -ge 200 ]] || fail "$(count tx) of 200 packets sent back: $said"
    assert_equal 0 "$(count 'tx invalid')"
    refused 2 '-u and -z exclude each other' -i veth0 -u -z
}

rights_are_given_up() {
    begin -i veth0 -r -R
    sleep 0.3
    assert_equal 0000000000002000 "$(awk '/CapEff/ { print $2 }' "/proc/$running/status")" "capabilities"
    in_there "$skein" tx far --count 100 --rate 5000 --json >/dev/null 2>&1
    sleep 0.3
    end
    [[ $(count rx) -ge 100 ]] || fail "without rights $(count rx) of 100 packets are received"
}

nothing_stays_however_it_ends() {
    local signal
    for signal in INT TERM HUP; do
        begin -i veth0 -l
        end "$signal"
    done
    begin -i veth0 -r
    finish "$running" KILL
    wait_until 2 detached || fail "a killed xdpsock leaves its program behind"
}

mistakes_are_named() {
    refused 1 'leave out -z' -l -i veth0 -z
    assert_contains 'EOPNOTSUPP' "$(in_here "$xdpsock" -i veth0 -z 2>&1 || true)"
    refused 1 nosuch -i nosuch
    refused 2 'name it with -i' -r
    refused 2 '-s 63: give a number from 64 to 9728' -t -i veth0 -s 63
    refused 2 'a power of two' -i veth0 -f 3000
    refused 2 '-z and -c exclude each other' -i veth0 -zc
    refused 2 '-M and -R exclude each other' -i veth0 -MR
    refused 2 '-p and -T exclude each other' -i veth0 -t -p -T 5
    refused 2 '-w SUNDIAL' -i veth0 -w SUNDIAL
    refused 2 '-G 1:2:3' -t -i veth0 -G 1:2:3
    refused 2 '-I nothing-like-it' -i veth0 -I nothing-like-it
    refused 2 "what is 'veth0'" -r veth0
    refused 2 '--help lists the options' --no-such-option
    in_here "$xdpsock" --help | grep -q -- '-s, --tx-pkt-size=BYTES' || fail "no help"
}

for case in usual_command_lines_run what_is_sent_is_what_was_asked_for tags_are_put_in_front \
    stamps_count_and_tell_the_time packets_of_several_frames_are_sent_whole a_cycle_sends_a_batch_each_time \
    received_packets_are_counted forwarding_exchanges_addresses unaligned_frames_carry_packets_as_others_do \
    rights_are_given_up \
    nothing_stays_however_it_ends mistakes_are_named; do
    say "- ${case//_/ }"
    "$case"
done
