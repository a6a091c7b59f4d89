// SPDX-License-Identifier: Apache-2.0
// The XDP program on frames: what each rule field takes, alone and together, and what each counter
// counts. Fragments have redirect_fragment_test.cpp, cut and scattered frames
// redirect_layout_test.cpp.
#include <skein/wire/types.hpp>

#include "bpf/frame_builder.hpp"
#include "bpf/test_run.hpp"

using skein::test::frame_builder;
using skein::test::test_run;
using skein::test::verdict;
using skein::wire::ip_protocol;
using skein::xsk::default_action;

namespace {

const verdict taken{XDP_REDIRECT, "taken_by_rule"};
const verdict left{XDP_PASS, "passed_by_default"};

std::vector<std::byte> udp4(std::uint16_t source = 4000, std::uint16_t destination = 53) {
    return frame_builder().ipv4(ip_protocol::udp).ports(source, destination).fill(20);
}

std::vector<std::byte> udp6(std::uint16_t source = 4000, std::uint16_t destination = 53) {
    return frame_builder().ipv6(ip_protocol::udp).ports(source, destination).fill(20);
}

std::vector<std::byte> arp() {
    return frame_builder().type(0x0806).fill(28);
}

// From 10.1.2.3 to 192.0.2.9, or from 2001:db8::1 to 2001:db8:ffff::2.
struct rule_case {
    const char* rule;
    std::vector<std::byte> frame;
    bool matches;
};

void check(test_run& run, const rule_case& c) {
    INFO(c.rule);
    run.rules({c.rule});
    CHECK(run.run(c.frame) == (c.matches ? taken : left));
}

}  // namespace

TEST_CASE("a rule's EtherType is compared behind the tags") {
    test_run run;
    const auto tagged_arp = frame_builder().tag(5).type(0x0806).fill(28).bytes();
    for (const rule_case& c :
         {rule_case{"take arp", arp(), true}, rule_case{"take arp", udp4(), false},
          rule_case{"take arp", tagged_arp, true}, rule_case{"take ethertype 0x0806", arp(), true},
          rule_case{"take ipv4", udp4(), true}, rule_case{"take ipv4", udp6(), false},
          rule_case{"take ipv6", udp6(), true},
          rule_case{"take ethertype 0x8100", tagged_arp, false}})
        check(run, c);
}

TEST_CASE("a rule's VLAN id is compared without priority bits, tag by tag") {
    test_run run;
    const auto single =
        frame_builder().tag(10, 0x8100, 0xe000).ipv4(ip_protocol::udp).fill(8).bytes();
    const auto priority = frame_builder().tag(0).ipv4(ip_protocol::udp).fill(8).bytes();
    const auto stacked =
        frame_builder().tag(10, 0x88a8).tag(20).ipv4(ip_protocol::udp).fill(8).bytes();
    const auto old_stack =
        frame_builder().tag(10, 0x9100).tag(20, 0x9100).type(0x0806).fill(8).bytes();
    for (const rule_case& c :
         {rule_case{"take vlan 10", single, true}, rule_case{"take vlan 11", single, false},
          rule_case{"take vlan 10", udp4(), false}, rule_case{"take vlan 0", priority, true},
          rule_case{"take vlan 0", udp4(), false}, rule_case{"take vlan none", udp4(), true},
          rule_case{"take vlan none", priority, false}, rule_case{"take vlan 10", stacked, true},
          rule_case{"take vlan 20", stacked, false}, rule_case{"take vlan 10.20", stacked, true},
          rule_case{"take vlan 10.21", stacked, false},
          rule_case{"take vlan 11.20", stacked, false}, rule_case{"take vlan 10.20", single, false},
          rule_case{"take vlan 10.20 arp", old_stack, true}, rule_case{"take udp", stacked, true}})
        check(run, c);
}

TEST_CASE("headers are found behind four tags, not behind five") {
    test_run run;
    frame_builder four;
    four.tag(1, 0x88a8).tag(2).tag(3).tag(4);
    frame_builder five = four;
    const auto within = four.ipv4(ip_protocol::udp).ports(1, 53).fill(8).bytes();
    const auto beyond = five.tag(5).ipv4(ip_protocol::udp).ports(1, 53).fill(8).bytes();
    run.rules({"take udp dport 53"});
    CHECK(run.run(within) == taken);
    CHECK(run.run(beyond) == verdict{XDP_PASS, "passed_unparsed"});
    run.rules({"take vlan 1.2"});
    CHECK(run.run(beyond) == taken);
}

