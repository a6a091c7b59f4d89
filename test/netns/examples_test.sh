#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every example that the help of rx, tx, forward, lab and doctor shows runs as it is printed: to its end, or
# until Ctrl-C, with exit status 0. (Those of replay have a test beside replay.)
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"

here='' there=''
make_space here
make_space there
join_spaces "$here" veth0 "$there" far
join_spaces "$here" left "$there" far-left
join_spaces "$here" right "$there" far-right

# Something to receive, so that --count examples come to their end.
keep_sending() { ip netns exec "$there" "$skein" tx far --rate 2000 --duration 60 --json; }

# run_example LINE: in a scratch folder, with `skein` on the path; Ctrl-C a second after it spoke.
run_example() {
    local path
    path=$(dirname "$(realpath "$skein")"):$PATH
    say "- $1"
    start example ${space:+ip netns exec "$space"} env -C "$live_work" PATH="$path" bash -c "exec $1"
    local running=$started
    wait_until 10 spoke_or_ended "$running" || fail "'$1' says nothing"
    wait_until 2 ended "$running" || kill -INT "$running"
    finish "$running" -
    assert_equal 0 "$status" "exit status of '$1': $(<"$live_work/example.err")"
}
spoke_or_ended() { [[ -s $live_work/example.out || -s $live_work/example.err ]] || ended "$1"; }

examples_of() {
    local list line count=0
    list=$("$skein" "$1" --list-examples)
    while read -r line; do
        run_example "$line"
        count=$((count + 1))
    done <<<"$list"
    [[ $count -gt 0 ]] || fail "$1 has no examples"
}

start sender bash -c "$(declare -f keep_sending); there=$there skein=$skein; keep_sending"
space=$here
for command in rx tx forward doctor; do examples_of "$command"; done
space=''
examples_of lab
