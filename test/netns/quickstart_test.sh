#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/quickstart.sh: twice in a row, interrupted, with --keep, beside a lab that is up, without root.
# It runs on the release build, which it brings up to date itself.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"

quickstart=$repository/tools/quickstart.sh
skein=$repository/build/release/bin/skein

lab_is_gone() { [[ -z $(find /run/netns -name 'skein-client' -o -name 'skein-middle' -o -name 'skein-server') ]]; }

run_quickstart() {
    local code=0
    "$quickstart" "$@" >"$live_work/out" 2>"$live_work/err" || code=$?
    printf '%s' "$code"
}

it_works_and_leaves_nothing() {
    assert_equal 0 "$(run_quickstart --seconds 1)" "first run: $(tail -n 20 "$live_work/out" "$live_work/err")"
    assert_contains "Everything arrived intact" "$(<"$live_work/out")"
    lab_is_gone || fail "the lab is still there after the first run"
}

# Ctrl-C reaches the whole process group.
an_interrupt_takes_the_lab_down() {
    start interrupted setsid "$quickstart" --seconds 20
    wait_until 60 grep -q "ping IPv4" "$live_work/interrupted.out" ||
        fail "no measurement begins: $(tail -n 20 "$live_work/interrupted.err")"
    kill -INT -- "-$started"
    finish "$started" - 20
    assert_equal 130 "$status" "exit status after Ctrl-C"
    lab_is_gone || fail "the lab is still there"
}

twice_in_a_row_works_and_keep_leaves_the_lab() {
    assert_equal 0 "$(run_quickstart --seconds 1 --keep)" "second run: $(tail -n 20 "$live_work/out" "$live_work/err")"
    assert_contains "Everything arrived intact" "$(<"$live_work/out")"
    assert_contains "$skein lab down" "$(<"$live_work/out")"
    assert_equal 1 "$(run_quickstart)" "exit status beside a lab"
    assert_contains "already up" "$(<"$live_work/err")"
    [[ -e /run/netns/skein-client ]] || fail "somebody else's lab was taken down"
    "$skein" lab down >/dev/null
}

without_root_it_is_one_line() {
    local said
    said=$(setpriv --reuid 65534 --clear-groups bash "$quickstart" 2>&1) && fail "it ran without root"
    assert_equal 1 "$(wc -l <<<"$said")" "lines said"
    assert_contains "needs root" "$said"
}

for case in it_works_and_leaves_nothing twice_in_a_row_works_and_keep_leaves_the_lab \
    an_interrupt_takes_the_lab_down without_root_it_is_one_line; do
    say "- ${case//_/ }"
    "$case"
done
