// SPDX-License-Identifier: Apache-2.0
// The lab's plan: a pure function from options to commands.
#include <algorithm>

#include "command.hpp"
#include "lab_plan.hpp"
#include "support/catch.hpp"

namespace {

using namespace skein::tool;

std::vector<std::string> texts(const lab_options& options) {
    std::vector<std::string> lines;
    for (const lab_step& step : plan_lab(options))
        lines.push_back(as_text(step));
    return lines;
}

bool contains(const std::string& line, const std::string& part) {
    return line.find(part) != std::string::npos;
}

std::ptrdiff_t lines_with(const std::vector<std::string>& lines, const std::string& part) {
    return std::count_if(lines.begin(), lines.end(),
                         [&](const std::string& line) { return contains(line, part); });
}

}  // namespace

TEST_CASE("the lab's plan makes its three namespaces before anything else") {
    const std::vector<lab_step> plan = plan_lab({});
    REQUIRE(plan.size() > 3);
    CHECK(std::get<make_namespace>(plan[0]).name == "skein-client");
    CHECK(std::get<make_namespace>(plan[1]).name == "skein-middle");
    CHECK(std::get<make_namespace>(plan[2]).name == "skein-server");
    for (std::size_t i = 3; i < plan.size(); ++i)
        CHECK_FALSE(std::holds_alternative<make_namespace>(plan[i]));
}

TEST_CASE("both ends of both pairs get the MTU and the queues asked for") {
    const auto lines = texts({.queues = 3, .mtu = 9000});
    CHECK(lines_with(lines,
                     "link add client0 mtu 9000 numtxqueues 3 numrxqueues 3 type veth peer "
                     "name left netns skein-middle mtu 9000 numtxqueues 3 numrxqueues 3") == 1);
    CHECK(lines_with(lines,
                     "link add server0 mtu 9000 numtxqueues 3 numrxqueues 3 type veth peer "
                     "name right netns skein-middle mtu 9000 numtxqueues 3 numrxqueues 3") == 1);
}

TEST_CASE("checksum offload goes at the ends alone, tag offload everywhere") {
    const auto lines = texts({});
    CHECK(lines_with(lines, " tx off") == 2);
    CHECK(lines_with(lines, "ethtool -K client0 tx off txvlan off rxvlan off") == 1);
    CHECK(lines_with(lines, "ethtool -K server0 tx off txvlan off rxvlan off") == 1);
    CHECK(lines_with(lines, "txvlan off rxvlan off") == 4);
}

TEST_CASE("every device comes up last, when all is set") {
    const auto lines = texts({.big_tcp_bytes = 100000});
    const auto first_up = std::find_if(
        lines.begin(), lines.end(), [](const std::string& line) { return contains(line, " up"); });
    CHECK(lines.end() - first_up == 7);  // three loopbacks, four ends
    CHECK(
        std::all_of(first_up, lines.end(), [](const auto& line) { return contains(line, " up"); }));
}

TEST_CASE("without IPv6, or on links too short for it, no step mentions IPv6") {
    for (const lab_options& options : {lab_options{.ipv6 = false}, lab_options{.mtu = 1279}}) {
        const auto lines = texts(options);
        CHECK(lines_with(lines, "ipv6") == 0);
        CHECK(lines_with(lines, "fd77") == 0);
        CHECK(lines_with(lines, "10.77.0.") == 2);
    }
    CHECK(lines_with(texts({.mtu = 1280}), "fd77") == 2);
}

TEST_CASE("BIG TCP limits are set at the two ends and only on request") {
    CHECK(lines_with(texts({}), "max_size") == 0);
    const auto lines = texts({.big_tcp_bytes = 185000});
    CHECK(lines_with(lines, "max_size") == 2);
    CHECK(lines_with(lines,
                     "ip -n skein-client link set dev client0 gso_max_size 185000 "
                     "gro_max_size 185000 gso_ipv4_max_size 185000 gro_ipv4_max_size "
                     "185000") == 1);
}

TEST_CASE("no word of a step needs quoting") {
    for (const lab_step& step : plan_lab({.queues = 4096, .mtu = 65535, .big_tcp_bytes = 524280})) {
        for (const std::string& word : as_argv(step)) {
            INFO(as_text(step));
            CHECK_FALSE(word.empty());
            CHECK(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_./:=wK") ==
                  std::string::npos);
        }
    }
}

TEST_CASE("an option out of range is refused by name") {
    const auto refusal = [](const lab_options& options) -> std::string {
        try {
            plan_lab(options);
        } catch (const usage_failure& failure) {
            return failure.what();
        }
        return "accepted";
    };
    CHECK(refusal({.queues = 0}) == "--queues 0 is out of range");
    CHECK(refusal({.queues = 4097}) == "--queues 4097 is out of range");
    CHECK(refusal({.mtu = 67}) == "--mtu 67 is out of range");
    CHECK(refusal({.mtu = 65536}) == "--mtu 65536 is out of range");
    CHECK(refusal({.big_tcp_bytes = 65535}) == "--big-tcp 65535 is out of range");
    CHECK(refusal({.big_tcp_bytes = 524281}) == "--big-tcp 524281 is out of range");
    CHECK(refusal({.queues = 4096, .mtu = 65535, .big_tcp_bytes = 524280}) == "accepted");
    CHECK(refusal({.queues = 1, .mtu = 68, .big_tcp_bytes = 65536}) == "accepted");
}
