#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A function of more than 50 lines is a finding; the median is reported, libraries apart from tests.
source "$(dirname "$0")/../common.sh"

limit=50

# FILE:LINE:LENGTH:NAME of every function.
functions() {
    local sources scripts
    mapfile -t sources < <(cpp_files; bpf_files)
    code_of "${sources[@]}" | awk -f "$lint_directory/functions.awk"
    mapfile -t scripts < <(shell_files)
    [[ ${#scripts[@]} -gt 0 ]] || return 0
    awk '/^[a-z_0-9]+\(\) *[{(]/ { begin = FNR; name = $1; sub(/\(.*/, "", name)
                                   if (/[})]$/) { print FILENAME ":" FNR ":1:" name; begin = 0 } }
         /^[})]/ && begin { print FILENAME ":" begin ":" FNR - begin + 1 ":" name; begin = 0 }' \
        "${scripts[@]}"
}

# median NAME PATH_REGEX
median() {
    grep -E "^$2" <<<"$all" | cut -d: -f3 | sort -n | awk -v name="$1" '{ length_of[NR] = $1 }
        END { if (NR) printf "report: %s: %d functions, median length %d lines, longest %d\n",
              name, NR, length_of[int((NR + 1) / 2)], length_of[NR] }' >&2 || true
}

all=$(functions)
while IFS=: read -r file line length name; do
    if [[ -n $file && $length -gt $limit ]]; then
        finding "$file" "$line" function_length "$name has $length lines, $limit are the limit"
    fi
done <<<"$all"
median "core and xsk" '(core|xsk)/'
median "tools" 'tools/'
median "tests" 'test/'
