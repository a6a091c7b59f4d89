#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Moves bytes both ways at once over one TCP connection between two network namespaces, and tells
# whether they arrived as they were sent.
#
#   tools/exchange.sh [--bytes N] [--port P] [--timeout S] [--json] CLIENT SERVER ADDRESS
#
#   CLIENT, SERVER  names of the namespaces, as `ip netns` lists them
#   ADDRESS         the server's address, IPv4 or IPv6
#   --bytes N       bytes each way (default 268435456; 1G, 512M and so on are understood)
#   --port P        TCP port (default 7077)
#   --timeout S     seconds after which the exchange is given up (default 120)
#   --json          one JSON object on stdout: bytes (each way), milliseconds, bits_per_second (each
#                   way, of what arrived), intact, sha256 of what was sent in each direction,
#                   checksum_errors and retransmits of each end
#
# Each end sends a stream of its own: AES-128 in counter mode over zeros, fast to make and without
# any period. SHA-256 is taken in front of the sending socket and behind the receiving one. Checksum
# errors are those every protocol of both stacks counted meanwhile (names ending in InCsumErrors).
#
# Exit status: 0 intact and no checksum error, 1 not so, 2 usage.
set -euo pipefail

bytes=268435456 port=7077 timeout=120 json=false

usage() {
    sed -n 's/^#   \(tools.*\)/usage: \1/p' "$0" >&2
    exit 2
}

while [[ ${1:-} == -* ]]; do
    if [[ $1 != --json && $# -lt 2 ]]; then usage; fi
    case $1 in
        --bytes) bytes=$(numfmt --from=iec "${2:-}") || usage ;;
        --port) port=${2:-} ;;
        --timeout) timeout=${2:-} ;;
        --json) json=true ;;
        *) usage ;;
    esac
    if [[ $1 != --json ]]; then shift; fi
    shift
done
[[ $# -eq 3 && $bytes =~ ^[0-9]+$ && $port =~ ^[0-9]+$ && $timeout =~ ^[0-9]+$ ]] || usage
[[ $port -ge 1 && $port -le 65535 && $timeout -ge 1 ]] || usage
client=$1 server=$2 address=$3

if [[ $EUID -ne 0 ]]; then
    echo "exchange.sh needs root: it enters network namespaces" >&2
    exit 1
fi

for namespace in "$client" "$server"; do
    [[ -e /run/netns/$namespace ]] && continue
    echo "exchange.sh: there is no network namespace '$namespace', see ip netns" >&2
    exit 1
done

work=$(mktemp -d)
sides=()

# Ends what is still running: each side is a process group of its own.
clean_up() {
    local side
    for side in "${sides[@]}"; do
        kill -KILL -- "-$side" || continue
        wait "$side" || true
    done 2>/dev/null
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# side NAME SEED NAMESPACE SOCAT_ADDRESS: one end's source, socket and sink, in one pipeline.
side() {
    local name=$1 seed=$2 namespace=$3 socket=$4
    mkfifo "$work/$name.sent.fifo" "$work/$name.received.fifo"
    openssl dgst -sha256 -r <"$work/$name.sent.fifo" >"$work/$name.sent" &
    openssl dgst -sha256 -r <"$work/$name.received.fifo" >"$work/$name.received" &
    head -c "$bytes" /dev/zero |
        openssl enc -aes-128-ctr -K "$seed" -iv 00000000000000000000000000000000 2>/dev/null |
        tee "$work/$name.sent.fifo" |
        ip netns exec "$namespace" timeout --foreground "$timeout" \
            socat -b 262144 -t "$timeout" - "$socket" 2>"$work/$name.log" |
        tee "$work/$name.received.fifo" |
        wc -c >"$work/$name.bytes" || true
    wait
}

# counters NAMESPACE: what its stack has counted so far, one "name value" a line.
counters() {
    ip netns exec "$1" nstat -a -s -z -j |
        jq -r '.kernel | to_entries[] | select(.key | test("InCsumErrors$|^TcpRetransSegs$"))
               | "\(.key) \(.value)"' | sort
}

# grown BEFORE AFTER PATTERN: by how much the counters that match have grown, together.
grown() {
    join "$work/$1" "$work/$2" | awk -v want="$3" '$1 ~ want {sum += $3 - $2} END {print sum + 0}'
}

digest() {
    cut -d ' ' -f 1 "$work/$1"
}

start_sides() {
    local seed=$((RANDOM * 32768 + RANDOM)) family=TCP4 host=$address
    if [[ $address == *:* ]]; then family=TCP6 host="[$address]"; fi
    set -m
    side server "$(printf '%032x' $((seed * 2 + 1)))" "$server" \
        "$family-LISTEN:$port,bind=$host,reuseaddr,accept-timeout=$timeout" </dev/null &
    sides+=($!)
    side client "$(printf '%032x' $((seed * 2)))" "$client" \
        "$family:$host:$port,retry=100,interval=0.1,connect-timeout=5" </dev/null &
    sides+=($!)
    set +m
}

intact() {
    local from to
    for from in client server; do
        to=$([[ $from == client ]] && echo server || echo client)
        [[ $(<"$work/$to.bytes") -eq $bytes && $(digest "$from.sent") == "$(digest "$to.received")" ]] ||
            return 1
    done
}

# Why the bytes are not the same: the end's byte counts and what socat had to say.
explain() {
    local name
    for name in client server; do
        echo "$name received $(<"$work/$name.bytes") of $bytes bytes" >&2
        head -n 5 "$work/$name.log" >&2
    done
    join "$work/client.before" "$work/client.after" | awk '$3 > $2 {print "client:", $1, $3 - $2}' >&2
    join "$work/server.before" "$work/server.after" | awk '$3 > $2 {print "server:", $1, $3 - $2}' >&2
}

for name in client server; do counters "${!name}" >"$work/$name.before"; done
begin=$(date +%s%N)
start_sides
for side in "${sides[@]}"; do wait "$side" || true; done
sides=()
milliseconds=$((($(date +%s%N) - begin) / 1000000 + 1))
for name in client server; do counters "${!name}" >"$work/$name.after"; done

errors=$(($(grown client.before client.after InCsumErrors) +
    $(grown server.before server.after InCsumErrors)))
result=true
intact || result=false
rate=$((($(<"$work/client.bytes") + $(<"$work/server.bytes")) * 4000 / milliseconds))

if $json; then
    jq -n -c --argjson bytes "$bytes" --argjson milliseconds "$milliseconds" \
        --argjson rate "$rate" --argjson intact "$result" \
        --arg up "$(digest client.sent)" --arg down "$(digest server.sent)" \
        --argjson ce "$(grown client.before client.after InCsumErrors)" \
        --argjson se "$(grown server.before server.after InCsumErrors)" \
        --argjson cr "$(grown client.before client.after Retrans)" \
        --argjson sr "$(grown server.before server.after Retrans)" \
        '{bytes: $bytes, milliseconds: $milliseconds, bits_per_second: $rate, intact: $intact,
          sha256: {client_to_server: $up, server_to_client: $down},
          checksum_errors: {client: $ce, server: $se}, retransmits: {client: $cr, server: $sr}}'
else
    awk -v bytes="$bytes" -v ms="$milliseconds" -v rate="$rate" -v intact="$result" \
        -v errors="$errors" 'BEGIN {
            printf "%.0f bytes each way in %.2f s, %.2f Gb/s each way, intact: %s, checksum errors: %d\n",
                bytes, ms / 1e3, rate / 1e9, intact == "true" ? "yes" : "NO", errors }'
fi
if [[ $result == false || $errors -ne 0 ]]; then
    explain
    exit 1
fi
