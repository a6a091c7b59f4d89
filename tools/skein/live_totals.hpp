// SPDX-License-Identifier: Apache-2.0
// Everything a live command counted, added up over shards and ports.
#pragma once

#include <string>
#include <vector>

#include "live_shard.hpp"

namespace skein::tool {

struct live_totals {
    std::vector<port_sample> ports;
    std::vector<std::string> interfaces;  // each once, in order
    direction_sample rx;
    direction_sample tx;
    std::uint64_t tx_calls = 0;
    reason_counts events;
    frame_ledger frames;
    xsk::verdict_counts verdicts;
    std::uint64_t copied_bytes = 0;
};

live_totals add_up(const std::vector<shard_result>& shards);

}  // namespace skein::tool
