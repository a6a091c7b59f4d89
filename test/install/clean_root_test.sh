#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# samples/embed in a root that holds an installed skein, a compiler, CMake, and the packages that
# samples/embed/README.md names, and nothing else of this machine: built by CMake, by pkg-config, run.
# The root is made from the packages of the machine's own sources; status 77 where that cannot be.
#
# usage: clean_root_test.sh PREFIX static|shared SOURCE
set -euo pipefail
prefix=$1 kind=$2 source=$3

skip() {
    echo "skipped: $*" >&2
    exit 77
}

[[ $EUID -eq 0 ]] || skip "making a root needs root"
command -v mmdebstrap >/dev/null || skip "the program mmdebstrap is missing"
mapfile -t sources < <(find /etc/apt -name '*.sources' -o -name 'sources.list' -size +0 | sort)
[[ ${#sources[@]} -gt 0 ]] || skip "this machine has no package sources"

packages=g++,make,cmake,pkg-config,usr-is-merged
if [[ $kind == static ]]; then packages+=,libbpf-dev,libxdp-dev; else packages+=,libbpf1,libxdp1; fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
# shellcheck source=/dev/null
suite=$(source /etc/os-release && echo "$VERSION_CODENAME")
timeout 500 mmdebstrap --quiet --mode=root --variant=minbase --skip=check/empty,cleanup/tmp \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --aptopt='Acquire::Check-Valid-Until "false"' \
    --include="$packages" "$suite" "$root" "${sources[@]}" >"$root.log" 2>&1 || {
    tail -n 5 "$root.log" >&2
    rm -f "$root.log"
    skip "no root can be made from the packages here"
}
rm -f "$root.log"

mkdir -p "$root/opt" "$root/project"
cp -a "$prefix" "$root/opt/skein"
cp -a "$source/samples/embed/." "$root/project"
libraries=/opt/skein/$(cd "$prefix" && dirname "$(find . -name 'libskein-core*' | head -n 1)")
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$root" "$@"; }

inside sh -ec '
    cmake -S /project -B /build -D CMAKE_PREFIX_PATH=/opt/skein
    cmake --build /build
    [ "$3" = static ] && all=--static || all=
    export PKG_CONFIG_PATH=$2/pkgconfig
    g++ -std=c++20 /project/main.cpp $(pkg-config --cflags --libs $all skein-xsk) -o /embed
    for program in /build/embed /embed; do
        said=$(LD_LIBRARY_PATH=$2 "$program" no-such-dev 9 2>&1) && exit 1
        case $said in *no-such-dev*) ;; *) echo "$said"; exit 1 ;; esac
    done
' sh project "$libraries" "$kind"
