#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# System calls are made in xsk/src/sys*.cpp, which tests replace, and in the program files, which
# talk to libbpf and libxdp. Everything else calls sys::.
source "$(dirname "$0")/../common.sh"

mapfile -t listed < <(cpp_files | grep -E '^(core|xsk)/' |
    grep -vE '^xsk/src/(sys(_[a-z]+)?\.cpp|program[a-z_]*\.[ch]pp)$' || true)

# A global function called by its full name is one of the C library's: a system call, unless it is
# one of those that work on text and memory alone.
code_of "${listed[@]}" | sed -E 's/::(str|mem)[a-z_]*\(/(/g' |
    matches system_calls "a system call outside xsk/src/sys*.cpp" \
        '(^|[^A-Za-z0-9_>:])::[a-z_0-9]+\(|(^|[^A-Za-z0-9_:.>])(syscall|ioctl|mmap|munmap|setsockopt|getsockopt|sendto|recvfrom)\('

# sys.hpp shows pollfd, uapi.hpp what a ring looks like.
code_of "${listed[@]}" | grep -vE '^xsk/(src/sys(_[a-z]+)?|include/skein/xsk/uapi)\.hpp:' |
    matches system_calls "a system header outside xsk/src/sys.*" \
        '#[ \t]*include[ \t]*<((sys|linux|net|netinet|arpa|asm)/|(unistd|fcntl|poll|sched|time|signal|stdio)\\.h>)' || true
