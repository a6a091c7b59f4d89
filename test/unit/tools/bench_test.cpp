// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>

#include <nlohmann/json.hpp>

#include "background_process.hpp"
#include "bench_contender.hpp"
#include "bench_report.hpp"
#include "bench_series.hpp"
#include "command.hpp"
#include "support/catch.hpp"

using namespace skein::tool;
using namespace std::chrono_literals;

namespace {

bool has_words(const std::vector<std::string>& argv, const std::vector<std::string>& words) {
    return std::search(argv.begin(), argv.end(), words.begin(), words.end()) != argv.end();
}

bench_round round_of(std::uint64_t own, std::uint64_t peer) {
    bench_round round;
    round.own.packets_per_second = own;
    round.peer.packets_per_second = peer;
    return round;
}

}  // namespace

TEST_CASE("quartiles are by nearest rank") {
    const auto eleven = quartiles_of({11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    CHECK(eleven.lower == 3);
    CHECK(eleven.median == 6);
    CHECK(eleven.upper == 9);
    const auto one = quartiles_of({7});
    CHECK((one.lower == 7 && one.median == 7 && one.upper == 7));
    const auto two = quartiles_of({9, 4});
    CHECK((two.lower == 4 && two.median == 4 && two.upper == 9));
    CHECK(quartiles_of({}).median == 0);
}

TEST_CASE("a ratio is taken round by round, and of nothing it is nothing") {
    CHECK(ratio_permille(round_of(1030, 1000)) == 1030);
    CHECK(ratio_permille(round_of(1, 3)) == 333);
    CHECK(ratio_permille(round_of(5, 0)) == 0);
}

TEST_CASE("the report has a row and an object for each case") {
    bench_finding finding;
    finding.what.job = bench_job::tx;
    finding.what.mode = "generic";
    finding.what.size_bytes = 1500;
    finding.rounds = {round_of(200, 100), round_of(300, 100), round_of(100, 100)};
    const auto row = as_row(finding, true);
    CHECK(row.find("1.000 2.000 3.000") != std::string::npos);
    const auto object = as_json({finding}, "xdpsock", 3);
    const auto& found = object["cases"][0];
    CHECK(found["job"] == "tx");
    CHECK(found["size"] == 1500);
    CHECK(found["rounds"] == 3);
    CHECK(found["ratio_permille"]["median"] == 2000);
    CHECK(found["skein"]["packets_per_second"]["upper"] == 300);
    CHECK(found["peer"]["runs"] == nlohmann::ordered_json({100, 100, 100}));
    const auto alone = as_json({finding}, "", 3);
    CHECK(alone["peer"].is_null());
    CHECK_FALSE(alone["cases"][0].contains("peer"));
}

TEST_CASE("the size of a peer's packet counts the FCS") {
    const auto peer = make_peer("xdpsock=/bin/true");
    CHECK(has_words(peer->command({bench_job::tx, "native", 64}, 9s), {"-s", "68"}));
    CHECK(has_words(peer->command({bench_job::tx, "native", 64}, 9s), {"-t", "-i", "client0"}));
    CHECK(has_words(peer->command({bench_job::rx, "generic", 64}, 9s), {"-q", "0", "-S", "-c"}));
    CHECK(has_words(peer->command({bench_job::forward, "native", 64}, 9s), {"-l", "-i", "left"}));
    const auto own = make_skein("poll");
    CHECK(has_words(own->command({bench_job::tx, "native", 64}, 9s), {"--size", "64"}));
    CHECK(has_words(own->command({bench_job::forward, "native", 64}, 9s), {"left", "right"}));
    CHECK(has_words(own->command({bench_job::rx, "native", 64}, 9s), {"--wait", "poll"}));
}

TEST_CASE("the last totals of a peer are read, rows with a longer name are not") {
    const auto peer = make_peer("xdpsock=/bin/true");
    const auto tally = peer->tally(
        " sock0@left:0 rxdrop xdp-drv \n"
        "                   pps            pkts           1.00          \n"
        "rx                 409798         1241322       \n"
        "tx                 1              17            \n"
        "rx                 419697         1661082       \n"
        "tx                 0              18            \n"
        "rx empty polls     0              3             \n"
        "copy tx sendtos    5              40            \n"
        "tx wakeup sendtos  5              200           \n"
        "opt polls          0              0             \n");
    CHECK(tally.received == 1661082);
    CHECK(tally.sent == 18);
    CHECK(tally.calls == 243);
    CHECK(peer->tally("").received == 0);
}

TEST_CASE("our own totals come from the closing line, and from nothing else") {
    const auto own = make_skein("spin");
    const auto tally =
        own->tally(R"({"t":1,"rx":{"packets":1},"tx":{"packets":2,"calls":3}})"
                   "\n"
                   R"({"t":2,"final":true,"rx":{"packets":10},"tx":{"packets":20,"calls":30}})"
                   "\n");
    CHECK(tally.received == 10);
    CHECK(tally.sent == 20);
    CHECK(tally.calls == 30);
    CHECK(own->tally("").sent == 0);
    CHECK(own->tally(R"({"error":{"what":"no"}})").sent == 0);
}

TEST_CASE("a peer that cannot be is refused") {
    CHECK_THROWS_AS(make_peer("testpmd=/bin/true"), usage_failure);
    CHECK_THROWS_AS(make_peer("xdpsock"), usage_failure);
    CHECK_THROWS_AS(make_peer("xdpsock=/nonexistent"), usage_failure);
    CHECK_THROWS_AS(make_peer("xdpsock=/etc/passwd"), usage_failure);
    CHECK_THROWS_AS(make_peer("xdpsock=/tmp"), usage_failure);
}

TEST_CASE("a background process is heard, interrupted, and ended with its owner") {
    SECTION("what it prints is kept") {
        background_process process({"sh", "-c", "echo out; echo err >&2; pwd; exit 3"}, "/usr");
        CHECK(process.wait(10s) == 3);
        CHECK(process.output() == "out\n/usr\n");
        CHECK(process.errors() == "err\n");
    }
    SECTION("SIGINT reaches it") {
        background_process process({"sleep", "60"});
        CHECK_FALSE(process.ended());
        process.interrupt();
        CHECK(process.wait(10s) == 128 + SIGINT);
    }
    SECTION("one that does not end is named") {
        background_process process({"sleep", "60"});
        CHECK_THROWS_WITH(process.wait(50ms), "'sleep 60' does not end");
    }
    SECTION("a program that is not there cannot be started") {
        CHECK_THROWS_AS(background_process({"skein-no-such-program"}), command_failure);
    }
}
