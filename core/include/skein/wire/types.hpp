// SPDX-License-Identifier: Apache-2.0
// The numbers that name a protocol, each kind a type of its own.
//
// An EtherType and an IP protocol are both small integers and must never meet in a comparison, so
// both are enum classes. Both sets are open: any value may come from the wire, a switch over one
// always has a default. Sources: IANA "IEEE 802 Numbers" and "Protocol Numbers".
#pragma once

#include <cstdint>
#include <type_traits>

#include <skein/wire/address.hpp>

namespace skein::inline v0::wire {

enum class ether_type : std::uint16_t {
    ipv4 = 0x0800,
    arp = 0x0806,
    trans_ether_bridging = 0x6558,
    vlan = 0x8100,  // IEEE 802.1Q C-tag
    ipv6 = 0x86dd,
    slow_protocols = 0x8809,
    mpls = 0x8847,
    mpls_multicast = 0x8848,
    pppoe_session = 0x8864,
    qinq = 0x88a8,  // IEEE 802.1ad S-tag
    lldp = 0x88cc,
    macsec = 0x88e5,
    ptp = 0x88f7,
    qinq_9100 = 0x9100,  // S-tag of equipment older than 802.1ad
};

// Values of the type field from here on are EtherTypes, smaller ones a length (IEEE 802.3 §3.2.6).
inline constexpr std::uint16_t first_ether_type = 0x0600;

enum class ip_protocol : std::uint8_t {
    hop_by_hop = 0,
    icmp = 1,
    igmp = 2,
    ipv4 = 4,
    tcp = 6,
    udp = 17,
    dccp = 33,
    ipv6 = 41,
    routing = 43,
    fragment = 44,
    gre = 47,
    esp = 50,
    ah = 51,
    icmpv6 = 58,
    no_next_header = 59,
    destination_options = 60,
    sctp = 132,
    mobility = 135,
    udp_lite = 136,
    hip = 139,
    shim6 = 140,
};

// The number behind an enumerator.
template <class Enum>
requires std::is_enum_v<Enum>
constexpr std::underlying_type_t<Enum> number(Enum value) noexcept {
    return static_cast<std::underlying_type_t<Enum>>(value);
}

constexpr bool is_vlan_tpid(ether_type type) noexcept {
    return type == ether_type::vlan || type == ether_type::qinq || type == ether_type::qinq_9100;
}

// The byte IPv4 calls TOS and IPv6 traffic class: DSCP above, ECN below (RFC 2474 §3, RFC 3168 §5).
struct traffic_class {
    std::uint8_t byte = 0;

    constexpr std::uint8_t dscp() const noexcept { return byte >> 2; }
    constexpr std::uint8_t ecn() const noexcept { return byte & 3; }
    constexpr traffic_class with_dscp(std::uint8_t dscp) const noexcept {
        return {static_cast<std::uint8_t>((dscp << 2) | ecn())};
    }
    constexpr traffic_class with_ecn(std::uint8_t ecn) const noexcept {
        return {static_cast<std::uint8_t>((byte & 0xfc) | (ecn & 3))};
    }
    friend constexpr bool operator==(traffic_class, traffic_class) noexcept = default;
};

}  // namespace skein::inline v0::wire
