#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every check really fires: on a small tree with one defect it reports that defect, in its line,
# and on the same tree without it nothing.
set -euo pipefail

directory=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0 tried=0
licence='// SPDX-License-Identifier: Apache-2.0'

# file PATH: stdin becomes a file of the tree. fresh: an empty tree.
file() {
    mkdir -p "$(dirname "$tree/$1")"
    cat >"$tree/$1"
}
fresh() {
    rm -rf "$tree"
    mkdir "$tree"
    cp "$directory/../../.clang-format" "$tree"
}

check() { LINT_ROOT=$tree "$directory/checks/$1.sh" 2>&1 | grep -v '^report: ' || true; }

# fires CHECK FILE:LINE NAME: the check has something to say about that line, and about no other.
fires() {
    local said
    tried=$((tried + 1))
    said=$(check "$1")
    if [[ ! $said =~ ^[^:]+:[0-9]+:\ [a-z_]+:\  || $said != "$2: "* || $(wc -l <<<"$said") -ne 1 ]]; then
        printf 'FAILED %s, %s: expected one finding in %s, got: %s\n' "$1" "$3" "$2" "$said"
        failures=$((failures + 1))
    fi
    fresh
}

silent() {
    local said
    tried=$((tried + 1))
    said=$(check "$1")
    if [[ -n $said ]]; then
        printf 'FAILED %s, %s: expected nothing, got: %s\n' "$1" "$2" "$said"
        failures=$((failures + 1))
    fi
    fresh
}

# repeat TIMES LINE
repeat() { awk -v n="$1" -v line="$2" 'BEGIN { while (n--) print line }'; }

# forbidden CHECK PATH LINE NAME: a file with this second line is a finding, and as a comment not.
forbidden() {
    printf '%s\n%s\n' "$licence" "$3" | file "$2"
    fires "$1" "$2:2" "$4"
    printf '%s\n// %s\n' "$licence" "$3" | file "$2"
    silent "$1" "$4, in a comment"
}

test_layering() {
    forbidden layering core/src/a.cpp '#include <sys/socket.h>' "a socket header in core"
    forbidden layering core/src/a.cpp '#include <unistd.h>' "a system header in core"
    forbidden layering core/include/skein/a.hpp '#include <fstream>' "files in core"
    forbidden layering core/src/a.cpp '#include <skein/xsk/port.hpp>' "xsk in core"
    forbidden layering core/src/a.cpp 'auto t = std::chrono::steady_clock::now();' "a clock in core"
    forbidden layering xsk/src/a.cpp '#include <fmt/format.h>' "a program's library in xsk"
    forbidden layering xsk/src/a.cpp '#include <boost/asio/post.hpp>' "Boost in the library"
    forbidden layering xsk/src/a.cpp '#include <skein/xsk/asio.hpp>' "Boost in the library by way of asio.hpp"
    forbidden layering xsk/src/socket.cpp '#include <bpf/libbpf.h>' "libbpf outside the program files"
    forbidden layering xsk/src/a.cpp '#include "../../tools/skein/help.hpp"' "xsk includes tools"
    forbidden layering samples/a.cpp '#include "ring.hpp"' "a sample reaches into sources"
    forbidden layering samples/a/a.cpp '#include "xsk/src/ring.hpp"' "a sample of several files reaches into sources"
    forbidden layering tools/skein/a.cpp '#include <xdp/libxdp.h>' "libxdp in a program"
    printf '%s\n#include <bpf/libbpf.h>\n' "$licence" | file xsk/src/program_attach.cpp
    silent layering "libbpf in a program file"
    printf '%s\n#pragma once\n#include <boost/asio/post.hpp>\n' "$licence" | file xsk/include/skein/xsk/asio.hpp
    silent layering "Boost in asio.hpp"
    printf '%s\n#include "elsewhere.hpp"\n' "$licence" | file xsk/src/a.cpp
    fires layering xsk/src/a.cpp:2 "a quoted include from another folder"
}

test_calls() {
    forbidden system_calls xsk/src/socket.cpp 'int fd = ::socket(1, 2, 3);' "a system call"
    forbidden system_calls xsk/src/a.cpp '#include <linux/if_link.h>' "a kernel header"
    forbidden system_calls core/src/a.cpp 'long x = syscall(1);' "a raw system call"
    printf '%s\nint fd = ::socket(1, 2, 3);\n' "$licence" | file xsk/src/sys.cpp
    silent system_calls "a system call in sys.cpp"
    printf '%s\nint port::close() { return sys::close(1); }\n' "$licence" | file xsk/src/port.cpp
    silent system_calls "a member that is named like one"
}

