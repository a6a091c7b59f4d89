// SPDX-License-Identifier: Apache-2.0
#include "doctor_watch.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace skein;
using namespace skein::tool;
using Catch::Contains;

namespace {

std::string told(const watch_result& result) {
    return as_text(findings_of(result, "eth0"));
}

xsk::verdict_counts counts(xsk::verdict_reason reason, std::uint64_t packets) {
    xsk::verdict_counts verdicts;
    verdicts.packets[static_cast<std::size_t>(reason)] = packets;
    return verdicts;
}

}  // namespace

TEST_CASE("drivers' counters of received packets are known by their form") {
    CHECK(queue_of_counter("rx_queue_3_xdp_packets") == 3u);
    CHECK(queue_of_counter("rx_queue_12_packets") == 12u);
    CHECK(queue_of_counter("rx7_packets") == 7u);
    CHECK(queue_of_counter("rx-5.packets") == 5u);
    CHECK(queue_of_counter("queue_0_rx_cnt") == 0u);
    for (const char* other :
         {"rx_packets", "tx_queue_0_packets", "rx_queue_0_bytes", "rx_queue__packets",
          "rx_queue_0_drops", "rx_queue_x_packets", "rx0_xdp_packets", ""})
        CHECK_FALSE(queue_of_counter(other));
}

TEST_CASE("packets on another queue are named with that queue and the command") {
    const watch_result result{5, 0, {.packets = 9, .queues = {{0, 0}, {2, 8}, {3, 1}}}};
    CHECK_THAT(told(result), Contains("queue 0 got nothing: queue 2 got 8, queue 3 got 1") &&
                                 Contains("skein rx eth0 --queue 2") &&
                                 Contains("ethtool -L eth0 combined 1"));
    CHECK(as_json(result)["source"] == "driver");
}

TEST_CASE("skein's own counters are the better witness") {
    watch_result result{5, 0, {.packets = 9, .queues = {{0, 9}}}};
    using enum xsk::verdict_reason;
    result.counted.verdicts = {{}, counts(passed_no_socket, 9)};
    CHECK_THAT(told(result), Contains("queue 0 got nothing: queue 1 got 9"));
    result.counted.verdicts = {counts(passed_by_default, 9), {}};
    CHECK_THAT(told(result),
               Contains("rules left all of them to the kernel") && Contains("--rule"));
    result.counted.verdicts = {counts(passed_no_socket, 9), {}};
    CHECK_THAT(told(result), Contains("no socket sits there"));
    result.counted.verdicts = {counts(taken_by_rule, 9), {}};
    CHECK_THAT(told(result), Contains("9 of them for its socket"));
    CHECK(as_json(result)["queues"][0]["taken"] == 9);
}

TEST_CASE("no packets at all, and packets nobody can place, are told apart") {
    CHECK_THAT(told({5, 0, {}}),
               Contains("no packet arrived at eth0 in 5 s") && Contains("promisc"));
    CHECK_THAT(told({5, 0, {.packets = 9}}),
               Contains("nothing tells on which queue") && Contains("--queue all"));
}

TEST_CASE("only what was counted meanwhile counts") {
    const watch_sample before{.packets = 10, .dropped = 1, .queues = {{0, 4}}};
    const watch_sample after{.packets = 15, .dropped = 1, .queues = {{0, 4}, {1, 5}}};
    const auto meanwhile = difference(before, after);
    CHECK(meanwhile.packets == 5);
    CHECK(meanwhile.dropped == 0);
    CHECK(meanwhile.queues == std::map<std::uint32_t, std::uint64_t>{{0, 0}, {1, 5}});
    CHECK(difference(after, before).packets == 0);  // a device that was reset
}
