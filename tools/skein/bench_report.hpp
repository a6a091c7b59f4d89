// SPDX-License-Identifier: Apache-2.0
// What `skein bench io` found, for people (a row a case) and for programs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench_series.hpp"

namespace skein::tool {

struct bench_finding {
    bench_case what;
    std::vector<bench_round> rounds;
};

// peer: its name, empty where there is none.
std::string bench_heading(const std::string& peer);
std::string as_row(const bench_finding& finding, bool with_peer);

// seconds: of each run.
nlohmann::ordered_json as_json(const std::vector<bench_finding>& findings, const std::string& peer,
                               std::uint32_t seconds);

}  // namespace skein::tool