test_manners() {
    forbidden manners core/src/a.cpp 'void f() { std::cerr << 1; }' "printing"
    forbidden manners xsk/src/a.cpp 'void f() { std::printf("x"); }' "printing the C way"
    forbidden manners xsk/src/a.cpp 'void f() { std::exit(1); }' "exiting"
    forbidden manners core/src/a.cpp 'auto x = std::getenv("X");' "the environment"
    printf '%s\nauto x = "std::exit(1)"; int n = std::snprintf(b, 1, "");\n' "$licence" | file core/src/a.cpp
    silent manners "text and formatting into memory"
    printf '%s\nauto x = R"(\nstd::exit(1)\n)"; /*\nexit(1)\n*/ int y;\n' "$licence" | file core/src/a.cpp
    silent manners "a raw literal and a block comment"
}

test_memory_order() {
    forbidden memory_order xsk/src/a.cpp 'a.load(std::memory_order_acquire);' "an order in a source"
    printf '%s\na.load(std::memory_order_acquire);\n' "$licence" | file xsk/include/skein/xsk/ring.hpp
    silent memory_order "an order in the ring"
}

test_lengths() {
    { echo "$licence" && repeat 500 ''; } | file core/src/a.cpp
    fires file_length core/src/a.cpp:501 "a file of 501 lines"
    { echo "$licence" && repeat 499 ''; } | file core/src/a.cpp
    silent file_length "a file of 500 lines"
    { echo "namespace a::inline v0 {" && echo "int f(int x = {}) noexcept {" && repeat 49 'f({1});' &&
        echo "}" && echo "}"; } | file core/src/a.cpp
    fires function_length core/src/a.cpp:2 "a function of 51 lines"
    { echo "struct s {" && repeat 80 'int f() { return 1; }' && echo "};"; } | file core/src/a.cpp
    silent function_length "a long class of short functions"
    { echo 'TEST_CASE("{ a name") {' && repeat 60 'f();' && echo "}"; } | file test/a_test.cpp
    fires function_length test/a_test.cpp:1 "a long test"
    { echo "f() {" && repeat 60 '    :' && echo "}"; } | file tools/a.sh
    fires function_length tools/a.sh:1 "a long shell function"
}

test_spdx() {
    echo "int x;" | file core/src/a.cpp
    fires spdx core/src/a.cpp:1 "no licence"
    echo "$licence" | file bpf/a.bpf.c
    fires spdx bpf/a.bpf.c:1 "the wrong licence for an XDP program"
    echo "/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */" | file bpf/a.bpf.c
    silent spdx "the right licence for an XDP program"
}

test_words() {
    printf 'see /%s/main\n' work | file README.md
    fires words README.md:1 "a folder of one machine"
    printf 'x\nTO%s: later\n' DO | file core/src/a.cpp
    fires words core/src/a.cpp:2 "a promise"
    printf 'x \n' | file CMakeLists.txt
    fires words CMakeLists.txt:1 "white space at the end"
    echo | file bpf/vmlinux.h
    fires words bpf/vmlinux.h:1 "dumped kernel types"
    printf 'framework /frame/work mktemp -d a.%s "$%s/log"\n' XXXXXX work | file tools/a.sh
    silent words "words that only look alike"
}

test_format() {
    printf '%s\nint  x;\n' "$licence" | file core/src/a.cpp
    fires format core/src/a.cpp:2 "two blanks"
    printf '%s\nint x;\n' "$licence" | file core/src/a.cpp
    silent format "one blank"
}

# A header with a defect is found by both compilers.
test_headers() {
    printf '%s\n#pragma once\ninline std::string f() { return {}; }\n' "$licence" | file core/include/skein/a.hpp
    tried=$((tried + 1))
    if [[ $(check headers | grep -c '^core/include/skein/a.hpp:1: headers: ') -ne 2 ]]; then
        echo "FAILED headers: a missing include was not found by both compilers"
        failures=$((failures + 1))
    fi
    printf '%s\n#pragma once\n#include <string>\ninline std::string f() { return {}; }\n' "$licence" |
        file core/include/skein/a.hpp
    silent headers "a header that stands alone"
}

test_mirror() {
    echo | file core/src/a.cpp
    fires test_mirror core/src/a.cpp:1 "a source without a test"
    echo | file core/src/a.cpp
    echo | file test/unit/core/a_test.cpp
    fires test_mirror test/unit/core/a_test.cpp:1 "a test that is not built"
    echo | file xsk/src/a.cpp
    echo "xsk/src/a.cpp needs a kernel" | file tools/lint/test_mirror.exceptions
    silent test_mirror "an excused source"
    echo "xsk/src/b.cpp needs a kernel" | file tools/lint/test_mirror.exceptions
    fires test_mirror tools/lint/test_mirror.exceptions:1 "an exception for nothing"
    echo | file core/include/skein/wire/a.hpp
    echo | file test/unit/core/wire_a_test.cpp
    echo "SOURCES wire_a_test.cpp" | file test/unit/core/CMakeLists.txt
    silent test_mirror "a wire header with its test"
}

