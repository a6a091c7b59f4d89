#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/exchange.sh, the judge of the other live tests, judged itself over plain kernel paths: it says
# yes to what arrives intact, and no to bytes that were changed, cut off, or hit by a bad checksum.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
require_tools socat openssl nstat

exchange=$repository/tools/exchange.sh

client='' server=''
make_space client
make_space server
join_spaces "$client" client0 "$server" server0
add_address "$client" client0 10.9.0.1/24
add_address "$client" client0 fd09::1/64
add_address "$server" server0 10.9.0.2/24
add_address "$server" server0 fd09::2/64

intact_bytes_are_called_intact() {
    local address result
    for address in 10.9.0.2 fd09::2; do
        result=$("$exchange" --json --bytes 64M "$client" "$server" "$address")
        assert_json '.intact and .bytes == 67108864 and .bits_per_second > 0' "$result"
        assert_json '.checksum_errors == {client: 0, server: 0}' "$result"
        assert_json '.sha256.client_to_server != .sha256.server_to_client' "$result"
    done
}

# A frame to the server's UDP port 9 from nowhere, with a checksum of 1.
bad_udp_frame() {
    local mac
    mac=$(ip -n "$server" -json link show dev server0 | jq -r '.[0].address')
    printf '%s' "${mac//:/}" 020000000001 0800 \
        4500001d00000000401166bc0a0900010a090002 00070009000900016a
}

bad_checksums_are_counted() {
    local result frame
    frame=$(bad_udp_frame)
    start exchange "$exchange" --json --bytes 256M "$client" "$server" 10.9.0.2
    until ended "$started"; do
        send_frame "$client" client0 "$frame"
        sleep 0.02
    done
    finish "$started" -
    result=$(<"$live_work/exchange.out")
    assert_equal 1 "$status" "exit status with checksum errors"
    assert_json '.intact and .checksum_errors.server > 0 and .checksum_errors.client == 0' "$result"
    assert_contains UdpInCsumErrors "$(<"$live_work/exchange.err")"
}

what_is_cut_off_is_not_intact() {
    local result code=0
    result=$("$exchange" --json --bytes 100G --timeout 1 "$client" "$server" 10.9.0.2 2>/dev/null) || code=$?
    assert_equal 1 "$code" "exit status of a timeout"
    assert_json '.intact == false and .milliseconds < 5000' "$result"
}

nobody_to_talk_to_is_not_intact() {
    local code=0
    "$exchange" --timeout 2 "$client" "$server" 10.9.0.77 >/dev/null 2>&1 || code=$?
    assert_equal 1 "$code" "exit status without a server"
    "$exchange" "$client" no-such-namespace 10.9.0.2 2>"$live_work/err" || code=$?
    assert_contains no-such-namespace "$(<"$live_work/err")"
}

# Two relays stand between client and server; on the way back they turn every byte 0 into 1. TCP's
# checksums are all good: only the digest can tell.
changed_bytes_are_not_intact() {
    local result code=0
    local near='' far='' end=''
    make_space near
    make_space far
    make_space end
    join_spaces "$client" client1 "$near" near0
    join_spaces "$far" far0 "$end" end0
    add_address "$client" client1 10.10.0.1/24
    add_address "$near" near0 10.10.0.2/24
    add_address "$far" far0 10.10.0.1/24
    add_address "$end" end0 10.10.0.2/24
    mkfifo "$live_work/back"
    # shellcheck disable=SC2016
    start relay bash -c 'ip netns exec "$1" socat -t 1 - TCP4-LISTEN:7077,bind=10.10.0.2 <"$3" |
        ip netns exec "$2" socat -t 1 - TCP4:10.10.0.2:7077,retry=100,interval=0.1 |
        tr "\000" "\001" >"$3"' relay "$near" "$far" "$live_work/back"
    result=$("$exchange" --json --bytes 1M --timeout 20 "$client" "$end" 10.10.0.2 2>/dev/null) || code=$?
    assert_equal 1 "$code" "exit status with changed bytes"
    assert_json '.intact == false and .checksum_errors == {client: 0, server: 0}' "$result"
}

for case in intact_bytes_are_called_intact bad_checksums_are_counted what_is_cut_off_is_not_intact \
    nobody_to_talk_to_is_not_intact changed_bytes_are_not_intact; do
    say "- ${case//_/ }"
    "$case"
done
