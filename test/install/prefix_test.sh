#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs a build into an empty prefix and looks at what arrives there.
#
# usage: prefix_test.sh BUILD PREFIX static|shared
set -euo pipefail
build=$1 prefix=$2 kind=$3 failures=0
source=$(cd "$(dirname "$0")/../.." && pwd)

problem() {
    echo "$*" >&2
    failures=$((failures + 1))
}

# expect_found NUMBER PATTERN: that many files of this name.
expect_found() {
    local found
    found=$(find "$prefix" -name "$2" | wc -l)
    if [[ $found -ne $1 ]]; then problem "$found files $2 instead of $1"; fi
}

rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix" >/dev/null

if [[ $kind == static ]]; then libraries='.a' others='.so*'; else libraries='.so' others='.a'; fi
expect_found 1 "libskein-core$libraries"
expect_found 1 "libskein-xsk$libraries"
expect_found 0 "lib*$others"
expect_found 1 skein-core.pc
expect_found 1 skein-xsk.pc
expect_found 1 skein-config.cmake
expect_found 1 skein-config-version.cmake
expect_found 1 LICENSE

# Nothing of the inside gets out, and no file remembers where it was built.
expect_found 0 '*.skel.h'
expect_found 0 '*abi.h'
expect_found 0 'sys.hpp'
leaked=$(grep -rlIF -e "$build" "$prefix" || true)
if [[ -n $leaked ]]; then problem "names the build folder: $leaked"; fi
# The XDP programs carry the names of their sources, whatever the build type.
leaked=$(find "$prefix" -name 'libskein-xsk*' -exec grep -laF -e "$source/bpf/" -e "$build/bpf" {} + || true)
if [[ -n $leaked ]]; then problem "names sources on this machine: $leaked"; fi

# What was built along is installed along, and finds its libraries there.
if [[ -x $build/bin/skein ]]; then
    said=$("$prefix/bin/skein" --version) || problem "the installed command does not run"
    if [[ ${said:-} != "skein "* ]]; then problem "the installed command says '${said:-}'"; fi
fi
[[ $failures -eq 0 ]]
