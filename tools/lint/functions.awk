# SPDX-License-Identifier: Apache-2.0
# The functions of formatted C and C++: one FILE:LINE:LENGTH:NAME a function.
#
# Input: what code_of.awk prints. A block belongs to a function if it opens outside of any, and if
# its head (everything since the last ; { or }) has a parameter list and is no namespace, class or
# enum. Length counts the lines from the opening brace to the closing one. Braces that initialise
# something stand directly behind a name, an operator or a comma; the formatter sees to that.

function is_scope(head,    text) {
    text = head
    gsub(/alignas *\([^()]*\)|__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)|\[\[[^]]*\]\]/, "", text)
    sub(/^ *template *<.*> */, "", text)
    if (text ~ /(^|[ \t])namespace([ \t]|$)/ || text ~ /extern *""/) return 1
    return text ~ /(^|[ \t])(class|struct|union|enum)([ \t]|$)/ && text !~ /\(/
}

function is_block(before, head) {
    if (before ~ /[=,(\[{] *$/ || before ~ /return *$/) return 0
    return before ~ /[ \t]$/ || before ~ /^[ \t]*$/
}

function name_of(head,    text) {
    text = head
    gsub(/\[\[[^]]*\]\]/, "", text)
    if (match(text, /operator *[^ (]+/)) return substr(text, RSTART, RLENGTH)
    sub(/\(.*/, "", text)
    sub(/[ \t]*$/, "", text)
    sub(/^.*[ \t*&]/, "", text)
    return text
}

function open_brace(before,    kind) {
    kind = "initialiser"
    if (is_block(before, head)) {
        kind = "block"
        if (!in_function && is_scope(head)) kind = "scope"
        else if (!in_function && head ~ /\(/) {
            kind = "function"
            in_function = 1
            begin = line
            name = name_of(head)
        }
    }
    kinds[++depth] = kind
    if (kind != "initialiser") head = ""
}

function close_brace() {
    if (depth == 0) return
    if (kinds[depth] == "function") {
        in_function = 0
        printf "%s:%d:%d:%s\n", file, begin, line - begin + 1, name
    }
    if (kinds[depth] != "initialiser") head = ""
    --depth
}

{
    split($0, part, ":")
    if (part[1] != file) { file = part[1]; depth = 0; in_function = 0; head = ""; directive = 0 }
    line = part[2]
    text = substr($0, length(part[1]) + length(part[2]) + 3)
    if (directive || text ~ /^[ \t]*#/) { directive = text ~ /\\$/; next }
    before = ""
    for (i = 1; i <= length(text); ++i) {
        c = substr(text, i, 1)
        if (c == "{") open_brace(before)
        else if (c == "}") close_brace()
        else if (c == ";") head = ""
        else head = head c
        before = before c
    }
    head = head " "
}
