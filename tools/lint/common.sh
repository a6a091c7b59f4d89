# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the checks share. Each check is sourced after this file has been, runs at the top of the
# tree it looks at, and prints its findings with `finding`; reports that are no findings go to
# stderr. A check takes no arguments and changes nothing, unless LINT_FIX is set.

set -euo pipefail
lint_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "${LINT_ROOT:-$lint_directory/../..}"

# finding FILE LINE RULE WHAT
finding() { printf '%s:%s: %s: %s\n' "$@"; }

# Every file of the tree that is, or could be, committed.
all_files() {
    if [[ -e .git ]]; then
        git ls-files --cached --others --exclude-standard
    else
        find . -path ./build -prune -o -type f -printf '%P\n'
    fi | LC_ALL=C sort -u | while IFS= read -r file; do
        if [[ -f $file ]]; then printf '%s\n' "$file"; fi
    done
}

# files REGEX: those of all_files whose whole path matches.
files() { all_files | grep -xE "$1" || true; }

cpp_files() { files '(core|xsk|samples|tools|test)/.*\.[ch]pp'; }
bpf_files() { files 'bpf/.*\.[ch]'; }
shell_files() {
    files '.*\.sh'
    files '\.ci/run'
}

# C and C++ as the compiler sees it: comments and literals blanked, each line as FILE:LINE:TEXT.
code_of() { if [[ $# -gt 0 ]]; then awk -f "$lint_directory/code_of.awk" "$@"; fi; }

# matches RULE WHAT REGEX: those lines of code_of on stdin that match become findings.
matches() {
    local rule=$1 what=$2 regex=$3
    awk -v rule="$rule" -v what="$what" -v regex="$regex" '{
        file = $0; sub(/:.*/, "", file)
        rest = substr($0, length(file) + 2)
        line = rest; sub(/:.*/, "", line)
        text = substr(rest, length(line) + 2)
        if (text ~ regex) printf "%s:%s: %s: %s\n", file, line, rule, what
    }'
}
