#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# samples/embed as somebody's own project: copied away, built against an installation that was moved
# since, with nothing else to go by, and run. What it becomes knows neither the source nor the build
# folder. Against static libraries the package file finds libbpf and libxdp, which have no CMake
# package, and names the one that is missing.
#
# usage: embed_test.sh PREFIX static|shared COMPILER SOURCE BUILD
set -euo pipefail
prefix=$1 kind=$2 compiler=$3 source=$4 build=$5
unset CMAKE_PREFIX_PATH skein_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH

fail() {
    echo "$*" >&2
    exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -a "$prefix" "$scratch/moved to here"
cp -a "$source/samples/embed" "$scratch/project"

configure() {
    cmake -S "$scratch/project" -B "$scratch/$1" -D CMAKE_PREFIX_PATH="$scratch/moved to here" \
        -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF \
        -D CMAKE_EXPORT_COMPILE_COMMANDS=ON
}

# Without what pkg-config knows: shared libraries need nothing of it, static ones say what they lack.
mkdir "$scratch/none"
if said=$(PKG_CONFIG_LIBDIR=$scratch/none configure without 2>&1); then
    [[ $kind == shared ]] || fail "static libraries were taken without libbpf and libxdp"
else
    [[ $kind == static ]] || fail "shared libraries ask for more: $said"
    said=$(tr -s ' \n' ' ' <<<"$said")
    [[ $said == *"install the package lib"*-dev* ]] || fail "what is missing is not named: $said"
fi

configure build >"$scratch/configured" 2>&1 || fail "$(<"$scratch/configured")"
cmake --build "$scratch/build" >"$scratch/built" 2>&1 || fail "$(<"$scratch/built")"
# (What the libraries say of themselves in debug information and assertions is theirs.)
leaked=$(grep -rlIF -e "$source/" -e "$build/" -e "$prefix/" "$scratch/build" || true)
[[ -z $leaked ]] || fail "names the folders skein came from: $leaked"
wanted=$(readelf -d "$scratch/build/embed" | grep -E 'RUNPATH|RPATH' || true)
[[ $wanted != *"$prefix"* && $wanted != *"$build"* ]] || fail "looks for its libraries at $wanted"

code=0
said=$("$scratch/build/embed" no-such-dev 9 2>&1) || code=$?
[[ $code -eq 1 && $said == *no-such-dev* ]] || fail "embed on no device ends with $code: $said"
