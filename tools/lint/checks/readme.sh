#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The program under "## Twenty lines" of README.md is samples/reflect.cpp, which is compiled and
# run, without the two comment lines on its top: what people copy works.
source "$(dirname "$0")/../common.sh"

page=README.md sample=samples/reflect.cpp
[[ -f $page && -f $sample ]] || exit 0

# The lines of the first C++ block of that section, each as NUMBER:TEXT.
block=$(awk '
    /^## / { if (inside) exit; inside = $0 == "## Twenty lines" }
    inside && /^```/ { if (open) exit; open = $0 == "```cpp"; next }
    open { print NR ":" $0 }' "$page")
if [[ -z $block ]]; then
    finding "$page" 1 readme "there is no C++ under '## Twenty lines'"
    exit 0
fi

mapfile -t shown <<<"$block"
mapfile -t compiled < <(tail -n +3 "$sample")
last=${shown[-1]%%:*}
for ((i = 0; i < ${#shown[@]} || i < ${#compiled[@]}; ++i)); do
    if [[ $i -ge ${#shown[@]} ]]; then
        finding "$page" "$last" readme "the program ends before $sample does"
        break
    elif [[ $i -ge ${#compiled[@]} || ${shown[i]#*:} != "${compiled[i]}" ]]; then
        finding "$page" "${shown[i]%%:*}" readme "the program differs from line $((i + 3)) of $sample"
        break
    fi
done
