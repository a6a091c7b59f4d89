# SPDX-License-Identifier: Apache-2.0
# The string literals of C and C++ sources: what a program can print.
#
# Input: source files. Output: one line a file, its literals in order; neighbours that the compiler
# joins are joined, a byte 1 stands between others. Comments, includes and characters are left out.

FNR == 1 { if (NR > 1) print ""; in_comment = 0; raw_end = ""; apart = 0 }

function add(text) {
    gsub(/\\"/, "\"", text)
    printf "%s%s", apart ? "\001" : "", text
    apart = 0
}

# The text behind a mark that ends a comment or a raw literal, whose text is told.
function behind(text, mark,    at) {
    at = index(text, mark)
    if (raw_end != "") printf "%s", at ? substr(text, 1, at - 1) : text
    if (at == 0) return ""
    in_comment = 0
    raw_end = ""
    return substr(text, at + length(mark))
}

function scan(text) {
    if (in_comment) text = behind(text, "*/")
    else if (raw_end != "") text = behind(text, raw_end)
    while (text != "") {
        if (match(text, /^[ \t]+/)) {
        } else if (text ~ /^\/\//) {
            return
        } else if (text ~ /^\/\*/) {
            in_comment = 1
            text = behind(substr(text, 3), "*/")
            continue
        } else if (match(text, /^R"[^(]*\(/)) {
            add("")
            raw_end = ")" substr(text, 3, RLENGTH - 3) "\""
            text = behind(substr(text, RLENGTH + 1), raw_end)
            continue
        } else if (match(text, /^"([^"\\]|\\.)*"/)) {
            add(substr(text, 2, RLENGTH - 2))
        } else {
            apart = 1
            if (!match(text, /^('([^'\\]|\\.)*'|[A-Za-z0-9_][A-Za-z0-9_']*|[^A-Za-z0-9_"'\/ \t]+)/)) RLENGTH = 1
        }
        text = substr(text, RLENGTH + 1)
    }
}

!in_comment && raw_end == "" && /^[ \t]*#[ \t]*include/ { next }
{ scan($0) }
END { print "" }
