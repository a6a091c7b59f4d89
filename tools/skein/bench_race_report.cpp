// SPDX-License-Identifier: Apache-2.0
#include "bench_race_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cycle_clock.hpp"

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

double of_one(std::uint64_t thousandths) {
    return static_cast<double>(thousandths) / 1000;
}

std::string bytes_a_cycle(const race_placing& placing) {
    if (placing.bytes_per_1000_items == 0 || placing.cost.median == 0) return "-";
    return fmt::format("{:.2f}", of_one(placing.bytes_per_1000_items * 1000 / placing.cost.median));
}

json to_json(const quartiles& q) {
    return {{"lower", q.lower}, {"median", q.median}, {"upper", q.upper}};
}

json to_json(const race_placing& placing) {
    return {{"name", placing.name},
            {"cost_of_1000", to_json(placing.cost)},
            {"bytes_of_1000", placing.bytes_per_1000_items},
            {"ratio_permille", to_json(placing.ratio_permille)}};
}

}  // namespace

std::string race_heading(const std::string& item) {
    return fmt::format("{:28} {:26} {:>16} {:>10}   {}\n", "case", "who",
                       fmt::format("{}/{}", cycle_unit, item),
                       fmt::format("bytes/{}", cycle_unit == "ns" ? "ns" : "cycle"),
                       "cost / first's: lower quartile, median, upper");
}

std::string as_rows(const race_finding& finding) {
    std::string text;
    for (const auto& placing : finding.placings) {
        const auto& ratio = placing.ratio_permille;
        text += fmt::format("{:28} {:26} {:>16.1f} {:>10}   {:.3f} {:.3f} {:.3f}\n", finding.title,
                            placing.name, of_one(placing.cost.median), bytes_a_cycle(placing),
                            of_one(ratio.lower), of_one(ratio.median), of_one(ratio.upper));
    }
    return text;
}

json as_json(const std::vector<race_finding>& findings, const std::string& item,
             const race_timing& timing) {
    json object = {{"item", item},
                   {"unit", cycle_unit},
                   {"rounds", timing.rounds},
                   {"turn_us", timing.turn.count()},
                   {"races", json::array()}};
    for (const auto& finding : findings) {
        auto placings = json::array();
        for (const auto& placing : finding.placings)
            placings.push_back(to_json(placing));
        object["races"].push_back({{"case", finding.title}, {"contestants", std::move(placings)}});
    }
    return object;
}

}  // namespace skein::tool