TEST_CASE("a rule's protocol is what follows the IP header") {
    test_run run;
    const auto icmp = frame_builder().ipv4(ip_protocol::icmp).fill(8).bytes();
    const auto optioned =
        frame_builder().ipv4(ip_protocol::udp, {.option_bytes = 40}).ports(1, 53).fill(8).bytes();
    for (const rule_case& c :
         {rule_case{"take udp", udp4(), true}, rule_case{"take udp", udp6(), true},
          rule_case{"take tcp", udp4(), false}, rule_case{"take udp", arp(), false},
          rule_case{"take icmp", icmp, true}, rule_case{"take proto 1", icmp, true},
          rule_case{"take ipv6 udp", udp4(), false}, rule_case{"take udp dport 53", optioned, true},
          rule_case{"take udp dport 257", optioned, false}})
        check(run, c);
}

TEST_CASE("ports are those of TCP, UDP, UDP-Lite, SCTP and DCCP, and of nothing else") {
    test_run run;
    using enum ip_protocol;
    for (const auto protocol : {tcp, udp, udp_lite, sctp, dccp, icmp, gre, esp}) {
        const auto v4 = frame_builder().ipv4(protocol).ports(7, 80).fill(16).bytes();
        const auto v6 = frame_builder().ipv6(protocol).ports(7, 80).fill(16).bytes();
        const bool has = protocol != icmp && protocol != gre && protocol != esp;
        INFO("protocol " << int{number(protocol)});
        check(run, {"take dport 80", v4, has});
        check(run, {"take dport 80", v6, has});
    }
}

TEST_CASE("port ranges include both their ends") {
    test_run run;
    for (const rule_case& c : {rule_case{"take sport 4000", udp4(4000, 53), true},
                               rule_case{"take sport 4000", udp4(53, 4000), false},
                               rule_case{"take dport 4000", udp4(53, 4000), true},
                               rule_case{"take dport 4000", udp4(4000, 53), false},
                               rule_case{"take port 4000", udp4(4000, 53), true},
                               rule_case{"take port 4000", udp4(53, 4000), true},
                               rule_case{"take port 4000", udp4(53, 54), false},
                               rule_case{"take dport 80-90", udp4(1, 79), false},
                               rule_case{"take dport 80-90", udp4(1, 80), true},
                               rule_case{"take dport 80-90", udp4(1, 90), true},
                               rule_case{"take dport 80-90", udp4(1, 91), false},
                               rule_case{"take dport 0-65535", udp4(1, 65535), true},
                               rule_case{"take dport 0-65535", arp(), false},
                               rule_case{"take sport 0 dport 65535", udp4(0, 65535), true},
                               rule_case{"take sport 1-2 dport 3-4 port 4", udp4(2, 4), true},
                               rule_case{"take sport 1-2 dport 3-4 port 5", udp4(2, 4), false}})
        check(run, c);
}

TEST_CASE("prefixes of every length end where they say") {
    test_run run;
    const auto from = [](const char* source) {
        return frame_builder().ipv4(ip_protocol::udp, {.source = source}).fill(8).bytes();
    };
    const auto from6 = [](const char* source) {
        return frame_builder().ipv6(ip_protocol::udp, {.source = source}).fill(8).bytes();
    };
    for (const rule_case& c :
         {rule_case{"take src 0.0.0.0/0", from("255.255.255.255"), true},
          rule_case{"take src 0.0.0.0/0", from6("::1"), false},
          rule_case{"take src 128.0.0.0/1", from("128.0.0.0"), true},
          rule_case{"take src 128.0.0.0/1", from("127.255.255.255"), false},
          rule_case{"take src 10.0.0.0/8", from("10.255.0.1"), true},
          rule_case{"take src 10.0.0.0/8", from("11.0.0.0"), false},
          rule_case{"take src 10.0.0.2/31", from("10.0.0.3"), true},
          rule_case{"take src 10.0.0.2/31", from("10.0.0.4"), false},
          rule_case{"take src 10.0.0.2/32", from("10.0.0.2"), true},
          rule_case{"take src 10.0.0.2/32", from("10.0.0.3"), false},
          rule_case{"take src ::/0", from6("ffff::"), true},
          rule_case{"take src ::/0", from("10.0.0.2"), false},
          rule_case{"take src 8000::/1", from6("8000::"), true},
          rule_case{"take src 8000::/1", from6("7fff::"), false},
          rule_case{"take src 2001:db8::/33", from6("2001:db8:7fff::1"), true},
          rule_case{"take src 2001:db8::/33", from6("2001:db8:8000::1"), false},
          rule_case{"take src 2001:db8::2/127", from6("2001:db8::3"), true},
          rule_case{"take src 2001:db8::2/127", from6("2001:db8::4"), false},
          rule_case{"take src 2001:db8::2/128", from6("2001:db8::2"), true},
          rule_case{"take src 2001:db8::2/128", from6("2001:db8::3"), false},
          rule_case{"take src 2001:db8::2", from6("2001:db9::2"), false},
          rule_case{"take dst 192.0.2.0/24", udp4(), true},
          rule_case{"take dst 10.0.0.0/8", udp4(), false},
          rule_case{"take src 192.0.2.0/24", udp4(), false},
          rule_case{"take dst 2001:db8:ffff::/48", udp6(), true},
          rule_case{"take dst 2001:db8::/48", udp6(), false}})
        check(run, c);
}

