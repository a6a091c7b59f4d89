// SPDX-License-Identifier: Apache-2.0
#include "bench_series.hpp"

namespace skein::tool {

std::uint64_t ratio_permille(const bench_round& round) noexcept {
    if (round.peer.packets_per_second == 0) return 0;
    return round.own.packets_per_second * 1000 / round.peer.packets_per_second;
}

std::vector<bench_round> run_series(const bench_lab& lab, const contender& own,
                                    const contender* peer, const bench_case& what,
                                    const bench_timing& timing, std::uint32_t rounds,
                                    const std::function<void(std::uint32_t)>& show) {
    std::vector<bench_round> done;
    while (done.size() < rounds) {
        bench_round round;
        round.own_first = done.size() % 2 == 0;
        if (round.own_first) round.own = run_once(lab, own, what, timing);
        if (peer != nullptr) round.peer = run_once(lab, *peer, what, timing);
        if (!round.own_first) round.own = run_once(lab, own, what, timing);
        done.push_back(round);
        show(static_cast<std::uint32_t>(done.size()));
    }
    return done;
}

}  // namespace skein::tool
