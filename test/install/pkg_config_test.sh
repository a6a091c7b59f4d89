#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the consumer with nothing but what pkg-config says, links it against the installed
# libraries and runs it.
#
# usage: pkg_config_test.sh PREFIX static|shared COMPILER FOLDER
set -euo pipefail
prefix=$1 kind=$2 compiler=$3 folder=$4
source=$(cd "$(dirname "$0")" && pwd)/consumer.cpp
program=$folder/consumer_by_pkg_config_$kind

libraries=$(dirname "$(find "$prefix" -name 'libskein-core*' | head -n 1)")
export PKG_CONFIG_PATH=$libraries/pkgconfig
options=(--cflags --libs)
if [[ $kind == static ]]; then options+=(--static); fi

pkg-config --print-errors --exists skein-core skein-xsk
read -r -a flags <<<"$(pkg-config "${options[@]}" skein-xsk)"
if [[ $kind == shared && ${flags[*]} == *-lbpf* ]]; then
    echo "shared libraries bring their own libbpf, but users are told to link it" >&2
    exit 1
fi
"$compiler" -std=c++20 "$source" "${flags[@]}" -o "$program"
LD_LIBRARY_PATH=$libraries "$program"
