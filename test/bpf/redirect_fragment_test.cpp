// SPDX-License-Identifier: Apache-2.0
// Fragments and extension headers: all fragments of a datagram go the same way, whichever comes
// first, although only one of them shows the ports.
#include <skein/wire/types.hpp>

#include "bpf/frame_builder.hpp"
#include "bpf/test_run.hpp"

using skein::test::frame_builder;
using skein::test::test_run;
using skein::test::verdict;
using skein::wire::ip_protocol;
using skein::xsk::default_action;

namespace {

constexpr std::uint16_t more = 0x2000;
constexpr std::uint16_t do_not_fragment = 0x4000;

const verdict taken{XDP_REDIRECT, "taken_by_rule"};
const verdict taken_fragment{XDP_REDIRECT, "taken_fragment"};
const verdict taken_by_default{XDP_REDIRECT, "taken_by_default"};
const verdict passed_by_rule{XDP_PASS, "passed_by_rule"};
const verdict left{XDP_PASS, "passed_by_default"};
const verdict unparsed{XDP_PASS, "passed_unparsed"};

// The fragments of one datagram, the last first, as a hostile or reordering network sends them. Its
// ports are 4000 and 53; the payload of later fragments looks like ports 1 and 2.
std::vector<std::vector<std::byte>> fragments4(ip_protocol protocol = ip_protocol::udp) {
    const auto piece = [&](std::uint16_t field) {
        return frame_builder().ipv4(protocol, {.fragment = field});
    };
    return {piece(370).ports(1, 2).fill(6),            // 2960, the last
            piece(more | 185).ports(1, 2).fill(1476),  // 1480
            piece(more | 0).ports(4000, 53).fill(1476)};
}

std::vector<std::vector<std::byte>> fragments6(ip_protocol next = ip_protocol::udp) {
    const auto piece = [&](std::uint16_t offset, bool more_follow) {
        return frame_builder().ipv6(ip_protocol::fragment).fragment(next, offset, more_follow);
    };
    return {piece(2896, false).ports(1, 2).fill(6), piece(1448, true).ports(1, 2).fill(1444),
            piece(0, true).ports(4000, 53).fill(1444)};
}

void check_all(test_run& run, const std::vector<std::vector<std::byte>>& fragments,
               const verdict& expected) {
    for (std::size_t i = 0; i < fragments.size(); ++i) {
        INFO("arriving as number " << i);
        CHECK(run.run(fragments[i]) == expected);
    }
}

}  // namespace

TEST_CASE("fragments of one datagram are taken whatever their ports, the last one first") {
    test_run run;
    for (const char* rule :
         {"take udp dport 53", "take udp port 9999", "take udp sport 1 dport 2"}) {
        INFO(rule);
        run.rules({rule});
        check_all(run, fragments4(), taken_fragment);
        check_all(run, fragments6(), taken_fragment);
    }
}

TEST_CASE("a fragment needs everything but the ports") {
    test_run run;
    for (const char* rule :
         {"take tcp dport 53", "take udp src 11.0.0.0/8 dport 53", "take vlan 7 udp dport 53",
          "take udp src 2001:db9::/32 dport 53", "take udp dst 192.0.3.0/24"}) {
        INFO(rule);
        run.rules({rule});
        check_all(run, fragments4(), left);
        check_all(run, fragments6(), left);
    }
    run.rules({"take ipv4 udp dport 53"});
    check_all(run, fragments4(), taken_fragment);
    check_all(run, fragments6(), left);
}

TEST_CASE("a rule without ports treats fragments as any packet") {
    test_run run;
    run.rules({"take udp"});
    check_all(run, fragments4(), taken);
    check_all(run, fragments6(), taken);
    run.rules({"pass udp"}, default_action::everything);
    check_all(run, fragments4(), passed_by_rule);
    check_all(run, fragments6(), passed_by_rule);
}

TEST_CASE("a pass rule that names ports decides nothing for a fragment") {
    test_run run;
    run.rules({"pass udp dport 53"}, default_action::everything);
    check_all(run, fragments4(), taken_by_default);
    check_all(run, fragments6(), taken_by_default);
    run.rules({"pass udp dport 53", "take udp dport 54", "pass ipv4"});
    check_all(run, fragments4(), taken_fragment);
    run.rules({"pass udp dport 53", "pass udp", "take udp dport 53"}, default_action::everything);
    check_all(run, fragments4(), passed_by_rule);
}

