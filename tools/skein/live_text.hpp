// SPDX-License-Identifier: Apache-2.0
// What live commands print for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "live_totals.hpp"

namespace skein::tool {

// A line for a port's last second.
std::string second_text(std::uint64_t t, const port_sample& port);
// Ports, verdicts of the XDP program, how the ports closed, frames.
std::string final_text(std::uint64_t t, const live_totals& total,
                       const std::vector<shard_result>& shards);
// A line for each reason of a drop or an event, with what helps.
std::vector<std::string> remedies(const live_totals& total);

}  // namespace skein::tool
