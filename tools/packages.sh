#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The Debian packages skein needs, in one place, and how the missing ones are installed.
#
#   build   compiles the libraries, the BPF programs and the skein command
#   run     what the lab and the quickstart work with
#   test    what the tests, the fuzz targets and the lint want besides
#
# Sourced, it offers install_missing GROUP... . Run by hand, tools/packages.sh [GROUP...] installs
# (all groups by default) and tools/packages.sh --list [GROUP...] only prints the names.

packages_build=(
    bpftool clang cmake g++ libbpf-dev libboost-dev libcli11-dev libfmt-dev libmnl-dev libpcap-dev
    libxdp-dev llvm ninja-build nlohmann-json3-dev pkg-config
)
packages_run=(ethtool iperf3 iproute2 iputils-ping jq openssl procps socat)
packages_test=(catch2 clang-format git libbenchmark-dev libclang-rt-dev mmdebstrap shellcheck tshark)

packages_in() {
    local group
    for group in "$@"; do
        case $group in
            build) printf '%s\n' "${packages_build[@]}" ;;
            run) printf '%s\n' "${packages_run[@]}" ;;
            test) printf '%s\n' "${packages_test[@]}" ;;
            *)
                echo "packages.sh: no group '$group'; there are build, run and test" >&2
                return 2
                ;;
        esac
    done
}

# Prints those of the packages that are not installed.
missing_packages() {
    local package state
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null || true)
        grep -qx installed <<<"$state" || printf '%s\n' "$package"
    done
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@"
}

# The package lists are fetched only where there are none, or where they have grown stale.
apt_install_fresh() {
    if ! compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null; then
        apt-get update -q
    elif apt_install "$@"; then
        return 0
    else
        echo "installing failed; fetching the package lists anew" >&2
        apt-get update -q
    fi
    apt_install "$@"
}

# Installs what is missing of the groups, in one apt-get call; its chatter goes to stderr.
install_missing() {
    local names missing
    names=$(packages_in "$@") || return
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "not a Debian system: packages are left to you, see tools/packages.sh --list" >&2
        return 0
    fi
    mapfile -t names <<<"$names"
    mapfile -t missing < <(missing_packages "${names[@]}")
    [[ ${#missing[@]} -gt 0 ]] || return 0
    if [[ $EUID -ne 0 ]]; then
        echo "packages are missing and installing needs root: apt-get install ${missing[*]}" >&2
        return 1
    fi
    echo "installing ${missing[*]}" >&2
    apt_install_fresh "${missing[@]}" >&2
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    set -euo pipefail
    action=install_missing
    if [[ ${1:-} == --list ]]; then
        action=packages_in
        shift
    fi
    [[ $# -gt 0 ]] || set -- build run test
    "$action" "$@"
fi