TEST_CASE("fragments of a protocol without ports match no port rule") {
    test_run run;
    run.rules({"take port 53"});
    check_all(run, fragments4(ip_protocol::icmp), left);
    check_all(run, fragments6(ip_protocol::icmpv6), left);
    check_all(run, fragments4(ip_protocol::tcp), taken_fragment);
}

TEST_CASE("do-not-fragment and an IPv6 fragment header without fragments make no fragment") {
    test_run run;
    run.rules({"take udp dport 53"});
    const auto whole4 = [](std::uint16_t port) {
        return frame_builder()
            .ipv4(ip_protocol::udp, {.fragment = do_not_fragment})
            .ports(4000, port)
            .fill(4)
            .bytes();
    };
    const auto atomic6 = [](std::uint16_t port) {
        return frame_builder()
            .ipv6(ip_protocol::fragment)
            .fragment(ip_protocol::udp, 0, false)
            .ports(4000, port)
            .fill(4)
            .bytes();
    };
    for (const auto& [frame, expected] : {std::pair{whole4(53), taken},
                                          {whole4(54), left},
                                          {atomic6(53), taken},
                                          {atomic6(54), left}})
        CHECK(run.run(frame) == expected);
}

TEST_CASE("do-not-fragment beside more-fragments is still a fragment") {
    test_run run;
    run.rules({"take udp dport 53"});
    const auto frame = frame_builder()
                           .ipv4(ip_protocol::udp, {.fragment = do_not_fragment | more})
                           .ports(1, 2)
                           .fill(20)
                           .bytes();
    CHECK(run.run(frame) == taken_fragment);
}

TEST_CASE("where a fragment header hides further extension headers the protocol is left open") {
    test_run run;
    const auto fragments = fragments6(ip_protocol::destination_options);
    run.rules({"take udp dport 53"});
    check_all(run, fragments, taken_fragment);
    run.rules({"take tcp src 2001:db8::1"});
    check_all(run, fragments, taken_fragment);
    run.rules({"take tcp src 2001:db8::2"});
    check_all(run, fragments, left);
    run.rules({"pass tcp", "take ipv6"});
    check_all(run, fragments, taken);
}

TEST_CASE("the protocol is found behind every kind of extension header") {
    test_run run;
    run.rules({"take udp dport 53"});
    const auto chain = [](ip_protocol first, ip_protocol second) {
        return frame_builder()
            .ipv6(first)
            .extension(second, 2)
            .extension(ip_protocol::udp)
            .ports(1, 53)
            .fill(4)
            .bytes();
    };
    using enum ip_protocol;
    for (const auto kind : {hop_by_hop, routing, destination_options, mobility, hip, shim6}) {
        INFO("header " << int{number(kind)});
        CHECK(run.run(chain(kind, destination_options)) == taken);
    }
    const auto authenticated =
        frame_builder().ipv6(ah).authentication(udp, 5).ports(1, 53).fill(4).bytes();
    CHECK(run.run(authenticated) == taken);
    const auto longest = frame_builder().ipv6(hop_by_hop).extension(udp, 255).ports(1, 53).fill(4);
    CHECK(run.run(longest.bytes()) == taken);
    const auto encrypted = frame_builder().ipv6(esp).ports(1, 53).fill(4).bytes();
    CHECK(run.run(encrypted) == left);
    const auto nothing = frame_builder().ipv6(no_next_header).ports(1, 53).fill(4).bytes();
    CHECK(run.run(nothing) == left);
}

TEST_CASE("eight extension headers are walked, a ninth is one too many") {
    test_run run;
    run.rules({"take udp dport 53"});
    const auto chain = [](unsigned headers) {
        frame_builder frame;
        frame.ipv6(ip_protocol::destination_options);
        for (unsigned i = 1; i < headers; ++i)
            frame.extension(ip_protocol::destination_options);
        return frame.extension(ip_protocol::udp).ports(1, 53).fill(4).bytes();
    };
    CHECK(run.run(chain(8)) == taken);
    CHECK(run.run(chain(9)) == unparsed);
}
