#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every public header compiles alone, without a warning, with g++ and clang++.
source "$(dirname "$0")/../common.sh"

mapfile -t headers < <(files '(core|xsk)/include/.*\.hpp')
[[ ${#headers[@]} -gt 0 ]] || exit 0
export CHECK_FLAGS="-std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Werror -Icore/include -Ixsk/include"

# Compiles one header with one compiler; the first complaint becomes the finding.
compile_alone() {
    local compiler=$1 header=$2 flags said
    read -r -a flags <<<"$CHECK_FLAGS"
    if ! said=$("$compiler" "${flags[@]}" -x c++ -include "$header" /dev/null 2>&1); then
        said=$(grep -m1 -E 'error:|warning:' <<<"$said" || head -n 1 <<<"$said")
        printf '%s:1: headers: does not compile alone with %s: %s\n' "$header" "$compiler" "${said##*error: }"
    fi
}
export -f compile_alone

for compiler in g++ clang++; do
    if ! command -v "$compiler" >/dev/null; then
        finding tools/packages.sh 1 headers "$compiler is not installed"
        continue
    fi
    for header in "${headers[@]}"; do printf '%s\0%s\0' "$compiler" "$header"; done
done | xargs -0 -n 2 -P 2 bash -c 'compile_alone "$@"' _