# answer TEXT: a table with one trap that is answered so; beside it a test, a script and a source.
answer() {
    printf '# Tests\n\n| trap | what | answered by |\n|---|---|---|\n| VETH A1 | it bites | %s |\n' "$1" |
        file test/README.md
    printf 'TEST_CASE("a name "\n          "in two parts") {}\n' | file test/unit/a_test.cpp
    echo "SOURCES a_test.cpp" | file test/unit/CMakeLists.txt
    printf '#!/bin/sh\n# growls\nbites_back() { :; }\n' | file test/netns/b_test.sh
    chmod +x "$tree/test/netns/b_test.sh"
    echo "add_live_test(b 10)" | file test/netns/CMakeLists.txt
    printf '// the ring is empty\nthrow("the ring " + name +\n      "is full: "\n      "wait");\n' | file xsk/src/a.cpp
    printf 'x = %s;\ny = R"(raw\ntext)"; /* block\nof words */\n' "'\"'" | file core/src/a.cpp
}

test_traps() {
    local good bad
    for good in '`test/unit/a_test.cpp: a name in two parts`' '`test/netns/b_test.sh`, `is full: wait`' \
        '`test/netns/b_test.sh: bites_back`' 'a refusal, `the ring …is full`' '`raw`' \
        'not offered: no option asks for it'; do
        answer "$good"
        silent traps "$good"
    done
    for bad in 'nothing' '`test/unit/a_test.cpp: a name`' '`test/unit/a_test.cpp`' '`test/unit/c_test.cpp: x`' \
        '`test/netns/c_test.sh`' '`test/netns/b_test.sh: barks`' '`test/netns/b_test.sh: growls`' \
        '`no source says this`' '`the ring is empty`' '`throw`' '`of words`' '`the ring is full`' \
        'not offered' 'not offered: `no source says this`'; do
        answer "$bad"
        fires traps test/README.md:5 "$bad"
    done
    answer '`test/netns/b_test.sh`'
    echo | file test/netns/CMakeLists.txt
    fires traps test/README.md:5 "a script CMake does not run"
}

test_scripts() {
    printf '#!/bin/bash\nset -eu\necho\n' | file tools/a.sh
    fires scripts tools/a.sh:1 "a script that cannot be run"
    printf '#!/bin/bash\necho\n' | file tools/a.sh
    chmod +x "$tree/tools/a.sh"
    fires scripts tools/a.sh:1 "a script that takes unset variables"
    printf '#!/bin/bash\nset -eu\nrm $1/*\n' | file tools/a.sh
    chmod +x "$tree/tools/a.sh"
    fires scripts tools/a.sh:3 "a word that falls apart"
}

# twenty_lines LINE...: a README that shows these, of a sample that consists of a; b;
twenty_lines() {
    printf '%s\n// Does it.\na;\n\nb;\n' "$licence" | file samples/reflect.cpp
    { printf '# x\n\n```cpp\nz;\n```\n\n## Twenty lines\n\n```cpp\n' && printf '%s\n' "$@" &&
        printf '```\n\n## More\n\n```cpp\nz;\n```\n'; } | file README.md
}

test_readme() {
    twenty_lines 'a;' '' 'b;'
    silent readme "the sample as it is"
    twenty_lines 'a;' '' 'c;'
    fires readme README.md:12 "another line"
    twenty_lines 'a;' ''
    fires readme README.md:11 "a line too few"
    twenty_lines 'a;' '' 'b;' ''
    fires readme README.md:13 "a line too many"
    twenty_lines 'a;'
    printf '## Twenty lines\n\n## More\n\n```cpp\na;\n```\n' | file README.md
    fires readme README.md:1 "no program"
}

# ends_with STATUS NAME ARGUMENT...: run.sh as a whole.
ends_with() {
    local status=0 wanted=$1 name=$2
    shift 2
    tried=$((tried + 1))
    LINT_ROOT=$tree "$directory/run.sh" "$@" >/dev/null 2>&1 || status=$?
    if [[ $status -ne $wanted ]]; then
        echo "FAILED run.sh, $name: status $status instead of $wanted"
        failures=$((failures + 1))
    fi
}

test_run() {
    printf '%s\nint  x;\n' "$licence" | file core/src/a.cpp
    ends_with 1 "a finding" format spdx
    ends_with 0 "other checks" spdx words
    ends_with 0 "a finding corrected" --fix format
    ends_with 0 "a finding gone" format
    ends_with 2 "a check that is none" typography
    fresh
}

fresh
for test in layering calls manners memory_order lengths spdx words format headers mirror traps readme scripts run; do
    "test_$test"
done
echo "$tried samples, $failures failures"
[[ $failures -eq 0 ]]
