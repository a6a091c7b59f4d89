// SPDX-License-Identifier: Apache-2.0
// The JSON lines of live commands: their form is in live_report.hpp.
#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

#include "live_totals.hpp"

namespace skein::tool {

nlohmann::ordered_json second_line(std::uint64_t t, const port_sample& port);
nlohmann::ordered_json final_line(std::uint64_t t, const live_totals& total);

}  // namespace skein::tool
