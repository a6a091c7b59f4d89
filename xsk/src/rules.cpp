// SPDX-License-Identifier: Apache-2.0
// What rules mean to a whole packet, and how they are written; rule_parser.cpp reads them.
#include <skein/xsk/rules.hpp>

#include "rule_names.hpp"

namespace skein::inline v0::xsk {

namespace {

bool names_ports(const rule& rule) noexcept {
    return rule.source_port || rule.destination_port || rule.either_port;
}

template <class Value>
bool equal_where_named(const std::optional<Value>& wanted,
                       const std::optional<Value>& is) noexcept {
    return !wanted || wanted == is;
}

bool vlan_matches(const rule& rule, const packet_key& packet) noexcept {
    if (!rule.vlan) return true;
    if (!rule.vlan->outer) return !packet.vlan_outer;
    return rule.vlan->outer == packet.vlan_outer &&
           equal_where_named(rule.vlan->inner, packet.vlan_inner);
}

bool contains(const std::optional<ip_prefix>& prefix,
              const std::optional<ip_prefix>& address) noexcept {
    if (!prefix) return true;
    if (!address || address->family != prefix->family) return false;
    for (std::size_t bit = 0; bit < prefix->length; ++bit) {
        const auto mask = std::byte{0x80} >> (bit % 8);
        const auto difference = prefix->bytes[bit / 8] ^ address->bytes[bit / 8];
        if ((difference & mask) != std::byte{0}) return false;
    }
    return true;
}

bool contains(const std::optional<port_range>& range, std::uint16_t port) noexcept {
    return !range || (range->first <= port && port <= range->last);
}

bool ports_match(const rule& rule, const packet_key& packet) noexcept {
    if (!names_ports(rule)) return true;
    if (!packet.source_port || !packet.destination_port) return false;
    return contains(rule.source_port, *packet.source_port) &&
           contains(rule.destination_port, *packet.destination_port) &&
           (contains(rule.either_port, *packet.source_port) ||
            contains(rule.either_port, *packet.destination_port));
}

std::string text_of(const vlan_match& vlan) {
    if (!vlan.outer) return " vlan none";
    std::string text = " vlan " + std::to_string(*vlan.outer);
    if (vlan.inner) text += "." + std::to_string(*vlan.inner);
    return text;
}

std::string text_of(wire::ether_type type) {
    if (const auto name = name_of(ether_type_names, type); !name.empty())
        return " " + std::string(name);
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = " ethertype 0x";
    for (int shift = 12; shift >= 0; shift -= 4)
        text += digits[static_cast<std::size_t>(number(type) >> shift) & 15];
    return text;
}

std::string text_of(wire::ip_protocol protocol) {
    if (const auto name = name_of(protocol_names, protocol); !name.empty())
        return " " + std::string(name);
    return " proto " + std::to_string(number(protocol));
}

std::string text_of(std::string_view term, const std::optional<port_range>& range) {
    if (!range) return {};
    std::string text = " " + std::string(term) + " " + std::to_string(range->first);
    if (range->last != range->first) text += "-" + std::to_string(range->last);
    return text;
}

std::string text_of(std::string_view term, const std::optional<ip_prefix>& prefix) {
    return prefix ? " " + std::string(term) + " " + to_string(*prefix) : std::string();
}

}  // namespace

bool matches(const rule& rule, const packet_key& packet) noexcept {
    return (!rule.ether_type || *rule.ether_type == packet.ether_type) &&
           equal_where_named(rule.protocol, packet.protocol) && vlan_matches(rule, packet) &&
           contains(rule.source, packet.source) && contains(rule.destination, packet.destination) &&
           ports_match(rule, packet);
}

rule_action judge(std::span<const rule> rules, default_action otherwise,
                  const packet_key& packet) noexcept {
    for (const rule& rule : rules)
        if (matches(rule, packet)) return rule.action;
    return otherwise == default_action::everything ? rule_action::take : rule_action::pass;
}

std::string to_string(const ip_prefix& prefix) {
    const auto* bytes = prefix.bytes.data();
    const auto address = prefix.family == ip_family::ipv4
                             ? wire::to_text(wire::ipv4_address(wire::ipv4_address::load(bytes)))
                             : wire::to_text(wire::ipv6_address(wire::ipv6_address::load(bytes)));
    return std::string(address.view()) + "/" + std::to_string(prefix.length);
}

std::string to_string(const rule& rule) {
    std::string text = rule.action == rule_action::take ? "take" : "pass";
    if (rule.vlan) text += text_of(*rule.vlan);
    if (rule.ether_type) text += text_of(*rule.ether_type);
    if (rule.protocol) text += text_of(*rule.protocol);
    return text + text_of("src", rule.source) + text_of("dst", rule.destination) +
           text_of("sport", rule.source_port) + text_of("dport", rule.destination_port) +
           text_of("port", rule.either_port);
}

}  // namespace skein::inline v0::xsk
