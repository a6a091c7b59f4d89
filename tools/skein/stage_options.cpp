// SPDX-License-Identifier: Apache-2.0
#include "stage_options.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace skein::tool {

void stage_options::add_to(CLI::App& command) {
    for (const auto& kind : kinds_)
        kind->add_options(command);
    add_unavailable_options(command);
}

bool stage_options::any() const {
    return std::any_of(kinds_.begin(), kinds_.end(), [](const auto& k) { return k->wanted(); });
}

std::vector<std::unique_ptr<stage>> stage_options::make(const stage_place& place) {
    std::vector<std::unique_ptr<stage>> stages;
    for (const auto& kind : kinds_) {
        if (kind->wanted()) stages.push_back(kind->make(place));
    }
    return stages;
}

packet_balance stage_options::balance() const {
    packet_balance sum;
    for (const auto& kind : kinds_)
        sum += kind->balance();
    return sum;
}

void stage_options::report(nlohmann::ordered_json& document) const {
    for (const auto& kind : kinds_) {
        if (kind->wanted()) kind->report(document);
    }
}

std::vector<reason_list> stage_options::reasons() const {
    std::vector<reason_list> all;
    for (const auto& kind : kinds_) {
        for (auto& list : kind->reasons())
            all.push_back(std::move(list));
    }
    return all;
}

}  // namespace skein::tool
