#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Dependencies point one way: samples, tools -> xsk -> core -> the standard library.
#
#   core      no kernel, socket, file, clock or stream header, no clock, nothing of skein::xsk
#   xsk       nothing of the programs and their libraries; quoted includes from its own folder.
#             Boost in asio.hpp and detail/asio_*.hpp, which the library itself never includes
#   samples   installed headers of skein, never a source folder; what has a folder of its own also
#             that folder's
#   libbpf, libxdp and the generated skeletons: in xsk/src/program* alone (tests and bpf/ aside)
source "$(dirname "$0")/../common.sh"

# forbid FILE_REGEX INCLUDE_REGEX WHAT; awk wants double backslashes.
forbid() {
    local listed
    mapfile -t listed < <(cpp_files | grep -xE "$1" || true)
    code_of "${listed[@]}" | matches layering "$3" "#[ \t]*include[ \t]*$2"
}

system='<(sys|linux|net|netinet|netpacket|arpa|asm|bpf|xdp)/'
posix='<(unistd|fcntl|poll|sched|ifaddrs|dirent|pthread|time|signal|pcap|stdio)\\.h>'
files='<(fstream|filesystem|iostream|ostream|istream|cstdio|ctime|csignal|thread|mutex|future)>'
programs='<(fmt|CLI|nlohmann|pcap|libmnl|catch2|benchmark)/'

forbid 'core/.*' "$system" "core knows no kernel, socket or device header"
forbid 'core/.*' "$posix" "core knows no system header"
forbid 'core/.*' "$files" "core knows no file, stream, clock or thread"
forbid 'core/.*' '<skein/xsk/' "core must not include skein::xsk"
forbid '(core|xsk)/.*' "$programs" "a library of the programs or tests"
forbid 'xsk/src/.*' '<skein/xsk/(asio|detail/asio_[a-z]+)\\.hpp>' "the library itself needs no Boost"
forbid '(core|xsk|samples|tools)/.*' '".*\\.\\./' "an include that climbs out of its folder"
forbid 'samples/[^/]*' '"' "samples use installed headers: <skein/...>"
forbid 'samples/.*/.*' '".*/' "samples use installed headers: <skein/...>"
forbid '(samples|tools)/.*' '<(bpf|xdp)/' "libbpf and libxdp belong into xsk/src/program*"
forbid 'xsk/(include/.*|src/([^p]|p[^r]|pr[^o]).*)' '<((bpf|xdp)/|.*\\.skel\\.h)' \
    "libbpf, libxdp and skeletons belong into xsk/src/program*"
forbid 'xsk/include/.*' '"' "a public header includes <skein/...> alone"
forbid 'core/include/.*' '"' "a public header includes <skein/...> alone"

mapfile -t bare < <(cpp_files | grep -E '^(core|xsk)/' |
    grep -vE '^xsk/include/skein/xsk/(detail/asio_[a-z]+|asio)\.hpp$' || true)
code_of "${bare[@]}" | matches layering "Boost outside asio.hpp" '#[ \t]*include[ \t]*<boost/'

mapfile -t core < <(cpp_files | grep -E '^core/' || true)
code_of "${core[@]}" | matches layering "core reads no clock" '_clock[^a-z_]|clock_gettime'

# Quoted includes of a library name files beside the one that includes them; bpf/abi.h and bpf/probe_abi.h are shared.
mapfile -t library < <(cpp_files | grep -E '^(core|xsk)/src/' || true)
if [[ ${#library[@]} -gt 0 ]]; then
    grep -HnoE '^[ \t]*#[ \t]*include[ \t]*"[^"]+"' "${library[@]}" | while IFS=: read -r file line text; do
        name=${text#*\"}
        if [[ $name != ../* && ! -f $(dirname "$file")/${name%\"} && $file:$name != xsk/*:@(abi|probe_abi).h\" ]]; then
            finding "$file" "$line" layering "\"${name%\"}\" is not in $(dirname "$file")"
        fi
    done || true
fi
