// SPDX-License-Identifier: Apache-2.0
// Why bytes were not understood: one name per cause, for views and for the packet parser.
//
// The names are printed (JSON, --list-reasons) and stay stable. A reason says what was wrong with
// the bytes, never what is to be done with the packet: that is the stage's decision.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skein::inline v0 {

enum class parse_reason : std::uint8_t {
    none,  // understood

    ethernet_truncated,  // fewer than 14 bytes
    vlan_truncated,      // a TPID without the 4 bytes that must follow
    vlan_too_deep,       // more tags than are recorded
    sll_truncated,       // LINUX_SLL: fewer than 16 bytes
    sll2_truncated,      // LINUX_SLL2: fewer than 20 bytes
    loopback_truncated,  // NULL/LOOP: fewer than 4 bytes

    ip_truncated,        // no byte where the version nibble should be
    ip_unknown_version,  // raw IP, version neither 4 nor 6
    zero_length,         // IPv4 total length 0, or IPv6 payload length 0 without a jumbo option

    ipv4_truncated,           // fewer than 20 bytes
    ipv4_bad_version,         // version is not 4
    ipv4_bad_header_length,   // IHL below 5
    ipv4_options_truncated,   // IHL reaches beyond the bytes
    ipv4_total_length_short,  // total length below the header's own
    ipv4_length_beyond_end,   // total length above the bytes present
    ipv4_option_malformed,    // an option's length below 2 or beyond the header

    ipv6_truncated,             // fewer than 40 bytes
    ipv6_bad_version,           // version is not 6
    ipv6_length_beyond_end,     // payload length above the bytes present
    ipv6_extension_truncated,   // an extension header reaches beyond the packet
    ipv6_extensions_too_many,   // more extension headers than are walked
    ipv6_extensions_too_long,   // more bytes of extension headers than are walked
    ipv6_option_malformed,      // an option reaches beyond its header, or a bad jumbo option
    ipv6_options_too_many,      // more hop-by-hop options than are walked
    ipv6_hop_by_hop_misplaced,  // a hop-by-hop header that is not the first (RFC 8200 §4.1)
    ipv6_nested_fragment,       // a second fragment header
    ipv6_jumbo_with_length,     // jumbo option and payload length not 0 (RFC 2675 §3)
    ipv6_jumbo_short,           // jumbo length below 65536 (RFC 2675 §3)
    ipv6_jumbo_fragment,        // jumbo option and fragment header (RFC 2675 §3)

    arp_truncated,          // fewer than 28 bytes
    arp_not_ethernet_ipv4,  // other hardware or protocol address kinds

    icmp_truncated,    // fewer than 8 bytes
    icmpv6_truncated,  // fewer than 8 bytes

    udp_truncated,          // fewer than 8 bytes
    udp_length_short,       // UDP length below 8
    udp_length_beyond_end,  // UDP length above the IP payload

    tcp_truncated,          // fewer than 20 bytes
    tcp_bad_data_offset,    // data offset below 5
    tcp_options_truncated,  // data offset reaches beyond the bytes
    tcp_option_malformed,   // an option's length below 2 or beyond the header

    sctp_truncated,         // fewer than 12 bytes
    sctp_chunk_truncated,   // a chunk reaches beyond the packet
    sctp_chunk_bad_length,  // a chunk's length below 4
};

