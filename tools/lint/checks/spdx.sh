#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every source says under which licence it may be used: Apache-2.0, and GPL-2.0-only OR BSD-2-Clause
# for what becomes part of an XDP program. Only documents and data go without.
source "$(dirname "$0")/../common.sh"

sources='.*\.([ch]pp|[ch]|sh|awk|cmake|in|ya?ml|supp)|(.*/)?(CMakeLists\.txt|Dockerfile|\.ci/run)'
while IFS= read -r file; do
    licence=Apache-2.0
    if [[ $file == bpf/*.[ch] ]]; then licence="GPL-2.0-only OR BSD-2-Clause"; fi
    said=$(sed -n '1,3s/.*SPDX-License-Identifier: *\(.*[^ */]\).*/\1/p' "$file")
    if [[ -z $said ]]; then
        finding "$file" 1 spdx "no SPDX-License-Identifier in the first three lines"
    elif [[ $said != "$licence" ]]; then
        finding "$file" 1 spdx "licence is '$said', should be '$licence'"
    fi
done < <(files "$sources")
