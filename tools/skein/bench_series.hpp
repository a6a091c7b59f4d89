// SPDX-License-Identifier: Apache-2.0
// Many runs of one case, alternating with a peer, and what is typical of them.
//
// A shared machine's speed drifts: only runs right beside each other can be compared. So each round
// runs both, the order changing from round to round, and the ratio is taken round by round.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bench_case.hpp"
#include "bench_run.hpp"
#include "quartiles.hpp"

namespace skein::tool {

struct bench_round {
    bench_result own;
    bench_result peer;  // zeros where there is none
    bool own_first = true;
};

// own / peer in thousandths.
std::uint64_t ratio_permille(const bench_round& round) noexcept;

// peer may be null. `show` is called after each round with how many are done.
std::vector<bench_round> run_series(const bench_lab& lab, const contender& own,
                                    const contender* peer, const bench_case& what,
                                    const bench_timing& timing, std::uint32_t rounds,
                                    const std::function<void(std::uint32_t)>& show);

}  // namespace skein::tool
