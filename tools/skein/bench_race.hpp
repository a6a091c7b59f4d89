// SPDX-License-Identifier: Apache-2.0
// Ways of doing the same work, in turns, in one process.
//
//     race sums{.title = "1460 bytes",
//               .contestants = {{.name = "skein", .items = 32, .run = [&] { … }},
//                               {.name = "DPDK", .items = 32, .run = [&] { … }}}};
//     const auto finding = run_race(sums, {});
//
// The first contestant is the one the others are measured against: their ratio is their cost over
// its cost, so that 2 means "twice as dear as the first". A machine's speed drifts, so ratios are
// taken round by round: in a round each contestant has one turn of about `turn`, and who begins
// changes from round to round. Only run() is timed; prepare() and finish() bring in and take away
// what it works on (frames, packets), as often as it runs.
//
// run() should take a microsecond or more: reading the clock costs some 50 cycles, which are not
// taken off. Threading: one thread, which should stay on one CPU (stay_on_one_cpu).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quartiles.hpp"

namespace skein::tool {

struct contestant {
    std::string name;
    std::uint64_t items = 1;  // that one run() works on: what a cost is given for
    std::uint64_t bytes = 0;  // the same in bytes; 0: no rate in bytes makes sense
    std::function<void()> run;
    std::function<void()> prepare = {};
    std::function<void()> finish = {};
};

struct race {
    std::string title;
    std::vector<contestant> contestants;
};

struct race_timing {
    std::uint32_t rounds = 21;
    std::chrono::microseconds turn{2000};
};

struct race_placing {
    std::string name;
    quartiles cost;            // cycles (cycle_clock.hpp) of 1000 items
    quartiles ratio_permille;  // to the first contestant's cost; of the first itself 1000
    std::uint64_t bytes_per_1000_items = 0;
};

struct race_finding {
    std::string title;
    std::vector<race_placing> placings;
};

// Runs everybody once before the clock counts.
race_finding run_race(const race& what, const race_timing& timing);

// The CPU the thread is on, from now on. False where the kernel does not allow it.
bool stay_on_one_cpu() noexcept;

// Keeps the compiler from leaving out work whose result nobody uses.
template <class T>
inline void keep(const T& value) noexcept {
    asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace skein::tool
