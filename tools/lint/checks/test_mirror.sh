#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A test beside every source, mirrored by name, and built. Where one file of tests is not enough there
# are several, X_*_test.cpp:
#
#   core/src/X.cpp                   test/unit/core/X_test.cpp
#   core/include/skein/wire/X.hpp    test/unit/core/wire_X_test.cpp
#   xsk/src/X.cpp                    test/unit/xsk/X_test.cpp
#
# tools/lint/test_mirror.exceptions names the sources without a mirror, one a line: the path, then
# where it is tested instead or why it needs no test. A test named there must exist; an exception
# that is not needed is a finding too.
source "$(dirname "$0")/../common.sh"

exceptions=tools/lint/test_mirror.exceptions

mirror_of() {
    local name=${1##*/}
    case $1 in
        core/include/*) echo "test/unit/core/wire_${name%.hpp}_test.cpp" ;;
        core/*) echo "test/unit/core/${name%.cpp}_test.cpp" ;;
        xsk/*) echo "test/unit/xsk/${name%.cpp}_test.cpp" ;;
    esac
}

# The mirror, or one of a family of them that is not another source's own.
has_mirror() {
    local mirror other
    mirror=$(mirror_of "$1")
    [[ ! -f $mirror ]] || return 0
    for other in "${mirror%_test.cpp}"_*_test.cpp; do
        if [[ -f $other && -z ${mirrors[$other]:-} ]]; then return 0; fi
    done
    return 1
}

sources=$(files '(core|xsk)/src/.*\.cpp|core/include/skein/wire/.*\.hpp')
declare -A mirrors=()
while IFS= read -r source; do
    if [[ -n $source ]]; then mirrors[$(mirror_of "$source")]=$source; fi
done <<<"$sources"

declare -A excused=()
check_exception() {
    local number=$1 source=$2 test=${3%%[ ,:]*}
    excused[$source]=$number
    if [[ ! -f $source ]]; then
        finding "$exceptions" "$number" test_mirror "$source does not exist"
    elif [[ -f $(mirror_of "$source") ]]; then
        finding "$exceptions" "$number" test_mirror "$source has its mirror, the exception can go"
    elif [[ -z $3 ]]; then
        finding "$exceptions" "$number" test_mirror "$source is excused without a reason"
    elif [[ $test == test/* && ! -f $test ]]; then
        finding "$exceptions" "$number" test_mirror "$test does not exist"
    fi
}

if [[ -f $exceptions ]]; then
    number=0
    while read -r source reason; do
        number=$((number + 1))
        if [[ -n $source && $source != \#* ]]; then check_exception "$number" "$source" "$reason"; fi
    done <"$exceptions"
fi

while IFS= read -r source; do
    [[ -n $source ]] || continue
    if ! has_mirror "$source" && [[ -z ${excused[$source]:-} ]]; then
        finding "$source" 1 test_mirror "has no $(mirror_of "$source")"
    fi
done <<<"$sources"

# A test that no CMakeLists.txt names is never run. Scripts may be named without their ending.
while IFS= read -r test; do
    name=${test##*/}
    if [[ $name == *.sh ]]; then name="${name%.sh}(\\.sh)?|${name%_test.sh}"; fi
    if ! grep -qsE "(^|[ \t(/])($name)([ \t)]|$)" "${test%/*}/CMakeLists.txt"; then
        finding "$test" 1 test_mirror "is not named in ${test%/*}/CMakeLists.txt"
    fi
done < <(files 'test/.*_test\.(cpp|sh)')
