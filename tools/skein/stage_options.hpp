// SPDX-License-Identifier: Apache-2.0
// The stages a command line asks for: the same options for replay, rx, tx and forward.
//
//     stage_options stages;
//     stages.add_to(*command);                      // before parsing
//     pipeline way(stages.make(place), sink);       // for each interface or port
//     stages.report(document);                      // at the end
#pragma once

#include "stage.hpp"

namespace skein::tool {

class stage_options {
  public:
    explicit stage_options(stage_kinds kinds = all_stage_kinds()) : kinds_(std::move(kinds)) {}

    // Declares every stage's options, and those of stages this version does not have: giving one of
    // the latter is a usage_failure.
    void add_to(CLI::App& command);

    // Is any stage asked for?
    bool any() const;

    // The stages asked for, in the order packets pass them.
    std::vector<std::unique_ptr<stage>> make(const stage_place& place);

    packet_balance balance() const;
    void report(nlohmann::ordered_json& document) const;
    std::vector<reason_list> reasons() const;  // of every stage, asked for or not

  private:
    stage_kinds kinds_;
};

// Declares the options of stages that are not part of this version (unavailable_options.cpp).
void add_unavailable_options(CLI::App& command);
// Those that forward alone has.
void add_unavailable_forward_options(CLI::App& command);

}  // namespace skein::tool