namespace detail {

struct named_parse_reason {
    parse_reason reason;
    std::string_view name;
};

inline constexpr std::array parse_reason_names = std::to_array<named_parse_reason>({
    {parse_reason::none, "none"},
    {parse_reason::ethernet_truncated, "ethernet_truncated"},
    {parse_reason::vlan_truncated, "vlan_truncated"},
    {parse_reason::vlan_too_deep, "vlan_too_deep"},
    {parse_reason::sll_truncated, "sll_truncated"},
    {parse_reason::sll2_truncated, "sll2_truncated"},
    {parse_reason::loopback_truncated, "loopback_truncated"},
    {parse_reason::ip_truncated, "ip_truncated"},
    {parse_reason::ip_unknown_version, "ip_unknown_version"},
    {parse_reason::zero_length, "zero_length"},
    {parse_reason::ipv4_truncated, "ipv4_truncated"},
    {parse_reason::ipv4_bad_version, "ipv4_bad_version"},
    {parse_reason::ipv4_bad_header_length, "ipv4_bad_header_length"},
    {parse_reason::ipv4_options_truncated, "ipv4_options_truncated"},
    {parse_reason::ipv4_total_length_short, "ipv4_total_length_short"},
    {parse_reason::ipv4_length_beyond_end, "ipv4_length_beyond_end"},
    {parse_reason::ipv4_option_malformed, "ipv4_option_malformed"},
    {parse_reason::ipv6_truncated, "ipv6_truncated"},
    {parse_reason::ipv6_bad_version, "ipv6_bad_version"},
    {parse_reason::ipv6_length_beyond_end, "ipv6_length_beyond_end"},
    {parse_reason::ipv6_extension_truncated, "ipv6_extension_truncated"},
    {parse_reason::ipv6_extensions_too_many, "ipv6_extensions_too_many"},
    {parse_reason::ipv6_extensions_too_long, "ipv6_extensions_too_long"},
    {parse_reason::ipv6_option_malformed, "ipv6_option_malformed"},
    {parse_reason::ipv6_options_too_many, "ipv6_options_too_many"},
    {parse_reason::ipv6_hop_by_hop_misplaced, "ipv6_hop_by_hop_misplaced"},
    {parse_reason::ipv6_nested_fragment, "ipv6_nested_fragment"},
    {parse_reason::ipv6_jumbo_with_length, "ipv6_jumbo_with_length"},
    {parse_reason::ipv6_jumbo_short, "ipv6_jumbo_short"},
    {parse_reason::ipv6_jumbo_fragment, "ipv6_jumbo_fragment"},
    {parse_reason::arp_truncated, "arp_truncated"},
    {parse_reason::arp_not_ethernet_ipv4, "arp_not_ethernet_ipv4"},
    {parse_reason::icmp_truncated, "icmp_truncated"},
    {parse_reason::icmpv6_truncated, "icmpv6_truncated"},
    {parse_reason::udp_truncated, "udp_truncated"},
    {parse_reason::udp_length_short, "udp_length_short"},
    {parse_reason::udp_length_beyond_end, "udp_length_beyond_end"},
    {parse_reason::tcp_truncated, "tcp_truncated"},
    {parse_reason::tcp_bad_data_offset, "tcp_bad_data_offset"},
    {parse_reason::tcp_options_truncated, "tcp_options_truncated"},
    {parse_reason::tcp_option_malformed, "tcp_option_malformed"},
    {parse_reason::sctp_truncated, "sctp_truncated"},
    {parse_reason::sctp_chunk_truncated, "sctp_chunk_truncated"},
    {parse_reason::sctp_chunk_bad_length, "sctp_chunk_bad_length"},
});

constexpr bool parse_reason_names_in_order() noexcept {
    for (std::size_t i = 0; i < parse_reason_names.size(); ++i)
        if (static_cast<std::size_t>(parse_reason_names[i].reason) != i) return false;
    return true;
}

static_assert(parse_reason_names_in_order());

constexpr auto list_parse_reasons() noexcept {
    std::array<parse_reason, parse_reason_names.size() - 1> list{};
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = parse_reason_names[i + 1].reason;
    return list;
}

}  // namespace detail

// How many values parse_reason has, none included: the size of an array of counters by reason.
inline constexpr std::size_t parse_reason_count = detail::parse_reason_names.size();

// Every reason but none, in the order of the enumeration.
inline constexpr std::array all_parse_reasons = detail::list_parse_reasons();

static_assert(all_parse_reasons.back() == parse_reason::sctp_chunk_bad_length);

constexpr std::string_view to_string(parse_reason reason) noexcept {
    const auto index = static_cast<std::size_t>(reason);
    return index < parse_reason_count ? detail::parse_reason_names[index].name : "unknown";
}

}  // namespace skein::inline v0