TEST_CASE("a rule that names everything needs everything") {
    test_run run;
    const auto frame = frame_builder()
                           .tag(10, 0x88a8)
                           .tag(20)
                           .ipv4(ip_protocol::tcp)
                           .ports(1000, 443)
                           .fill(16)
                           .bytes();
    const std::string whole =
        "take vlan 10.20 ipv4 tcp src 10.1.2.3 dst 192.0.2.0/24 sport 1000 dport 443 port 443";
    run.rules({whole});
    CHECK(run.run(frame) == taken);
    for (const auto& [good, bad] :
         std::vector<std::pair<std::string, std::string>>{{"10.20", "10.21"},
                                                          {"10.20", "11.20"},
                                                          {"tcp", "udp"},
                                                          {"10.1.2.3", "10.1.2.4"},
                                                          {"192.0.2.0/24", "192.0.3.0/24"},
                                                          {"sport 1000", "sport 1001"},
                                                          {"dport 443", "dport 444"},
                                                          {"port 443", "port 442"}}) {
        std::string wrong = whole;
        wrong.replace(wrong.rfind(good), good.size(), bad);
        check(run, {wrong.c_str(), frame, false});
    }
}

TEST_CASE("the first rule that matches decides") {
    test_run run;
    run.rules({"pass udp dport 53", "take udp", "pass ipv4"}, default_action::everything);
    CHECK(run.run(udp4(1, 53)) == verdict{XDP_PASS, "passed_by_rule"});
    CHECK(run.run(udp4(1, 54)) == taken);
    CHECK(run.run(frame_builder().ipv4(ip_protocol::icmp).fill(8).bytes()) ==
          verdict{XDP_PASS, "passed_by_rule"});
    CHECK(run.run(arp()) == verdict{XDP_REDIRECT, "taken_by_default"});
}

TEST_CASE("without rules the default decides, whatever the frame holds") {
    test_run run;
    const auto junk = frame_builder().ipv4(ip_protocol::udp, {.version = 9}).bytes();
    run.rules({}, default_action::everything);
    for (const auto& frame : {udp4(), udp6(), arp(), junk})
        CHECK(run.run(frame) == verdict{XDP_REDIRECT, "taken_by_default"});
    run.rules({}, default_action::nothing);
    for (const auto& frame : {udp4(), udp6(), arp(), junk})
        CHECK(run.run(frame) == left);
}

TEST_CASE("what is taken where no socket sits goes to the kernel and is counted so") {
    test_run run;
    run.rules({"take udp"});
    const verdict no_socket{XDP_PASS, "passed_no_socket"};
    CHECK(run.run(udp4(), {.queue = test_run::queues - 1}) == no_socket);
    CHECK(run.run(udp4(), {.queue = 1}) == taken);
    run.program().remove_socket(1);
    CHECK(run.run(udp4(), {.queue = 1}) == no_socket);
    run.program().remove_socket(1);
    CHECK(run.run(udp4(), {.queue = 0}) == taken);
}

TEST_CASE("verdicts are counted by queue") {
    test_run run;
    run.rules({"take udp"});
    using enum skein::xsk::verdict_reason;
    for (int i = 0; i < 3; ++i)
        run.run(udp4(), {.queue = 1});
    run.run(arp(), {.queue = 2});
    CHECK(run.program().verdicts(0) == skein::xsk::verdict_counts{});
    CHECK(run.program().verdicts(1)[taken_by_rule] == 3);
    CHECK(run.program().verdicts(1).taken() == 3);
    CHECK(run.program().verdicts(1).passed() == 0);
    CHECK(run.program().verdicts(2)[passed_by_default] == 1);
    CHECK(run.program().verdicts().taken() == 3);
    CHECK(run.program().verdicts().passed() == 1);
    CHECK(run.program().verdicts(test_run::queues) == skein::xsk::verdict_counts{});
}

TEST_CASE("as many rules as a program holds are all looked at, one more is refused") {
    test_run run;
    std::vector<std::string> rules;
    for (std::size_t i = 0; i < skein::xsk::max_rules; ++i)
        rules.push_back("take udp dport " + std::to_string(1000 + i));
    run.rules(rules);
    CHECK(run.run(udp4(1, 1000)) == taken);
    CHECK(run.run(udp4(1, 1063)) == taken);
    CHECK(run.run(udp4(1, 1064)) == left);
    rules.push_back("take udp dport 1064");
    CHECK_THROWS_AS(run.rules(rules), std::system_error);
    CHECK(run.run(udp4(1, 1064)) == left);
}
