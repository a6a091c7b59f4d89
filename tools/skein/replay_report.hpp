// SPDX-License-Identifier: Apache-2.0
// What a replay did: counters, and their two forms, JSON and text.
//
// The JSON form is fixed: keys, their order, integers. Objects that map reasons to counts hold only
// those that occurred. Stages add their own objects behind these.
#pragma once

#include <array>
#include <string>

#include <nlohmann/json_fwd.hpp>
#include <skein/frame_ledger.hpp>
#include <skein/parse_reason.hpp>

#include "stage.hpp"

namespace skein::tool {

struct replay_report {
    struct {
        std::uint64_t packets = 0;
        std::uint64_t bytes = 0;  // captured ones
        bool truncated = false;   // the capture ends inside a record
    } input;
    struct {
        std::uint64_t packets = 0;
        std::uint64_t bytes = 0;    // of the packets, also where a record had to be cut
        std::uint64_t snapped = 0;  // packets cut to max_written_bytes
    } output;
    struct {
        std::uint64_t snapped = 0;  // records that the capture holds only in part
        std::array<std::uint64_t, parse_reason_count> not_parsed{};
    } parse;
    tx_report tx;
    frame_ledger frames;
    std::uint64_t held_peak = 0;  // most frames in packets at once
};

nlohmann::ordered_json to_json(const replay_report& report);

// For people. `document` is the whole report; objects of stages are listed as they come.
std::string to_text(const nlohmann::ordered_json& document);

// All reasons that to_json may name.
std::vector<reason_list> replay_reasons();

nlohmann::ordered_json to_json(const std::vector<reason_list>& lists);
std::string to_text(const std::vector<reason_list>& lists);

}  // namespace skein::tool
