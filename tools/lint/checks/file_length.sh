#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A file holds one idea: more than 500 lines are a finding, more than 300 are reported.
source "$(dirname "$0")/../common.sh"

hard=500 soft=300
mapfile -t listed < <({ cpp_files; bpf_files; shell_files; files '.*\.(cmake|awk)|(.*/)?CMakeLists\.txt'; } | sort -u)
[[ ${#listed[@]} -gt 0 ]] || exit 0

lengths=$(awk 'FNR == 1 && NR > 1 { print n, file } { n = FNR; file = FILENAME } END { print n, file }' \
    "${listed[@]}" | sort -n)
while read -r lines file; do
    if [[ $lines -gt $hard ]]; then
        finding "$file" "$lines" file_length "$lines lines, $hard are the limit"
    elif [[ $lines -gt $soft ]]; then
        echo "report: $file has $lines lines, more than $soft" >&2
    fi
done <<<"$lengths"
awk '{ lines[NR] = $1 } END { print "report: median file length", lines[int((NR + 1) / 2)], "lines, longest", $1 }' \
    <<<"$lengths" >&2
