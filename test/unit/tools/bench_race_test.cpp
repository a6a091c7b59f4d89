// SPDX-License-Identifier: Apache-2.0
#include "bench_race.hpp"

#include <thread>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench_race_command.hpp"
#include "bench_race_report.hpp"
#include "support/catch.hpp"

using namespace skein::tool;
using namespace std::chrono_literals;

namespace {

contestant sleeper(std::string name, std::chrono::microseconds nap) {
    return {.name = std::move(name), .items = 10, .bytes = 1000, .run = [nap] {
                std::this_thread::sleep_for(nap);
            }};
}

constexpr std::array no_examples = std::to_array<example>({{"skein bench trial", "none"}});

}  // namespace

TEST_CASE("who sleeps four times as long costs about four times as much") {
    const race sleepers{.title = "naps",
                        .contestants = {sleeper("short", 500us), sleeper("long", 2000us)}};
    const auto finding = run_race(sleepers, {.rounds = 3, .turn = 2000us});
    REQUIRE(finding.placings.size() == 2);
    CHECK(finding.placings[0].ratio_permille.median == 1000);
    CHECK(finding.placings[1].ratio_permille.median > 1500);
    CHECK(finding.placings[1].ratio_permille.median < 8000);
    CHECK(finding.placings[0].bytes_per_1000_items == 100000);
}

TEST_CASE("what is prepared and finished is not counted, and belongs to each run") {
    int prepared = 0;
    int runs = 0;
    int finished = 0;
    const race one{.title = "one",
                   .contestants = {{.name = "only",
                                    .run =
                                        [&] {
                                            CHECK(prepared == runs + 1);
                                            ++runs;
                                        },
                                    .prepare =
                                        [&] {
                                            std::this_thread::sleep_for(1ms);
                                            ++prepared;
                                        },
                                    .finish = [&] { ++finished; }}}};
    const auto finding = run_race(one, {.rounds = 2, .turn = 3ms});
    CHECK((prepared == runs && finished == runs && runs >= 3));
    // A sleep of a millisecond would be a million cycles and more of one item.
    CHECK(finding.placings[0].cost.median < 500'000'000);
}

TEST_CASE("a race's table and JSON name every contestant") {
    race_finding finding{"1460 bytes",
                         {{"skein", {1000, 2000, 3000}, {1000, 1000, 1000}, 4000},
                          {"peer", {2000, 4000, 6000}, {1900, 2000, 2100}, 0}}};
    const auto rows = as_rows(finding);
    CHECK(rows.find("1.900 2.000 2.100") != std::string::npos);
    CHECK(rows.find("2.00 ") != std::string::npos);
    const auto object = as_json({finding}, "sum", {});
    CHECK(object["races"][0]["contestants"][1]["ratio_permille"]["median"] == 2000);
    CHECK(object["item"] == "sum");
}

TEST_CASE("a bench of races takes its peers by kind, and says what is wrong with one") {
    CHECK(load_peers({}, {"isal"}).empty());
    CHECK_THROWS_WITH(load_peers({"dpdk=x.so"}, {"isal"}), Catch::Contains("no such peer"));
    CHECK_THROWS_WITH(load_peers({"isal"}, {"isal"}), Catch::Contains("no such peer"));
    CHECK_THROWS_WITH(load_peers({"isal=/nonexistent.so"}, {"isal"}),
                      Catch::Contains("cannot load the peer isal"));
    const auto libm = load_peers({"m=libm.so.6"}, {"m"});
    CHECK(libm.at("m").function<double(double)>("cos")(0.0) == 1.0);
    CHECK_THROWS_WITH(libm.at("m").function<void()>("no_such_function"),
                      Catch::Contains("has no function"));
    CHECK_THROWS_WITH(load_peers({"m=libm.so.6", "m=libm.so.6"}, {"m"}), Catch::Contains("twice"));
}

TEST_CASE("a bench command runs each race it is made of") {
    CLI::App app;
    invocation chosen;
    int ran = 0;
    add_race_bench(
        app, chosen,
        {.name = "trial",
         .purpose = "nothing much",
         .item = "nap",
         .examples = no_examples,
         .races = [&](const peer_libraries&, const std::function<void(const race&)>& run) {
             run({"a", {{.name = "only", .run = [&] { ++ran; }}}});
             run({"b", {{.name = "only", .run = [&] { ++ran; }}}});
         }});
    app.parse("trial --rounds 1 --turn 10 --json");
    REQUIRE(chosen.json);
    CHECK(chosen.run() == 0);
    CHECK(ran >= 4);
    CHECK_THROWS_AS(app.parse("trial --rounds 0"), CLI::ValidationError);
}
