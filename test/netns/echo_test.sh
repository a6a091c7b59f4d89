#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sample `echo` and the kernel's own clients: ARP, neighbour discovery, ping, UDP, over IPv4 and
# IPv6, in both XDP modes, with the client's checksum offload off and on. What it must not answer it
# does not, and it leaves nothing behind.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
require_tools ping socat
echo_program=$(dirname "$skein")/echo
[[ -x $echo_program ]] || skip "$echo_program is not built (no Boost)"

client='' host=''
make_space client
make_space host
# The host's own kernel says nothing: what veth0 sends is the sample's.
ip netns exec "$host" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
join_spaces "$client" client0 "$host" veth0
add_address "$client" client0 10.9.0.1/24
add_address "$client" client0 fd09::1/64
# No questions but those that a test brings about.
ip netns exec "$client" sysctl -qw net.ipv4.neigh.client0.delay_first_probe_time=3600 \
    net.ipv6.neigh.client0.delay_first_probe_time=3600 net.ipv6.conf.client0.router_solicitations=0
wait_until 5 ip netns exec "$client" ping -c 1 -W 1 fd09::1 || fail "the client's address is not ready"

in_client() { ip netns exec "$client" "$@"; }

attached() { [[ $(attached_programs "$host" veth0) -eq 1 ]]; }
run_echo() {
    start echo ip netns exec "$host" "$echo_program" veth0 --address 10.9.0.7 --address fd09::7 "$@"
    running=$started
    wait_until 10 attached || fail "echo does not start: $(<"$live_work/echo.err")"
}
stop_echo() {
    finish "$running" "${1:-INT}"
    assert_equal 0 "$status" "exit status of echo: $(<"$live_work/echo.err")"
    assert_contains "nothing under way" "$(<"$live_work/echo.out")" "echo's report"
    wait_until 2 detached || fail "the program of echo stays"
}
detached() { [[ $(attached_programs "$host" veth0) -eq 0 ]]; }

forget_neighbours() { ip -n "$client" neigh flush dev client0; }

# question PORT TEXT ADDRESS: what comes back of it, or nothing within a second.
question() { printf '%s' "$2" | in_client socat -T 1 -t 1 - "UDP:$3:$1" 2>/dev/null || true; }

# Whole exchanges, each beginning with the question who has the address.
clients_are_answered() {
    local address text
    text=$(head -c 900 /dev/urandom | base64 -w 0 | head -c 1200)
    forget_neighbours
    in_client ping -c 3 -i 0.2 -W 2 10.9.0.7 >/dev/null || fail "ping"
    in_client ping -c 3 -i 0.2 -W 2 -s 1400 10.9.0.7 >/dev/null || fail "ping of 1400 bytes"
    in_client ping -c 3 -i 0.2 -W 2 fd09::7 >/dev/null || fail "ping over IPv6"
    in_client ping -c 3 -i 0.2 -W 2 -s 1401 fd09::7 >/dev/null || fail "ping of 1401 bytes over IPv6"
    for address in 10.9.0.7 '[fd09::7]'; do
        assert_equal odd "$(question 7 odd "$address")" "an odd number of bytes from $address"
        assert_equal "$text" "$(question 7 "$text" "$address")" "1200 bytes from $address"
    done
}

# A question as a name server gets it: the bytes come back.
a_dns_query_comes_back() {
    local query='\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03com\x00\x00\x01\x00\x01' back
    back=$(printf '%b' "$query" | in_client socat -T 1 -t 1 - UDP:10.9.0.7:7 | od -An -tx1 | tr -d ' \n')
    assert_equal "$(printf '%b' "$query" | od -An -tx1 | tr -d ' \n')" "$back" "a query"
}

