#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What has no place in a file: names of the machines and folders it was made on, promises to do
# something later, white space at the end of a line, a kernel's types dumped from one machine.
source "$(dirname "$0")/../common.sh"

# search RULE WHAT REGEX FILE...
search() {
    local rule=$1 what=$2 regex=$3 file line
    shift 3
    [[ $# -gt 0 ]] || return 0
    { grep -HnIE "$regex" "$@" || true; } | while IFS=: read -r file line _; do
        finding "$file" "$line" "$rule" "$what"
    done
}

mapfile -t texts < <(files '.*' | grep -vxE 'LICENSE|test/.*\.(pcap|pcapng|bin)' || true)

# One letter of each stands in brackets, so that this file does not find itself.
search places "a folder of one machine" '(^|[^A-Za-z0-9_$}.])/(wor[k]|far[m]|tmp/studi[o]|home/[a-z]+)(/|$)' "${texts[@]}"
search later "do it, or say in prose what is missing" '(^|[^A-Za-z0-9_])(TOD[O]|FIXM[E]|XX[X])([^A-Za-z0-9_]|$)' "${texts[@]}"
search blanks "white space at the end of the line" '[[:blank:]]+$' "${texts[@]}"

while IFS= read -r file; do
    finding "$file" 1 places "kernel types are declared by hand, not dumped from a machine"
done < <(files '(.*/)?vmlinux\.h')
