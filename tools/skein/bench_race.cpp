// SPDX-License-Identifier: Apache-2.0
#include "bench_race.hpp"

#include <sched.h>

#include "cycle_clock.hpp"

namespace skein::tool {

namespace {

std::uint64_t time_once(const contestant& who) {
    if (who.prepare) who.prepare();
    const auto begin = read_cycles();
    who.run();
    const auto end = read_cycles();
    if (who.finish) who.finish();
    return end - begin;
}

// Cycles of 1000 items.
std::uint64_t take_turn(const contestant& who, std::chrono::microseconds turn) {
    const auto until = std::chrono::steady_clock::now() + turn;
    std::uint64_t cycles = 0;
    std::uint64_t runs = 0;
    do {
        cycles += time_once(who);
        ++runs;
    } while (std::chrono::steady_clock::now() < until);
    return cycles * 1000 / (runs * who.items);
}

using round_costs = std::vector<std::uint64_t>;  // a contestant's, round by round

std::vector<round_costs> costs_of(const race& what, const race_timing& timing) {
    const auto entrants = what.contestants.size();
    std::vector<round_costs> costs(entrants, round_costs(timing.rounds));
    for (std::uint32_t round = 0; round < timing.rounds; ++round) {
        for (std::size_t turn = 0; turn < entrants; ++turn) {
            const auto who = (round + turn) % entrants;
            costs[who][round] = take_turn(what.contestants[who], timing.turn);
        }
    }
    return costs;
}

quartiles ratios(const round_costs& of, const round_costs& to) {
    std::vector<std::uint64_t> permille;
    for (std::size_t round = 0; round < of.size(); ++round)
        permille.push_back(to[round] == 0 ? 0 : of[round] * 1000 / to[round]);
    return quartiles_of(std::move(permille));
}

}  // namespace

race_finding run_race(const race& what, const race_timing& timing) {
    for (const auto& who : what.contestants)
        time_once(who);
    const auto costs = costs_of(what, timing);
    race_finding finding{what.title, {}};
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const auto& who = what.contestants[i];
        finding.placings.push_back({who.name, quartiles_of(costs[i]), ratios(costs[i], costs[0]),
                                    who.bytes * 1000 / who.items});
    }
    return finding;
}

bool stay_on_one_cpu() noexcept {
    const int cpu = ::sched_getcpu();
    if (cpu < 0) return false;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(static_cast<unsigned>(cpu), &only);
    return ::sched_setaffinity(0, sizeof only, &only) == 0;
}

}  // namespace skein::tool
