// SPDX-License-Identifier: Apache-2.0
// The XDP program against its model in user space, judge(): random rules, random packets, the same
// verdict. Values come from small sets, so that rules often match and often fail by one field.
#include <random>

#include <skein/wire/types.hpp>

#include "bpf/frame_builder.hpp"
#include "bpf/test_run.hpp"
#include "support/seed.hpp"

using skein::test::frame_builder;
using skein::test::test_run;
using skein::wire::ether_type;
using skein::wire::ip_protocol;
using skein::xsk::default_action;
using skein::xsk::packet_key;
using skein::xsk::port_range;
using skein::xsk::rule;
using skein::xsk::rule_action;

namespace {

constexpr std::uint16_t last_port = 5;

class dice {
  public:
    explicit dice(std::uint64_t seed) : engine_(seed) {}

    std::uint16_t up_to(std::uint16_t last) {
        return std::uniform_int_distribution<std::uint16_t>(0, last)(engine_);
    }
    bool one_in(std::uint16_t n) { return up_to(static_cast<std::uint16_t>(n - 1)) == 0; }
    template <class Value, std::size_t Size>
    Value any_of(const Value (&values)[Size]) {
        return values[up_to(Size - 1)];
    }

  private:
    std::mt19937_64 engine_;
};

constexpr const char* addresses4[] = {"10.0.0.1", "10.0.0.2", "10.128.0.1"};
constexpr const char* addresses6[] = {"2001:db8::1", "2001:db8::2", "2001:db8:8000::1"};
constexpr ip_protocol protocols[] = {ip_protocol::tcp, ip_protocol::udp, ip_protocol::icmp};

skein::xsk::ip_prefix prefix_of(const std::string& text) {
    return *skein::xsk::parse_rule("take src " + text).source;
}

std::string random_prefix(dice& dice, bool v4) {
    if (v4) return dice.any_of({"10.0.0.1", "10.0.0.0/9", "10.0.0.0/30", "0.0.0.0/0"});
    return dice.any_of({"2001:db8::1", "2001:db8::/33", "2001:db8::/126", "::/0"});
}

std::string random_range(dice& dice) {
    const auto first = dice.up_to(last_port);
    const auto width = dice.up_to(static_cast<std::uint16_t>(last_port - first));
    return std::to_string(first) + "-" + std::to_string(first + width);
}

// Written as text, so that the grammar takes part too.
rule random_rule(dice& dice) {
    std::string text = dice.one_in(3) ? "pass" : "take";
    const bool v4 = dice.one_in(2);
    if (dice.one_in(4)) text += dice.any_of({" vlan 1", " vlan none", " vlan 1.2", " vlan 2"});
    if (dice.one_in(4)) text += v4 ? " ipv4" : " ipv6";
    if (dice.one_in(3)) text += " src " + random_prefix(dice, v4);
    if (dice.one_in(3)) text += " dst " + random_prefix(dice, v4);
    const bool ports = dice.one_in(2);
    if (dice.one_in(2))
        text += dice.any_of({" tcp", " udp"});
    else if (!ports && dice.one_in(3))
        text += " icmp";
    if (ports) text += dice.any_of({" sport ", " dport ", " port "}) + random_range(dice);
    return skein::xsk::parse_rule(text);
}

struct packet {
    std::vector<std::byte> whole;
    std::vector<std::byte> fragment;  // of the same datagram, without its ports
    packet_key key;
};

void add_tags(dice& dice, frame_builder& frame, packet_key& key) {
    const auto tags = dice.up_to(3);
    for (std::uint16_t depth = 0; depth < tags; ++depth) {
        const auto id = static_cast<std::uint16_t>(1 + dice.up_to(1));
        frame.tag(id, dice.any_of<std::uint16_t>({0x8100, 0x88a8, 0x9100}), 0x6000);
        if (depth == 0) key.vlan_outer = id;
        if (depth == 1) key.vlan_inner = id;
    }
}

packet random_packet(dice& dice) {
    packet result;
    packet_key& key = result.key;
    frame_builder frame;
    add_tags(dice, frame, key);
    const bool v4 = dice.one_in(2);
    const char* source = v4 ? dice.any_of(addresses4) : dice.any_of(addresses6);
    const char* destination = v4 ? dice.any_of(addresses4) : dice.any_of(addresses6);
    const ip_protocol protocol = dice.any_of(protocols);
    key.ether_type = v4 ? ether_type::ipv4 : ether_type::ipv6;
    key.protocol = protocol;
    key.source = prefix_of(source);
    key.destination = prefix_of(destination);
    frame_builder piece = frame;
    if (v4) {
        frame.ipv4(protocol, {.source = source, .destination = destination});
        piece.ipv4(protocol, {.source = source, .destination = destination, .fragment = 100});
    } else {
        frame.ipv6(protocol, {.source = source, .destination = destination});
        piece.ipv6(ip_protocol::fragment, {.source = source, .destination = destination})
            .fragment(protocol, 800, false);
    }
    const auto source_port = dice.up_to(last_port);
    const auto destination_port = dice.up_to(last_port);
    if (protocol != ip_protocol::icmp) {
        key.source_port = source_port;
        key.destination_port = destination_port;
    }
    result.whole = frame.ports(source_port, destination_port).fill(16);
    result.fragment = piece.fill(20, 0xff);
    return result;
}

// Whether the datagram would be taken with these or any other ports.
bool could_be_taken(const std::vector<rule>& rules, default_action otherwise, packet_key key) {
    if (!key.source_port) return judge(rules, otherwise, key) == rule_action::take;
    for (std::uint16_t from = 0; from <= last_port + 1; ++from) {
        for (std::uint16_t to = 0; to <= last_port + 1; ++to) {
            key.source_port = from;
            key.destination_port = to;
            if (judge(rules, otherwise, key) == rule_action::take) return true;
        }
    }
    return false;
}

std::string text_of(const std::vector<rule>& rules) {
    std::string text;
    for (const rule& rule : rules)
        text += to_string(rule) + "\n";
    return text;
}

}  // namespace

TEST_CASE(
    "the program and judge() agree on every whole packet, and lose no fragment of a taken one") {
    dice dice(skein::test::announced_seed("redirect model"));
    test_run run;
    int taken = 0;
    int fragments_taken = 0;
    constexpr int sets = 200;
    constexpr int packets = 25;
    for (int set = 0; set < sets; ++set) {
        std::vector<rule> rules;
        for (auto n = 1 + dice.up_to(5); n > 0; --n)
            rules.push_back(random_rule(dice));
        const auto otherwise =
            dice.one_in(2) ? default_action::everything : default_action::nothing;
        run.program().set_rules(rules, otherwise);
        INFO("rules:\n" << text_of(rules));
        for (int i = 0; i < packets; ++i) {
            const packet packet = random_packet(dice);
            const bool take = judge(rules, otherwise, packet.key) == rule_action::take;
            REQUIRE((run.run(packet.whole).action == XDP_REDIRECT) == take);
            const bool piece_taken = run.run(packet.fragment).action == XDP_REDIRECT;
            if (could_be_taken(rules, otherwise, packet.key)) REQUIRE(piece_taken);
            taken += take;
            fragments_taken += piece_taken;
        }
    }
    CHECK(taken > sets * packets / 10);
    CHECK(taken < sets * packets * 9 / 10);
    CHECK(fragments_taken < sets * packets * 9 / 10);
}
