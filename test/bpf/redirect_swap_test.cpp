// SPDX-License-Identifier: Apache-2.0
// Exchanging the rules while packets are being judged. Both sets below take a TCP packet; the rules
// of one with the default of the other, or part of the rules, would pass it.
#include <atomic>
#include <thread>

#include <skein/wire/types.hpp>

#include "bpf/frame_builder.hpp"
#include "bpf/test_run.hpp"

using skein::test::frame_builder;
using skein::test::test_run;
using skein::wire::ip_protocol;
using skein::xsk::default_action;
using skein::xsk::parse_rule;
using skein::xsk::rule;

namespace {

// Takes TCP in its very last rule.
std::vector<rule> taking_rules() {
    std::vector<rule> rules(skein::xsk::max_rules - 1, parse_rule("pass udp dport 1"));
    rules.push_back(parse_rule("take tcp"));
    return rules;
}

// Takes TCP by default.
std::vector<rule> passing_rules() {
    return std::vector<rule>(skein::xsk::max_rules, parse_rule("pass udp"));
}

}  // namespace

TEST_CASE("no packet ever meets half of a rule set") {
    test_run run;
    run.program().set_rules(taking_rules(), default_action::nothing);
    const auto frame = frame_builder().ipv4(ip_protocol::tcp).ports(1, 80).fill(16).bytes();
    std::atomic<bool> stop = false;
    std::atomic<int> exchanges = 0;
    std::thread writer([&] {
        for (; !stop; ++exchanges) {
            if (exchanges % 2 == 0)
                run.program().set_rules(passing_rules(), default_action::everything);
            else
                run.program().set_rules(taking_rules(), default_action::nothing);
        }
    });
    // An exchange waits until no packet uses the old set, which takes its time on a busy machine.
    constexpr int wanted = 12;
    constexpr int most_runs = 20'000;
    std::uint64_t runs = 0;
    for (; runs < 400 || (exchanges < wanted && runs < most_runs); ++runs)
        run.repeat(frame, 5000);
    stop = true;
    writer.join();
    using enum skein::xsk::verdict_reason;
    const auto counts = run.program().verdicts(0);
    INFO(exchanges << " exchanges");
    CHECK(exchanges >= wanted);
    CHECK(counts[taken_by_rule] > 0);
    CHECK(counts[taken_by_default] > 0);
    CHECK(counts.passed() == 0);
    CHECK(counts.taken() == runs * 5000);
}
