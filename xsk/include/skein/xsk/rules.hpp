// SPDX-License-Identifier: Apache-2.0
// Rules: which packets the XDP program takes, and which it leaves to the kernel.
//
// A rule names fields and says take or pass. It matches a packet that has every field it names with
// the value it names; the first rule that matches decides, and where none does, the default action.
//
//     take udp dst 10.0.0.0/8 port 53
//     pass vlan 10 tcp dport 80-90
//     take ethertype arp
//
// Text form: an action, then terms in any order, each at most once, separated by blanks.
//
//     take | pass            to the AF_XDP socket of the packet's queue | to the kernel's stack
//     ethertype NAME|0xHHHH  behind all VLAN tags; arp, ipv4 (or ip) and ipv6 may stand alone
//     vlan N                 the first tag has VLAN id N, 0 to 4095 (0: a priority tag)
//     vlan N.M               and the second has M
//     vlan none              no tag
//     proto NAME|N           behind all IPv6 extension headers; tcp, udp, sctp, udplite, dccp,
//     icmp,
//                            icmpv6, gre, esp and ah may stand alone
//     src PREFIX             ADDRESS or ADDRESS/LENGTH, IPv4 or IPv6
//     dst PREFIX
//     sport N|N-M            source port, inclusive range
//     dport N|N-M
//     port N|N-M             source or destination port
//
// Fragments. Only the first fragment of a datagram shows its ports, and any fragment may come
// first; yet all must go the same way. So a fragment is taken if it would be for some port: a take
// rule ignores the ports it names, a pass rule that names ports decides nothing for fragments. What
// the ports decide is decided after reassembly, by judge() on the whole packet. The same holds for
// the protocol of an IPv6 fragment whose fragment header is followed by a further extension header.
//
// VLAN tags that a device strips before the XDP program runs are invisible to it (`ethtool -K DEV
// rxvlan off` keeps them in the frame). EtherTypes, VLAN ids and ports are host values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <skein/export.hpp>
#include <skein/wire/address.hpp>
#include <skein/wire/types.hpp>

namespace skein::inline v0::xsk {

enum class rule_action : std::uint8_t { pass, take };

// For packets that no rule matched: left to the kernel, or taken.
enum class default_action : std::uint8_t { nothing, everything };

// The most rules a program holds.
inline constexpr std::size_t max_rules = 64;

enum class ip_family : std::uint8_t { ipv4, ipv6 };

// An address and how many of its leading bits count. Bits behind them are zero; an IPv4 address
// fills the first four bytes.
struct ip_prefix {
    ip_family family = ip_family::ipv4;
    std::uint8_t length = 0;  // 0 to 32, or 0 to 128
    std::array<std::byte, 16> bytes{};

    bool operator==(const ip_prefix&) const noexcept = default;
};

// "10.0.0.0/8"
SKEIN_EXPORT std::string to_string(const ip_prefix& prefix);

struct port_range {
    std::uint16_t first = 0;
    std::uint16_t last = 0;  // inclusive

    bool operator==(const port_range&) const noexcept = default;
};

// No outer id: the packet has no tag. An inner id without an outer one makes no sense.
struct vlan_match {
    std::optional<std::uint16_t> outer = {};
    std::optional<std::uint16_t> inner = {};

    bool operator==(const vlan_match&) const noexcept = default;
};

// Fields left empty match every packet.
struct rule {
    rule_action action = rule_action::take;
    std::optional<wire::ether_type> ether_type = {};
    std::optional<vlan_match> vlan = {};
    std::optional<wire::ip_protocol> protocol = {};
    std::optional<ip_prefix> source = {};
    std::optional<ip_prefix> destination = {};
    std::optional<port_range> source_port = {};
    std::optional<port_range> destination_port = {};
    std::optional<port_range> either_port = {};

    bool operator==(const rule&) const noexcept = default;
};

// A rule's text makes no sense. what() names the term and its place, remedy() what to write.
class SKEIN_EXPORT rule_error : public std::invalid_argument {
  public:
    rule_error(const std::string& what, std::size_t position, std::string remedy)
        : std::invalid_argument(what), position_(position), remedy_(std::move(remedy)) {}
    // Offset into the text, in characters from 0.
    std::size_t position() const noexcept { return position_; }
    const std::string& remedy() const noexcept { return remedy_; }

  private:
    std::size_t position_;
    std::string remedy_;
};

// Throws rule_error. Contradictions (ports of icmp, prefixes of two families, ...) are errors too.
SKEIN_EXPORT rule parse_rule(std::string_view text);
// The canonical text: parse_rule(to_string(r)) == r for every rule that parse_rule can return.
SKEIN_EXPORT std::string to_string(const rule& rule);

// What a packet shows of the fields that rules speak of; empty where it does not.
struct packet_key {
    wire::ether_type ether_type{};  // behind the tags
    std::optional<std::uint16_t> vlan_outer = {};
    std::optional<std::uint16_t> vlan_inner = {};
    std::optional<wire::ip_protocol> protocol = {};
    std::optional<ip_prefix> source = {};  // of full length
    std::optional<ip_prefix> destination = {};
    std::optional<std::uint16_t> source_port = {};
    std::optional<std::uint16_t> destination_port = {};
};

// What the rules say of a whole packet (no fragment): the same verdict the XDP program reaches.
SKEIN_EXPORT bool matches(const rule& rule, const packet_key& packet) noexcept;
SKEIN_EXPORT rule_action judge(std::span<const rule> rules, default_action otherwise,
                               const packet_key& packet) noexcept;

}  // namespace skein::inline v0::xsk
