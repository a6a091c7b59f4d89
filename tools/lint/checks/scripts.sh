#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shell scripts pass shellcheck, take no unset variable, and can be run if they are meant to be.
source "$(dirname "$0")/../common.sh"

mapfile -t scripts < <(shell_files)
[[ ${#scripts[@]} -gt 0 ]] || exit 0

for script in "${scripts[@]}"; do
    if ! head -n 1 "$script" | grep -q '^#!'; then continue; fi
    if [[ ! -x $script ]]; then finding "$script" 1 scripts "has a #! line and is not executable"; fi
    if ! grep -qE "^ *set -[a-z]*u|^source .*/(common|lib)\.sh" "$script"; then
        finding "$script" 1 scripts "unset variables are not errors (set -euo pipefail)"
    fi
done

if ! command -v shellcheck >/dev/null; then
    finding tools/packages.sh 1 scripts "shellcheck is not installed"
    exit 0
fi
# $ in single quotes is for jq and awk; functions may have arguments that only some callers give.
fine=SC2016,SC2119,SC2120
{ shellcheck --external-sources --source-path=SCRIPTDIR --format=gcc --exclude="$fine" "${scripts[@]}" || true; } |
    awk -F: '{ file = $1; line = $2; sub(/^[^:]*:[^:]*:[^:]*: */, "")
               printf "%s:%s: scripts: %s\n", file, line, $0 }'
