#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skein forward beside xdpsock's l2fwd: packets a second through one queue of a veth device.
#
#   PEER=path/to/xdpsock test/bench/forward_peer.sh [ROUNDS] [SECONDS]
#
# Each round runs both, in alternating order, on CPU 1, while one `skein tx` sends from CPU 0; what
# is counted is what leaves the far end (rx_packets of the receiving device). Both move a frame from
# an RX ring to a TX ring: skein to the other device, xdpsock back to the same one. Neither MAC is the
# receiver's own, so its stack drops both alike, at once. For each mode and
# size: the median rate of both and the ratio's quartiles. Where the peer exits because it may not
# raise RLIMIT_MEMLOCK, it has to be built with that failure ignored.
set -euo pipefail
source "$(dirname "$0")/../netns/lib.sh"
live_begin "$@"
require_tools taskset awk
peer=$(realpath "${PEER:?set PEER to the xdpsock binary}")
rounds=${1:-11} seconds=${2:-3}
wait_how=${WAIT:-spin}

client='' middle='' server=''
make_space client
make_space middle
make_space server
for space in "$client" "$middle" "$server"; do
    ip netns exec "$space" sysctl -qw net.ipv6.conf.default.disable_ipv6=1
done
join_spaces "$client" client0 "$middle" left
join_spaces "$middle" right "$server" server0

received() { ip netns exec "$1" cat "/sys/class/net/$2/statistics/rx_packets"; }

# rate SPACE DEVICE SIZE COMMAND...: packets a second that reach DEVICE while COMMAND forwards.
rate() {
    local space=$1 device=$2 size=$3 forwarder sender before after start end
    shift 3
    start forwarder taskset -c 1 ip netns exec "$middle" "$@"
    forwarder=$started
    sleep 0.6
    start sender taskset -c 0 ip netns exec "$client" "$skein" tx client0 --size "$size" --wait spin \
        --src-mac 02:00:00:00:00:03 --duration $((seconds + 2)) --json
    sender=$started
    sleep 0.7
    before=$(received "$space" "$device") start=$(date +%s%N)
    sleep "$seconds"
    after=$(received "$space" "$device") end=$(date +%s%N)
    finish "$sender" - 10
    finish "$forwarder" INT 10
    echo $(((after - before) * 1000000000 / (end - start)))
}

skein_rate() {
    rate "$server" server0 "$2" "$skein" forward left right --mode "$1" --wait "$wait_how" --json
}
peer_rate() {
    local mode=-N
    [[ $1 == native ]] || mode=-S
    rate "$client" client0 "$2" env -C "$(dirname "$peer")" "$peer" -l -i left "$mode" -c -Q
}

# quartiles: of the numbers on standard input: lower, median, upper.
quartiles() {
    sort -n | awk '{ v[NR] = $1 } END { printf "%s %s %s", v[int((NR+3)/4)], v[int((NR+1)/2)], v[int((3*NR+3)/4)] }'
}

printf '%-8s %5s  %11s %11s   %s\n' mode bytes 'skein pps' 'peer pps' 'ratio: lower quartile, median, upper'
for mode in native generic; do
    for size in 64 1500; do
        ours=() theirs=() ratios=()
        for ((round = 0; round < rounds; round++)); do
            if ((round % 2 == 0)); then
                a=$(skein_rate "$mode" "$size") b=$(peer_rate "$mode" "$size")
            else
                b=$(peer_rate "$mode" "$size") a=$(skein_rate "$mode" "$size")
            fi
            ours+=("$a") theirs+=("$b")
            ratios+=("$(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.3f", (b > 0) ? a / b : 0 }')")
        done
        printf '%-8s %5s  %11s %11s   %s\n' "$mode" "$size" \
            "$(printf '%s\n' "${ours[@]}" | quartiles | cut -d' ' -f2)" \
            "$(printf '%s\n' "${theirs[@]}" | quartiles | cut -d' ' -f2)" \
            "$(printf '%s\n' "${ratios[@]}" | quartiles)"
    done
done
