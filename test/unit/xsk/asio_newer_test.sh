#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tests of asio_port once more, over the headers of Boost 1.81: cancellation slots and awaitable
# operators, which the Boost of Debian 12's default lacks. libboost1.81-dev cannot be installed beside
# that, so its headers are unpacked into a folder of the build.
#
# usage: asio_newer_test.sh FOLDER CMAKE BUILD PROGRAM
set -euo pipefail
folder=$1 cmake=$2 build=$3 program=$4

skip() {
    echo "skipped: $*" >&2
    exit 77
}

fetch() {
    local scratch
    command -v apt-get >/dev/null || skip "headers of Boost 1.81 come from Debian"
    scratch=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$scratch'" EXIT
    (cd "$scratch" && timeout 120 apt-get -q download libboost1.81-dev) >&2 ||
        skip "the package libboost1.81-dev cannot be had"
    rm -rf "$folder"
    mkdir -p "$folder"
    dpkg-deb -x "$scratch"/libboost1.81-dev_*.deb "$scratch/unpacked"
    mv "$scratch/unpacked/usr" "$folder/usr"
}

[[ -f $folder/usr/include/boost/version.hpp ]] || fetch
grep -q '"1_81"' "$folder/usr/include/boost/version.hpp" || {
    echo "$folder does not hold Boost 1.81" >&2
    exit 1
}
"$cmake" --build "$build" --target unit_asio_1_81
"$program"
