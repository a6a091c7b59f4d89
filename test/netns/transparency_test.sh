#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skein forward changes no byte of any frame: what goes in at one device comes out at the other, in
# order, in native and generic mode, single and in pieces, whatever it is.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
require_tools tshark openssl
make_bench mtu 9000

random_bytes() { [[ $1 -eq 0 ]] || openssl rand -hex "$1"; }

# A frame a line: what a bridge must not look at.
frames() {
    local to=020000000001 from=020000000002 size
    # The shortest there is, and all around the usual, one-chunk and MTU limits.
    for size in 14 15 59 60 61 64 128 1499 1500 1514 1518 3839 3840 3841 7680 7681 9000 9014; do
        echo "$to${from}88b5$(random_bytes $((size - 14)))"
    done
    # Tags in the frame: 802.1Q, QinQ, a priority tag, one on the longest frame, one with nothing behind.
    echo "$to${from}8100a00a0800$(random_bytes 50)"
    echo "$to${from}88a8006481000065$(random_bytes 1400)"
    echo "$to${from}81002000$(random_bytes 60)"
    echo "$to${from}8100006488b5$(random_bytes 9000)"
    echo "$to${from}8100"
    # ARP, broadcast; LLDP and a pause frame, which bridges keep to themselves; IPv6 multicast.
    echo "ffffffffffff${from}08060001080006040001${from}0a0900630000000000000a090062"
    echo "0180c200000e${from}88cc$(random_bytes 46)"
    echo "0180c2000001${from}8808$(random_bytes 46)"
    echo "3333ff000002${from}86dd6000000000203aff$(random_bytes 64)"
    # Broken on purpose: an IPv4 header that is cut, one with wrong lengths and checksums.
    echo "$to${from}0800450000"
    echo "$to${from}08004fff00011234200040110000$(random_bytes 30)"
    # Source and destination alike, and both all zeros.
    echo "$to${to}88b6$(random_bytes 46)"
    echo "00000000000000000000000088b6$(random_bytes 46)"
}

# send_all SPACE DEVICE FILE: every line a frame.
send_all() {
    local frame
    while read -r frame; do send_frame "$1" "$2" "$frame"; done <"$3"
}

# captured FILE: the frames in it that we sent, in hexadecimal, a line each.
captured() {
    tshark -r "$1" -T jsonraw -x 2>/dev/null | jq -r '.[]._source.layers.frame_raw[0]' |
        grep -xFf "$live_work/sent" || true
}

passes_unchanged() {
    local name=$1 from=$2 out_of=$3 to=$4 into=$5
    shift 5
    frames >"$live_work/sent"
    # The judge is a receiver of its own, not the bridge.
    skein_space=$to run_skein "judge-$name" rx "$into" --mode generic --pcap "$live_work/$name.pcapng"
    local judge=$running
    run_skein "$name" forward left right "$@"
    send_all "$from" "$out_of" "$live_work/sent"
    sleep 0.3
    stop_skein "$name"
    finish "$judge" INT
    captured "$live_work/$name.pcapng" >"$live_work/received"
    diff "$live_work/sent" "$live_work/received" >"$live_work/difference" ||
        fail "$name: $(cut -c 1-120 "$live_work/difference")"
    assert_json '.rx.bytes == .tx.bytes and (.tx.drops | length) == 0 and .tx.copied_bytes == 0' "$(total "$name" .)"
}

native_mode_changes_nothing() {
    passes_unchanged native-there "$client" client0 "$server" server0 --mode native
    passes_unchanged native-back "$server" server0 "$client" client0 --mode native
}

generic_mode_changes_nothing() {
    passes_unchanged generic-there "$client" client0 "$server" server0 --mode generic
    passes_unchanged generic-small "$server" server0 "$client" client0 --mode generic --chunk 2048
}

run_cases native_mode_changes_nothing generic_mode_changes_nothing
