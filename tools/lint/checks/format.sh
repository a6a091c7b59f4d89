#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# clang-format decides how C and C++ look. With LINT_FIX it also does it.
#
# The text is compared, not --dry-run asked: version 14 takes offence at the closing comment of an
# inline namespace and then leaves it as it is.
source "$(dirname "$0")/../common.sh"

if ! command -v clang-format >/dev/null; then
    finding tools/packages.sh 1 format "clang-format is not installed"
    exit 0
fi
mapfile -t sources < <(cpp_files; bpf_files)
[[ ${#sources[@]} -gt 0 ]] || exit 0

compare() {
    local file difference
    for file in "$@"; do
        difference=$(clang-format "$file" | diff "$file" - | head -n 1 | sed 's/[^0-9].*//') || true
        if [[ -n $difference ]]; then
            printf '%s:%s: format: clang-format has it otherwise (run tools/lint/run.sh --fix)\n' \
                "$file" "$difference"
        fi
    done
}
export -f compare

if [[ -n ${LINT_FIX:-} ]]; then
    clang-format -i "${sources[@]}"
else
    printf '%s\0' "${sources[@]}" | xargs -0 -P 2 -n 16 bash -c 'compare "$@"' _
fi
