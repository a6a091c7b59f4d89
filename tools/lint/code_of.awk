# SPDX-License-Identifier: Apache-2.0
# C and C++ without comments and without what is inside literals, line for line.
#
# Input: source files. Output: FILE:LINE:TEXT. An include line is left as it is. Literals become ""
# or '', raw ones too; the state that reaches over lines is a block comment or a raw literal.

FNR == 1 { in_comment = 0; raw_end = "" }

function literal_end(text, quote,    i) {
    for (i = 2; i <= length(text); ++i) {
        if (substr(text, i, 1) == "\\") ++i
        else if (substr(text, i, 1) == quote) return i
    }
    return length(text)
}

# The text after the first occurrence of mark; clears the state if it is there.
function after(text, mark,    at) {
    at = index(text, mark)
    if (at == 0) return ""
    in_comment = 0
    raw_end = ""
    return substr(text, at + length(mark))
}

function code(text,    out, ahead, end) {
    out = ""
    if (in_comment) text = after(text, "*/")
    else if (raw_end != "") text = after(text, raw_end)
    while (text != "") {
        ahead = substr(text, 1, 2)
        if (ahead == "//") break
        if (ahead == "/*") {
            in_comment = 1
            text = after(substr(text, 3), "*/")
        } else if (match(text, /^R"[^(]*\(/)) {
            raw_end = ")" substr(text, 3, RLENGTH - 3) "\""
            out = out "\"\""
            text = after(substr(text, RLENGTH + 1), raw_end)
        } else if (match(text, /^[0-9][0-9a-zA-Z'.]*/)) {  # 1'000 is no literal
            out = out substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
        } else if (match(text, /^[A-Za-z_][A-Za-z0-9_]*/)) {
            out = out substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
            if (out ~ /(^|[^A-Za-z0-9_])R$/ && text ~ /^"/) {
                sub(/R$/, "", out)
                text = "R" text
            }
        } else if (text ~ /^["']/) {
            end = literal_end(text, substr(text, 1, 1))
            out = out substr(text, 1, 1) substr(text, 1, 1)
            text = substr(text, end + 1)
        } else {
            out = out substr(text, 1, 1)
            text = substr(text, 2)
        }
    }
    return out
}

!in_comment && raw_end == "" && /^[ \t]*#[ \t]*include/ {
    sub(/[ \t]*\/\/.*$/, "")
    print FILENAME ":" FNR ":" $0
    next
}
{ print FILENAME ":" FNR ":" code($0) }
