// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

#include "frame_memory.hpp"
#include "replay/capture_maker.hpp"
#include "support/catch.hpp"
#include "unit/tools/trial_stage.hpp"

using namespace skein::test;
using namespace skein::tool;

namespace {

struct bench {
    frame_memory memory{512, 2048};
    trial_counters counters;
    std::vector<std::uint64_t> seen;  // timestamps that reached the sink
    skein::burst in;

    pipeline of(const std::vector<trial_settings>& stages) {
        std::vector<std::unique_ptr<stage>> made;
        for (const auto& how : stages) {
            made.push_back(std::make_unique<trial_stage>(how, counters));
        }
        return pipeline(std::move(made), [this](skein::burst& out) {
            for (const auto& p : out)
                seen.push_back(p.timestamp_ns);
        });
    }
    void send(pipeline& way, std::uint64_t time_ns) {
        const auto bytes = pattern(60);
        in.push_back(*memory.lay({.timestamp_ns = time_ns, .bytes = bytes}));
        way.process(in, stage_time(time_ns));
        CHECK(in.empty());
    }
    std::uint32_t held() { return memory.pool().total() - memory.pool().free_frames(); }
};

using times = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("without stages a burst goes straight to the sink") {
    bench b;
    auto way = b.of({});
    CHECK(way.empty());
    b.send(way, 5);
    way.expire(stage_time(9));
    CHECK_FALSE(way.relieve(stage_time(9)));
    way.finish(stage_time(9));
    CHECK(b.seen == times{5});
    CHECK(b.held() == 0);
}

TEST_CASE("a stage may put out far more than a burst holds") {
    bench b;
    auto way = b.of({{.copies = 20}, {.copies = 30}});
    b.send(way, 1);
    b.send(way, 2);
    CHECK(b.seen.size() == 1200);
    CHECK(std::is_sorted(b.seen.begin(), b.seen.end()));
    CHECK(std::count(b.seen.begin(), b.seen.end(), 1) == 600);
    CHECK(b.held() == 0);
}

TEST_CASE("timers of every stage run, first to last") {
    bench b;
    auto way = b.of({{.hold_ns = 10}, {.hold_ns = 5}});
    b.send(way, 100);
    way.expire(stage_time(109));
    CHECK(b.seen.empty());
    way.expire(stage_time(110));  // leaves the first stage, is held by the second from now on
    CHECK(b.seen.empty());
    way.expire(stage_time(114));
    CHECK(b.seen.empty());
    way.expire(stage_time(115));
    CHECK(b.seen == times{100});
}

TEST_CASE("stages let go of frames, the last one first, until none is held") {
    bench b;
    auto way = b.of({{.hold_ns = 1000}, {.hold_ns = 10}});
    b.send(way, 1);
    way.expire(stage_time(1001));
    b.send(way, 1002);
    CHECK(b.held() == 2);
    CHECK(way.relieve(stage_time(1002)));  // out of the second stage
    CHECK(b.seen == times{1});
    CHECK(way.relieve(stage_time(1002)));  // from the first into the second
    CHECK(b.held() == 1);
    CHECK(way.relieve(stage_time(1002)));
    CHECK(b.seen == times{1, 1002});
    CHECK_FALSE(way.relieve(stage_time(1002)));
}

TEST_CASE("the end empties every stage, in order") {
    bench b;
    auto way = b.of({{.hold_ns = 1000}, {.copies = 70, .hold_ns = 1000}});
    for (std::uint64_t t = 1; t <= 3; ++t)
        b.send(way, t);
    way.finish(stage_time(3));
    CHECK(b.seen.size() == 210);
    CHECK(b.seen.front() == 1);
    CHECK(b.seen.back() == 3);
    CHECK(b.held() == 0);
}
