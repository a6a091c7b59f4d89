// SPDX-License-Identifier: Apache-2.0
#include "replay_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

json to_json(const tx_report& tx) {
    return {{"scatter", tx.scatter},
            {"pull", tx.pull},
            {"merge", tx.merge},
            {"linearise", tx.linearise},
            {"split", tx.split},
            {"header_bytes", tx.header_bytes},
            {"copied_bytes", tx.copied_bytes},
            {"refused", json::object()}};  // nothing is refused without a device's limits
}

json not_parsed_json(const std::array<std::uint64_t, parse_reason_count>& counts) {
    auto object = json::object();
    for (const auto reason : all_parse_reasons) {
        const auto count = counts[static_cast<std::size_t>(reason)];
        if (count != 0) object[std::string(to_string(reason))] = count;
    }
    return object;
}

// One line an object: "  tx: scatter 3, pull 0"; nested objects as name.key.
void append_numbers(const json& object, const std::string& prefix, std::string& line) {
    for (const auto& [key, value] : object.items()) {
        if (value.is_object()) {
            append_numbers(value, prefix + key + ".", line);
        } else {
            line += fmt::format("{}{}{} {}", line.empty() ? "" : ", ", prefix, key, value.dump());
        }
    }
}

}  // namespace

json to_json(const replay_report& report) {
    return {{"input",
             {{"packets", report.input.packets},
              {"bytes", report.input.bytes},
              {"truncated", report.input.truncated}}},
            {"output",
             {{"packets", report.output.packets},
              {"bytes", report.output.bytes},
              {"snapped", report.output.snapped}}},
            {"parse",
             {{"snapped", report.parse.snapped},
              {"not_parsed", not_parsed_json(report.parse.not_parsed)}}},
            {"tx", to_json(report.tx)},
            {"frames",
             {{"total", report.frames.total},
              {"free", report.frames.free},
              {"lost", report.frames.lost()},
              {"held_peak", report.held_peak},
              {"written_off", report.frames.written_off}}}};
}

std::string to_text(const json& document) {
    std::string text;
    for (const auto& [name, object] : document.items()) {
        std::string line;
        append_numbers(object, "", line);
        text += fmt::format("{:<10} {}\n", name, line);
    }
    return text;
}

// --- reasons -------------------------------------------------------------------------------------

std::vector<reason_list> replay_reasons() {
    reason_list not_parsed{{"parse", "not_parsed"}, {}};
    for (const auto reason : all_parse_reasons)
        not_parsed.names.emplace_back(to_string(reason));
    return {std::move(not_parsed), {{"tx", "refused"}, {}}};
}

json to_json(const std::vector<reason_list>& lists) {
    auto document = json::object();
    for (const auto& list : lists) {
        auto* place = &document;
        for (const auto& name : list.object)
            place = &(*place)[name];
        *place = list.names;
    }
    return document;
}

std::string to_text(const std::vector<reason_list>& lists) {
    std::string text;
    for (const auto& list : lists) {
        text += fmt::format("{}\n", fmt::join(list.object, "."));
        for (const auto& name : list.names)
            text += fmt::format("  {}\n", name);
        if (list.names.empty()) text += "  (none)\n";
    }
    return text;
}

}  // namespace skein::tool
