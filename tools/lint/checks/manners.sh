#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A library never prints, never exits and never reads the environment.
source "$(dirname "$0")/../common.sh"

mapfile -t listed < <(cpp_files | grep -E '^(core|xsk)/' || true)

code_of "${listed[@]}" | matches manners "a library does not print" \
    '(^|[^A-Za-z0-9_])(std::)?(cout|cerr|clog|v?f?printf|f?puts|f?putc|putchar|perror|fwrite)([^A-Za-z0-9_]|$)'
code_of "${listed[@]}" | matches manners "a library does not end the process" \
    '(^|[^A-Za-z0-9_.>])(exit|_exit|_Exit|quick_exit|abort|terminate)\('
code_of "${listed[@]}" | matches manners "a library does not read the environment" \
    '(secure_)?getenv|(^|[^A-Za-z0-9_])environ([^A-Za-z0-9_]|$)'
