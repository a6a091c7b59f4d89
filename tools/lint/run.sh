#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What machines can see of the house style. One line a finding, FILE:LINE: RULE: WHAT.
#
#   tools/lint/run.sh [--fix] [CHECK...]
#
#   --fix    let clang-format correct what it finds, before anything is checked
#   CHECK    only these; each is a script of tools/lint/checks that says at its top what it wants
#
# Exit status: 0 nothing found, 1 findings or a check that failed, 2 usage.
set -euo pipefail

directory=$(cd "$(dirname "$0")" && pwd)
fix=false checks=()

while [[ $# -gt 0 ]]; do
    if [[ $1 == --fix ]]; then
        fix=true
    elif [[ -f $directory/checks/$1.sh ]]; then
        checks+=("$1")
    else
        sed -n 's/^#   \(tools.*\)/usage: \1/p' "$0" >&2
        echo "checks: $(cd "$directory/checks" && echo *.sh | sed 's/\.sh//g')" >&2
        exit 2
    fi
    shift
done
if [[ ${#checks[@]} -eq 0 ]]; then
    for script in "$directory"/checks/*.sh; do
        checks+=("$(basename "$script" .sh)")
    done
fi

if $fix; then LINT_FIX=1 "$directory/checks/format.sh"; fi

found=0 broken=0
for check in "${checks[@]}"; do
    begin=$SECONDS status=0
    lines=$("$directory/checks/$check.sh") || status=$?
    if [[ -n $lines ]]; then
        printf '%s\n' "$lines"
        found=$((found + $(wc -l <<<"$lines")))
    fi
    if [[ $status -ne 0 ]]; then
        echo "tools/lint/checks/$check.sh:1: $check: the check itself failed, status $status"
        broken=$((broken + 1))
    fi
    if [[ $((SECONDS - begin)) -gt 5 ]]; then echo "report: $check took $((SECONDS - begin)) s" >&2; fi
done
echo "lint: ${#checks[@]} checks, $found findings" >&2
[[ $((found + broken)) -eq 0 ]]
