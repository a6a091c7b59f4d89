// SPDX-License-Identifier: Apache-2.0
#include "stage_options.hpp"

#include "command.hpp"
#include "frame_memory.hpp"
#include "replay_report.hpp"
#include "support/catch.hpp"
#include "unit/tools/trial_stage.hpp"

using namespace skein::test;
using namespace skein::tool;

namespace {

struct line {
    trial_counters counters;
    stage_options stages{kinds(counters)};
    CLI::App command;

    explicit line(const std::string& arguments) {
        stages.add_to(command);
        command.parse(arguments);
    }
    static stage_kinds kinds(trial_counters& counters) {
        stage_kinds made;
        made.push_back(std::make_unique<trial_kind>(trial_settings{}, counters));
        return made;
    }
};

}  // namespace

TEST_CASE("a stage is made only where its option is given") {
    frame_memory memory(1, 2048);
    tx_report tx;
    const stage_place place{memory.pool(), skein::link_layer::ethernet, tx};
    line without("--gro off");
    CHECK_FALSE(without.stages.any());
    CHECK(without.stages.make(place).empty());
    nlohmann::ordered_json document;
    without.stages.report(document);
    CHECK(document.is_null());

    line with("--trial");
    CHECK(with.stages.any());
    CHECK(with.stages.make(place).size() == 1);
    with.stages.report(document);
    CHECK(document.contains("trial"));
}

TEST_CASE("reasons of every stage are listed, asked for or not") {
    line without("");
    auto lists = replay_reasons();
    for (auto& list : without.stages.reasons())
        lists.push_back(std::move(list));
    const auto document = to_json(lists);
    CHECK(document["trial"]["dropped"] == std::vector<std::string>{"too_dull"});
    CHECK(document["parse"]["not_parsed"].size() == skein::all_parse_reasons.size());
    CHECK(to_text(lists).find("trial.dropped\n  too_dull\n") != std::string::npos);
}

TEST_CASE("the option of a stage that is not there is refused, its default is not") {
    for (const auto* accepted : {"--defrag off", "--gro off", "--gro=off --defrag=off"}) {
        CHECK_NOTHROW(line(accepted));
    }
    for (const auto* refused : {"--defrag local", "--gro on", "--nat x", "--icmp", "--mss 1448"}) {
        CHECK_THROWS_AS(line(refused), usage_failure);
    }
}
