#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command that TROUBLESHOOTING.md names in backticks is right: skein's commands and options
# exist and take what they are given, ethtool knows the offloads, and other programs are known.
#
# usage: troubleshooting_test.sh SKEIN PAGE
set -euo pipefail
skein=$1 page=$2 failures=0 checked=0

problem() {
    echo "$*" >&2
    failures=$((failures + 1))
}

# A device that is not there: whatever is wrong before it is looked for is a usage error (status 2).
check_skein() {
    local line=$1 status=0 said
    line=${line//DEV/nosuchdev0}
    line=${line//IFACE/nosuchdev0}
    said=$(eval "set -- $line"; shift; timeout 20 "$skein" "$@" 2>&1 >/dev/null) || status=$?
    if [[ $status -eq 2 || $status -ge 124 ]]; then problem "'$1': $said"; fi
}

check_option() {
    if ! "$skein" rx --help | grep -qE -- "(^|[ ,])$1( |$)"; then problem "skein rx has no option $1"; fi
}

check_ethtool() {
    local words
    read -r -a words <<<"$1"
    case ${words[1]} in
        -K) for ((i = 3; i < ${#words[@]}; i += 2)); do
                [[ ${words[i]} =~ ^(tx|tso|gso|lro|rxvlan|txvlan|rx-gro-hw)$ && ${words[i + 1]} == off ]] ||
                    problem "'$1': not an offload that is known here"
            done ;;
        -L | -X | -l) ;;
        *) problem "'$1': ${words[1]}?" ;;
    esac
}

check() {
    checked=$((checked + 1))
    case $1 in
        skein\ *) check_skein "$1" ;;
        --*) check_option "${1%% *}" ;;
        ethtool\ *) check_ethtool "$1" ;;
        'ip link set '*) [[ $1 =~ ^'ip link set '(DEV|PEER)' '(mtu\ [0-9]+|up|xdp\ off|promisc\ on)$ ]] ||
            problem "'$1': not a form that is known here" ;;
        sysctl\ *)
            local key=${1##* }
            key=${key%%=*}
            [[ -e /proc/sys/${key//.//} ]] || problem "'$1': no such setting" ;;
        *) checked=$((checked - 1)) ;;  # a word, not a command
    esac
}

while IFS= read -r command; do check "${command//\`/}"; done < <(grep -oE '`[^`]+`' "$page")
if [[ $checked -lt 40 ]]; then problem "only $checked commands were found"; fi
[[ $failures -eq 0 ]]
