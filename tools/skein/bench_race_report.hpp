// SPDX-License-Identifier: Apache-2.0
// Races as a table, and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench_race.hpp"

namespace skein::tool {

// The table's heading; `item` is what a cost is given for ("packet", "segment").
std::string race_heading(const std::string& item);
// A line for each contestant.
std::string as_rows(const race_finding& finding);
nlohmann::ordered_json as_json(const std::vector<race_finding>& findings, const std::string& item,
                               const race_timing& timing);

}  // namespace skein::tool