# Other ports, other hosts, datagrams in fragments: silence, and the next question is answered.
what_is_not_for_it_gets_no_answer() {
    local long
    long=$(head -c 3000 /dev/zero | tr '\0' x)
    assert_equal '' "$(question 8 hello 10.9.0.7)" "another port"
    assert_equal '' "$(question 7 "$long" 10.9.0.7)" "a datagram in fragments"
    assert_equal '' "$(question 7 "$long" '[fd09::7]')" "a datagram in fragments over IPv6"
    if in_client ping -c 1 -W 1 10.9.0.8 >/dev/null; then fail "an address that is nobody's answers"; fi
    if in_client ping -c 1 -W 1 -R 10.9.0.7 >/dev/null; then fail "options are answered"; fi
    assert_equal again "$(question 7 again 10.9.0.7)" "after all that"
}

# Frames that are wrong in one place each, all to the right MAC and address, and a good one behind.
bad_packets_get_no_answer() {
    local mac addresses=0a0900010a090007 before rest
    mac=$(ip -n "$host" -json link show veth0 | jq -r '.[0].address' | tr -d :)
    before=$(sent_by_echo)
    for rest in \
        "450000200000400040110000${addresses}c3500007000c00000a0a0a0a" \
        "4500002000004000401126b4${addresses}c3500007000cbad10a0a0a0a" \
        "4500002000004000401126b4${addresses}c350000700ff00000a0a0a0a" \
        "4500002000004000401126b4${addresses}c3500007000400000a0a0a0a" \
        "4500002000004000401126b4${addresses}00070007000c00000a0a0a0a" \
        "4500ffff00004000401126d4${addresses}c3500007000c00000a0a0a0a" \
        "4f00002000004000401126b4${addresses}c3500007000c00000a0a0a0a" \
        "4500001400004000401126c0$addresses" 45 ''; do
        send_frame "$client" client0 "${mac}0200000000010800$rest"
    done
    send_frame "$client" client0 "${mac}02000000000108004500002000004000401126b4${addresses}c3500007000c00000a0a0a0a"
    wait_until 5 has_sent $((before + 1)) || fail "the good packet is not answered"
    assert_equal $((before + 1)) "$(sent_by_echo)" "frames sent: bad packets were answered"
}

