// SPDX-License-Identifier: Apache-2.0
#include "live_report.hpp"

#include <nlohmann/json.hpp>

#include "live_json.hpp"
#include "live_text.hpp"
#include "standard_output.hpp"

namespace skein::tool {

namespace {

// A name that is no UTF-8 must not keep the line from being written.
std::string one_line(const nlohmann::ordered_json& object) {
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

void live_report::say(const std::string& text) const {
    json_ ? print_error(text + "\n") : print_out(text + "\n");
}

void live_report::opened(const std::vector<std::string>& descriptions) const {
    for (const auto& line : descriptions)
        say(line);
}

void live_report::second(std::uint64_t t, const std::vector<port_sample>& ports) const {
    std::string text;
    for (const auto& sample : ports)
        text += (json_ ? one_line(second_line(t, sample)) : second_text(t, sample)) + "\n";
    print_out(text);
}

void live_report::notice(const std::string& text) const {
    print_error(text + "\n");
}

void live_report::final(std::uint64_t t, const std::vector<shard_result>& shards,
                        const command_failure* failure) const {
    const auto total = add_up(shards);
    if (json_) {
        final_json(t, total, failure);
        for (const auto& shard : shards) {
            for (const auto& teardown : shard.teardowns)
                notice(teardown);
        }
    } else {
        print_out(final_text(t, total, shards));
    }
    for (const auto& line : remedies(total))
        notice(line);
}

void live_report::final_json(std::uint64_t t, const live_totals& total,
                             const command_failure* failure) const {
    auto line = final_line(t, total);
    stages_->report(line);
    if (failure != nullptr) {
        line["error"] = {{"what", failure->what()}, {"remedy", failure->remedy()}};
    }
    print_out(one_line(line) + "\n");
}

}  // namespace skein::tool
