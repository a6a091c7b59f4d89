#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything is compiled with hidden visibility, so a public function without SKEIN_EXPORT links in
# a static build and is missing from the shared library. This compares the hidden functions of the
# libraries' objects with what the public headers declare outside of private sections.
#
# usage: exports_test.sh SOURCE OBJECT...
set -euo pipefail
source=$1
shift
[[ $# -gt 0 ]] || exit 2

# Functions with external linkage that only their own library can call: SCOPE NAME, without the
# namespaces skein and its version. The scope is a class or the innermost namespace.
hidden_functions() {
    readelf -sW "$@" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "HIDDEN" { print $8 }' |
        sort -u | c++filt | sed -nE 's/\[abi:[^]]*\]//; s/^(skein(::v[0-9]+)?::([a-z_0-9]+::)*[~a-z_0-9]+)\(.*/\1/p' |
        sed -E 's/^skein(::v[0-9]+)?/skein/; s/.*(^|::)([a-z_0-9]+)::([~a-z_0-9]+)$/\2 \3/' | sort -u
}

# What the headers declare: SCOPE NAME for each NAME( in a public section of class SCOPE, and
# - NAME for each that begins in the first column, outside of any class.
declared_functions() {
    find "$source"/{core,xsk}/include -name '*.hpp' -print0 | sort -z |
        xargs -0 awk -f "$source/tools/lint/code_of.awk" | awk '
        { text = $0; sub(/^[^:]*:[^:]*:/, "", text) }
        text ~ /^(class|struct) .*\{$/ {
            scope = text
            sub(/ *(:.*)?\{$/, "", scope)
            sub(/ final$/, "", scope)
            sub(/.* /, "", scope)
            open = text ~ /^struct/
        }
        text ~ /^}/ { scope = "" }
        text ~ /^ *(private|protected):/ { open = 0 }
        text ~ /^ *public:/ { open = 1 }
        scope != "" && !open { next }
        scope == "" && text !~ /^[a-zA-Z\[]/ { next }
        {
            while (match(text, /~?[a-z_][a-z_0-9]*\(/)) {
                print (scope == "" ? "-" : scope), substr(text, RSTART, RLENGTH - 1)
                text = substr(text, RSTART + RLENGTH)
            }
        }' | sort -u
}

classes() { cut -d' ' -f1 <<<"$declared" | grep -vx -- - | sort -u; }

declared=$(declared_functions)
exported=$(readelf -sW "$@" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "DEFAULT"' | wc -l)
if [[ $exported -lt 20 || $(wc -l <<<"$declared") -lt 100 ]]; then
    echo "found only $exported exported functions: this test no longer sees what it looks for" >&2
    exit 1
fi

known=$(classes) failures=0
while read -r scope name; do
    [[ -n $name ]] || continue
    if ! grep -qx -- "$scope" <<<"$known"; then
        # Of a namespace; those of xsk::sys and its like are in no public header.
        [[ $scope =~ ^(skein|wire|xsk)$ ]] || continue
        scope=-
    fi
    if grep -qx -- "$scope $name" <<<"$declared"; then
        echo "declared in a public header, and hidden: $scope $name" >&2
        failures=$((failures + 1))
    fi
done < <(hidden_functions "$@")
echo "$exported functions exported, $failures public ones hidden"
[[ $failures -eq 0 ]]