# checksum HEX: the Internet checksum of an even number of bytes.
checksum() {
    local sum=0 at
    for ((at = 0; at < ${#1}; at += 4)); do sum=$((sum + 16#${1:at:4})); done
    while ((sum > 65535)); do sum=$(((sum & 65535) + (sum >> 16))); done
    printf '%04x' $((65535 - sum))
}

# udp_from ADDRESS [SOURCE_PORT]: an IPv4 packet to the host's port 7, with eight digits of address.
udp_from() {
    local front=45000020000040004011 back=${1}0a090007
    echo "$front$(checksum "${front}0000$back")$back${2:-c350}0007000c000061626364"
}

# solicit SOURCE DESTINATION MESSAGE: an ICMPv6 message in IPv6, whose checksum is filled in.
solicit() {
    local length
    length=$(printf '%04x' $((${#3} / 2)))
    echo "60000000${length}3aff$1$2${3:0:4}$(checksum "${3:0:4}0000${3:8}$1${2}0000${length}0000003a")${3:8}"
}

# Questions that nobody can have sent, or whose answer would go to many or begin a talk without end.
forged_questions_get_no_answer() {
    local mac before source rest here=fd090000000000000000000000000007 none=00000000000000000000000000000000
    local group=ff0200000000000000000001ff000007 peer=fd090000000000000000000000000001
    mac=$(ip -n "$host" -json link show veth0 | jq -r '.[0].address' | tr -d :)
    before=$(sent_by_echo)
    for source in 0a090007 7f000001 00010203 f0000001 ffffffff e0000001 00000000; do
        send_frame "$client" client0 "${mac}0200000000010800$(udp_from $source)"
    done
    for source in ffffffffffff 01005e000001 "$mac"; do
        send_frame "$client" client0 "$mac${source}0800$(udp_from 0a090001)"
        send_frame "$client" client0 "ffffffffffff${source}08060001080006040001${source}0a0900010000000000000a090007"
    done
    send_frame "$client" client0 "ffffffffffff020000000001080600010800060400010200000000010a0900070000000000000a090007"
    send_frame "$client" client0 "${mac}0200000000010800$(udp_from 0a090001 0013)"
    for rest in \
        "$(solicit $peer $here 8700000000000000)$here" \
        "$(solicit $peer $here "8700000000000000${here}0100020000000001")" \
        "$(solicit $none $here "8700000000000000$here")" \
        "$(solicit $none $group "8700000000000000${here}0101020000000001")" \
        "$(solicit $group $group "8700000000000000$here")"; do
        send_frame "$client" client0 "${mac}02000000000186dd$rest"
    done
    send_frame "$client" client0 "${mac}02000000000186dd$(solicit $peer $group "8700000000000000${here}0101020000000001")"
    wait_until 5 has_sent $((before + 1)) || fail "the good solicitation is not answered"
    assert_equal $((before + 1)) "$(sent_by_echo)" "frames sent: forged questions were answered"
}

# It is never idle then: between two operations nothing pends that could be cancelled.
a_signal_ends_it_under_load() {
    local mac flood
    mac=$(ip -n "$host" -json link show veth0 | jq -r '.[0].address')
    start flood ip netns exec "$client" "$skein" tx client0 --duration 4 --json --dst-mac "$mac" \
        --src 10.9.0.1 --dst 10.9.0.7 --sport 5000 --dport 7
    flood=$started
    run_echo "$@"
    wait_until 5 has_sent $(($(sent_by_echo) + 1000)) || fail "echo does not answer"
    if [[ $# -eq 0 ]]; then stop_echo TERM; else stop_echo -; fi
    finish "$flood" - 10
}
has_sent() { [[ $(sent_by_echo) -ge $1 ]]; }
sent_by_echo() { ip netns exec "$host" cat /sys/class/net/veth0/statistics/tx_packets; }

# A second host that looks for the address finds it taken (RFC 5227, RFC 4862).
duplicates_are_noticed() {
    ip -n "$client" address add fd09::7/64 dev client0
    wait_until 5 duplicate_found || fail "duplicate address detection did not find fd09::7"
    ip -n "$client" address del fd09::7/64 dev client0
}
duplicate_found() { ip -n "$client" -6 address show dev client0 | grep 'fd09::7' | grep -q dadfailed; }

for mode in native generic; do
    for offload in off on; do
        say "- $mode mode, the client's checksum offload $offload"
        in_client ethtool -K client0 tx "$offload" >/dev/null 2>&1
        run_echo --mode "$mode"
        clients_are_answered
        a_dns_query_comes_back
        what_is_not_for_it_gets_no_answer
        bad_packets_get_no_answer
        forged_questions_get_no_answer
        stop_echo "$([[ $offload == on ]] && echo TERM || echo INT)"
    done
done

say "- duplicates are noticed"
run_echo
duplicates_are_noticed
stop_echo

say "- it ends by itself after a time, or after so many answers"
run_echo --duration 1
stop_echo -
run_echo --count 3
in_client ping -c 5 -i 0.2 -W 1 10.9.0.7 >/dev/null || true
stop_echo -

say "- it ends under load, by a signal and by itself"
a_signal_ends_it_under_load
a_signal_ends_it_under_load --duration 1

say "- a device that is removed is named"
ip -n "$host" link add gone0 type veth peer name gone1
ip -n "$host" link set gone0 up
start echo ip netns exec "$host" "$echo_program" gone0 --address 10.9.0.7
wait_until 10 grep -q 'gone0 queue 0' "$live_work/echo.err" || fail "echo does not start"
ip -n "$host" link del gone0
finish "$started" - 10
assert_equal 1 "$status" "exit status without a device"
assert_contains 'gone0: ' "$(tail -n 1 "$live_work/echo.err")"

say "- an answer needs an address, and a device"
for wrong in "veth0" "veth0 --address nowhere" "nothing0 --address 10.9.0.7" "veth0 --address 10.9.0.7 --port 70000"; do
    code=0
    # shellcheck disable=SC2086
    ip netns exec "$host" "$echo_program" $wrong >/dev/null 2>"$live_work/wrong" || code=$?
    assert_equal 2 "$code" "exit status of echo $wrong"
    [[ -s $live_work/wrong ]] || fail "echo $wrong says nothing"
done
