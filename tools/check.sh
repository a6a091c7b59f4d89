#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds skein and runs its tests.
#
#   tools/check.sh [--quick] [--require-all] [--only STEP]...
#
#   --quick        packages, lint, and the release build with its tests, the long ones cut short
#                  or left out
#   --require-all  a test that is skipped is a failure (for machines where everything can run)
#   --only STEP    this step alone; may be repeated
#
# Steps, in this order (each runs even if one before it failed):
#
#   packages   installs what is missing, in one apt-get call
#   lint       tools/lint/run.sh
#   dev        g++, address and undefined-behaviour sanitizers: all tests but those in namespaces
#   clang      clang, optimised: unit and property tests
#   tsan       g++, thread sanitizer: unit tests of the libraries
#   fuzz       clang, libFuzzer: every target for FUZZ_SECONDS (default 15) from its corpus
#   release    g++, optimised: every test, and the only one that runs the live tests
#
# Everything lands under build/, a log of each step in build/check/. SKEIN_CASES, if set, names a
# directory of captures with known answers; it reaches the tests through the environment.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
cd "$repository"
logs=build/check
quick=false require_all=false steps=() failed=() summary=()

# shellcheck source=tools/packages.sh
source tools/packages.sh

usage() {
    sed -n 's/^#   \(tools.*\)/usage: \1/p' "$0" >&2
    exit 2
}

while [[ $# -gt 0 ]]; do
    case $1 in
        --quick) quick=true ;;
        --require-all) require_all=true ;;
        --only)
            [[ ${2:-} =~ ^(packages|lint|dev|clang|tsan|fuzz|release)$ ]] || usage
            steps+=("$2")
            shift
            ;;
        *) usage ;;
    esac
    shift
done
if [[ ${#steps[@]} -eq 0 ]]; then
    steps=(packages lint)
    $quick || steps+=(dev clang tsan fuzz)
    steps+=(release)
fi

if $require_all; then export SKEIN_REQUIRE_NETNS=1; fi
if $quick; then export FORWARD_BYTES=${FORWARD_BYTES:-64M}; fi
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi

# Sanitizers of this age cannot place their shadow memory where the kernel randomises mappings by
# more than 28 bits (vm.mmap_rnd_bits): their programs run at fixed addresses.
fixed_addresses() {
    if setarch -R true 2>/dev/null; then setarch -R "$@"; else "$@"; fi
}

# build PRESET BUILD_OPTION...
build() {
    local preset=$1
    shift
    cmake --preset "$preset"
    fixed_addresses cmake --build --preset "$preset" --parallel "$(nproc)" "$@"
}

# run_tests PRESET CTEST_OPTION...: in $logs/PRESET.tests is what ctest said.
run_tests() {
    local preset=$1 code=0
    shift
    fixed_addresses ctest --preset "$preset" --no-tests=error --parallel "$(nproc)" "$@" \
        2>&1 | tee "$logs/$preset.tests" || code=$?
    if $require_all && grep -qE '\((Skipped|Not Run|Disabled)\)$' "$logs/$preset.tests"; then
        echo "tests of $preset were skipped, and --require-all forbids that"
        return 1
    fi
    return "$code"
}

step_packages() { install_missing build run test; }

step_lint() { tools/lint/run.sh; }

step_dev() {
    build dev
    run_tests dev --label-exclude 'netns|bench|install|lint|newer'
}

# Libraries, command, sample, and their tests; what tests the command as a whole is left to g++.
step_clang() {
    build clang --target skein sample_reflect sample_drop sample_forward sample_xdpsock sample_embed \
        sample_echo sample_own_loop unit_asio unit_core unit_xsk unit_xsk_fake \
        area_property checksum_property parse_property packet_property port_property
    run_tests clang --label-regex 'unit|property'
}

# The command is a single thread wherever it can be: only the libraries' tests are of interest. Those
# of Asio are left out: g++'s sanitizer does not know the fences that Boost works with.
step_tsan() {
    build tsan --target unit_core unit_xsk unit_xsk_fake
    run_tests tsan --label-regex unit --label-exclude 'command|newer'
}

# What a target finds on the way is kept in build/fuzz; the committed corpus is only read.
fuzz_target() {
    local program=$1 name found
    name=${program##*/fuzz_}
    found=build/fuzz/found/$name
    mkdir -p "$found"
    fixed_addresses "$program" -max_total_time="${FUZZ_SECONDS:-10}" -print_final_stats=1 \
        -artifact_prefix="$found-" "$found" "test/fuzz/corpus/$name"
}

step_fuzz() {
    local program log
    build fuzz
    for program in build/fuzz/bin/fuzz_*; do
        log=$logs/${program##*/}.log
        fuzz_target "$program" >"$log" 2>&1 || {
            tail -n 40 "$log"
            return 1
        }
        printf '%s: %s inputs tried, none fails\n' "${program##*/}" \
            "$(awk '/number_of_executed_units/ {print $2}' "$log")"
    done
}

step_release() {
    build release
    if $quick; then run_tests release --label-exclude 'long|install'; else run_tests release; fi
}

# Runs one step, shows it and logs it, and remembers how it went and how long it took.
run_step() {
    local step=$1 status begin=$SECONDS
    printf '\n==== %s\n' "$step"
    set +e
    (
        set -e
        "step_$step"
    ) 2>&1 | tee "$logs/$step.log"
    status=${PIPESTATUS[0]}
    set -e
    if [[ $status -ne 0 ]]; then failed+=("$step"); fi
    summary+=("$(printf '%-10s %4d s  %s' "$step" $((SECONDS - begin)) \
        "$([[ $status -eq 0 ]] && echo passed || echo "FAILED, see $logs/$step.log")")")
}

# ctest's closing lines, as it wrote them, under the step they belong to; release comes last.
closing_lines() {
    local step
    for step in "${steps[@]}"; do
        [[ -f $logs/$step.tests ]] || continue
        printf '\n%s:\n' "$step"
        sed -n '/^[0-9]*% tests passed/p; /^The following tests \(FAILED\|did not run\)/,/^[^\t]*$/p' \
            "$logs/$step.tests"
    done
}

mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*.tests
for step in "${steps[@]}"; do run_step "$step"; done

printf '\n==== summary: %d s\n' "$SECONDS"
printf '%s\n' "${summary[@]}"
if [[ ${#failed[@]} -ne 0 ]]; then printf 'failed: %s\n' "${failed[*]}"; fi
closing_lines
[[ ${#failed[@]} -eq 0 ]]
