// SPDX-License-Identifier: Apache-2.0
// Replay with a stage in it: time, pressure, balance, and what a stage adds to the report. What
// replay does without stages is tested on the program (test/replay).
#include "replay_run.hpp"

#include <nlohmann/json.hpp>

#include "replay/capture_look.hpp"
#include "replay/sample_packets.hpp"
#include "support/catch.hpp"
#include "unit/tools/trial_stage.hpp"

using namespace skein::test;
using namespace skein::tool;

namespace {

// A replay of packets at these times through one trial stage.
struct trial {
    scratch_folder folder;
    trial_counters counters;
    CLI::App command;
    stage_options stages;
    replay_settings settings;

    trial(const std::vector<std::uint64_t>& times_ns, trial_settings how)
        : stages(kinds(how, counters)) {
        std::vector<sample> samples;
        for (const auto t : times_ns)
            samples.push_back({t, packet_of_link(1)});
        write_file(folder / "in.pcap", make_pcap(samples, {.nanoseconds = true}));
        settings = {.in = folder / "in.pcap", .out = folder / "out.pcap"};
        stages.add_to(command);
        command.parse("--trial");
    }
    static stage_kinds kinds(trial_settings how, trial_counters& counters) {
        stage_kinds made;
        made.push_back(std::make_unique<trial_kind>(how, counters));
        return made;
    }
    replay_report run() { return replay_run(settings, stages).run(); }
    std::vector<std::uint64_t> times() const {
        std::vector<std::uint64_t> all;
        for (const auto& p : look_at(folder / "out.pcap").packets)
            all.push_back(p.time_ns);
        return all;
    }
};

using calls = std::vector<std::string>;
using times = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("what expires at a packet's time goes out before that packet") {
    trial t({1000, 1500, 2000, 5000}, {.hold_ns = 1000});
    t.run();
    CHECK(t.counters.calls == calls{"in 1000", "in 1500", "out 1000", "in 2000", "out 1500",
                                    "out 2000", "in 5000", "out 5000"});
}

TEST_CASE("a clock that runs backwards lets nothing expire early or late") {
    trial t({5000, 1000, 5999, 6000}, {.hold_ns = 1000});
    t.run();
    CHECK(t.counters.calls == calls{"in 5000", "in 1000", "in 5999", "out 5000", "out 1000",
                                    "in 6000", "out 5999", "out 6000"});
    CHECK(t.times() == times{5000, 1000, 5999, 6000});
}

TEST_CASE("timers run on every interface, whichever the packet came from") {
    trial t({}, {.hold_ns = 1000});
    pcapng_maker file;
    const auto nanoseconds = file.body().option(9, std::vector{std::byte{9}}).bytes();
    file.interface(1, 0, nanoseconds).interface(1, 0, nanoseconds);
    file.enhanced(0, 1000, pattern(60)).enhanced(1, 2000, pattern(61));
    write_file(t.settings.in, file.bytes());
    t.run();
    CHECK(t.counters.calls == calls{"in 1000", "out 1000", "in 2000", "out 2000"});
}

TEST_CASE("under pressure a stage lets go, and no packet is lost") {
    trial t({1, 2, 3, 4, 5, 6, 7}, {.hold_ns = 1'000'000});
    t.settings.frames = 3;
    const auto report = t.run();
    CHECK(report.output.packets == 7);
    CHECK(report.held_peak == 3);
    CHECK(report.frames.free == 3);
    CHECK(t.times() == times{1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("in + made = out + unfinished, and the stage's object follows the others") {
    trial doubled({1, 2, 3}, {.copies = 2});
    const auto report = doubled.run();
    CHECK(report.input.packets == 3);
    CHECK(report.output.packets == 6);
    auto document = to_json(report);
    doubled.stages.report(document);
    CHECK(document.back() == nlohmann::ordered_json({{"made", 3}}));

    trial unfinished({1, 2, 3}, {.hold_ns = 1000, .drop_at_end = true});
    CHECK(unfinished.run().output.packets == 0);
    CHECK(unfinished.counters.balance.unfinished == 3);
}

TEST_CASE("a stage that loses count is an internal error, and there is no OUT") {
    trial t({1, 2, 3}, {.copies = 2, .forgotten = 1});
    try {
        t.run();
        FAIL("not noticed");
    } catch (const command_failure& e) {
        CHECK(std::string(e.what()) ==
              "internal error: 5 packets came and 6 went, 4096 of 4096 frames are free");
    }
    CHECK(t.folder.list() == std::vector<std::string>{"in.pcap"});
}
