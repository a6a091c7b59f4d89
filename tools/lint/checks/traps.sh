#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test/README.md has a table of the kernel's traps, one row a trap, and in its last column what
# answers it, in backticks:
#
#   `test/unit/xsk/socket_test.cpp: a name`   the file has a TEST_CASE of that name
#   `test/netns/lab_test.sh`                  the script exists and CMake runs it
#   `test/netns/lab_test.sh: a_case`          and has a function of that name
#   `a text`                                  a refusal: a string literal of a source holds the text
#
# or, without backticks, "not offered: " and where one would look for it. Rows begin with | VETH or
# | FACTS. Each must have an answer, and every answer must be there, so that no trap is forgotten
# when a test is renamed; and none may point at a comment or a mere assignment, which prove nothing.
source "$(dirname "$0")/../common.sh"

table=test/README.md
[[ -f $table ]] || exit 0

# The text of a file on one line, neighbouring string literals joined, \" taken as ".
joined() {
    tr -s ' \t\n' ' ' <"$1" | sed 's/" "//g; s/\\"/"/g'
    echo
}

mapfile -t sources < <(files '(core|xsk|tools/skein|bpf)/.*\.([ch]pp|[ch])')
literals=''
if [[ ${#sources[@]} -gt 0 ]]; then literals=$(awk -f "$lint_directory/literals.awk" "${sources[@]}"); fi

# A refusal may be put together at run time: … in the answer stands for any text.
in_literals() { grep -qa -- "$(sed 's/[][\.*^$]/\\&/g; s/…/.*/g' <<<"$1")" <<<"$literals"; }

has_function() { [[ $1 =~ ^[A-Za-z0-9_]+$ ]] && grep -qE "^$1\(\) " "$2"; }

registered() { grep -qsE "(^|[ \t(/\"])($1)([ \t)\"]|$)" "$(dirname "$2")/CMakeLists.txt"; }

# complaint ANSWER: what is wrong with it; nothing if it holds.
complaint() {
    local file=${1%%: *} name=''
    if [[ $1 == *': '* ]]; then name=${1#*: }; fi
    case $file in
        test/*.cpp)
            if [[ ! -f $file ]]; then
                echo "$file does not exist"
            elif [[ -z $name ]] || ! grep -qF "TEST_CASE(\"$name\"" <<<"$(joined "$file")"; then
                echo "$file has no test case '$name'"
            elif ! registered "$(basename "$file")" "$file"; then
                echo "$file is not built"
            fi
            ;;
        test/*.sh)
            if [[ ! -x $file ]]; then
                echo "$file is no script that can be run"
            elif ! registered "$(basename "$file" .sh)(\.sh)?|$(basename "$file" _test.sh)" "$file"; then
                echo "$file is not run by CMake"
            elif [[ -n $name ]] && ! has_function "$name" "$file"; then
                echo "$file has no function '$name'"
            fi
            ;;
        *) in_literals "$1" || echo "no literal of a source says '$1'" ;;
    esac
}

mapfile -t rows <"$table"
for number in "${!rows[@]}"; do
    row=${rows[number]}
    number=$((number + 1))
    [[ $row =~ ^\|\ *(VETH|FACTS) ]] || continue
    answers=${row%|*}
    answers=${answers##*|}
    if [[ $answers =~ ^\ *not\ offered:\ [a-z] && $answers != *\`* ]]; then continue; fi
    if [[ $answers != *\`*\`* ]]; then
        finding "$table" "$number" traps "the row names neither a test nor a refusal"
        continue
    fi
    while IFS= read -r answer; do
        wrong=$(complaint "${answer//\`/}")
        if [[ -n $wrong ]]; then finding "$table" "$number" traps "$wrong"; fi
    done < <(grep -oE '`[^`]+`' <<<"$answers")
done
