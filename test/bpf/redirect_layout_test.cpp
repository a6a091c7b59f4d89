// SPDX-License-Identifier: Apache-2.0
// How the bytes of a frame lie: cut short, padded, contradicting themselves, or spread over buffers
// of which the program sees only the first directly.
//
// The kernel's test-run refuses frames below 14 bytes, so shorter ones cannot be had here.
#include <skein/wire/types.hpp>

#include "bpf/frame_builder.hpp"
#include "bpf/test_run.hpp"

using skein::test::frame_builder;
using skein::test::test_run;
using skein::test::verdict;
using skein::wire::ip_protocol;
using skein::xsk::default_action;

namespace {

constexpr std::size_t shortest_frame = 14;

const verdict taken{XDP_REDIRECT, "taken_by_rule"};
const verdict left{XDP_PASS, "passed_by_default"};
const verdict unparsed{XDP_PASS, "passed_unparsed"};

struct headers_case {
    const char* name;
    std::vector<std::byte> frame;  // UDP to port 53
    std::size_t ports_end;         // the program needs that much
};

std::vector<headers_case> headers_cases() {
    frame_builder v4, v4_options, tagged, v6, chain;
    v4.ipv4(ip_protocol::udp).ports(1, 53);
    v4_options.ipv4(ip_protocol::udp, {.option_bytes = 12}).ports(1, 53);
    tagged.tag(1, 0x88a8).tag(2).ipv4(ip_protocol::udp).ports(1, 53);
    v6.ipv6(ip_protocol::udp).ports(1, 53);
    chain.tag(9)
        .ipv6(ip_protocol::hop_by_hop)
        .extension(ip_protocol::destination_options, 1)
        .extension(ip_protocol::udp)
        .ports(1, 53);
    std::vector<headers_case> cases;
    for (auto& [name, frame] : {std::pair{"IPv4", &v4},
                                {"IPv4 with options", &v4_options},
                                {"QinQ", &tagged},
                                {"IPv6", &v6},
                                {"IPv6 chain", &chain}}) {
        const std::size_t end = frame->bytes().size();
        cases.push_back({name, frame->fill(30).bytes(), end});
    }
    return cases;
}

}  // namespace

TEST_CASE("a frame cut anywhere before its ports has none, and is not read past its end") {
    test_run run;
    const auto for_each_cut = [](auto action) {
        for (const headers_case& c : headers_cases()) {
            for (std::size_t length = shortest_frame; length <= c.frame.size(); ++length) {
                INFO(c.name << " cut to " << length);
                action(std::span(c.frame).first(length), length >= c.ports_end);
            }
        }
    };
    run.rules({"take udp dport 53"});
    for_each_cut([&](auto frame, bool has_ports) {
        CHECK(run.run(frame) == (has_ports ? taken : unparsed));
    });
    run.rules({"pass udp dport 54"}, default_action::everything);
    for_each_cut([&](auto frame, bool) {
        CHECK(run.run(frame) == verdict{XDP_REDIRECT, "taken_by_default"});
    });
}

TEST_CASE("what a cut frame does show still matches") {
    test_run run;
    const auto frame = frame_builder().tag(5).ipv4(ip_protocol::udp).ports(1, 53).fill(8).bytes();
    run.rules({"take vlan 5"});
    CHECK(run.run(std::span(frame).first(18)) == taken);
    CHECK(run.run(std::span(frame).first(17)) == unparsed);
    run.rules({"take ipv4"});
    CHECK(run.run(std::span(frame).first(18)) == taken);
    run.rules({"take udp src 10.0.0.0/8"});
    CHECK(run.run(std::span(frame).first(38)) == taken);
    CHECK(run.run(std::span(frame).first(37)) == unparsed);
}

TEST_CASE("ports are not read from padding behind the IP packet") {
    test_run run;
    run.rules({"take udp dport 53"});
    const auto v4 = frame_builder().ipv4(ip_protocol::udp).end_ip().ports(1, 53).fill(30).bytes();
    const auto v6 = frame_builder()
                        .ipv6(ip_protocol::destination_options)
                        .extension(ip_protocol::udp)
                        .end_ip()
                        .ports(1, 53)
                        .bytes();
    CHECK(run.run(v4) == unparsed);
    CHECK(run.run(v6) == unparsed);
}

TEST_CASE("extension headers are not read from padding behind the IP packet") {
    test_run run;
    run.rules({"take icmpv6"});
    const auto frame = frame_builder()
                           .ipv6(ip_protocol::destination_options)
                           .extension(ip_protocol::destination_options)
                           .end_ip()
                           .extension(ip_protocol::icmpv6)
                           .fill(8)
                           .bytes();
    CHECK(run.run(frame) == unparsed);
}

TEST_CASE("a length of zero is that of a packet longer than the field can say") {
    test_run run;
    run.rules({"take tcp dport 53"});
    const auto v4 =
        frame_builder().ipv4(ip_protocol::tcp, {.total_length = 0}).ports(1, 53).fill(16).bytes();
    const auto v6 =
        frame_builder().ipv6(ip_protocol::tcp, {.payload_length = 0}).ports(1, 53).fill(16).bytes();
    CHECK(run.run(v4) == taken);
    CHECK(run.run(v6) == taken);
}

TEST_CASE("headers that contradict themselves are counted as not parsed") {
    test_run run;
    run.rules({"take udp"});
    const auto wrong_v4 = frame_builder().ipv4(ip_protocol::udp, {.version = 6}).fill(8).bytes();
    const auto wrong_v6 = frame_builder().ipv6(ip_protocol::udp, {.version = 4}).fill(8).bytes();
    auto short_header = frame_builder().ipv4(ip_protocol::udp).ports(1, 53).fill(8).bytes();
    short_header[14] = std::byte{0x44};  // four words
    for (const auto& frame : {wrong_v4, wrong_v6, short_header})
        CHECK(run.run(frame) == unparsed);
    run.rules({"take arp"});
    CHECK(run.run(frame_builder().type(0x88cc).fill(20).bytes()) == left);
}

TEST_CASE("a frame over several buffers is parsed like one in one piece") {
    test_run run;
    for (headers_case c : headers_cases()) {
        INFO(c.name);
        c.frame.resize(9000, std::byte{0x5a});
        run.rules({"take udp dport 53"});
        CHECK(run.run(c.frame) == taken);
        run.rules({"take udp dport 54"});
        CHECK(run.run(c.frame) == left);
    }
}

TEST_CASE("headers may lie behind the first buffer") {
    test_run run;
    run.rules({"take udp dport 53"});
    bool supported = true;
    for (const headers_case& c : headers_cases()) {
        for (std::size_t linear = shortest_frame; linear < c.frame.size(); ++linear) {
            INFO(c.name << " with " << linear << " bytes in the first buffer");
            const verdict got = run.run(c.frame, {.linear_bytes = linear}, &supported);
            if (!supported) {
                WARN("this kernel's test-run cannot make a short first buffer (since Linux 6.18)");
                return;
            }
            CHECK(got == taken);
        }
    }
}
