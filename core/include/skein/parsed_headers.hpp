// SPDX-License-Identifier: Apache-2.0
// What the parser finds in a packet: where each header lies and how long it is.
//
//     0        l3_offset          l4_offset          payload_offset        ip_end()    size
//     | link   | IP, options,     | TCP, UDP,        | payload_bytes       | Ethernet  |
//     | header | extension headers| ICMP, SCTP       |                     | padding   |
//     | + tags |<--- l3_bytes --->|<--- l4_bytes --->|
//              |<----------------------- ip_bytes ------------------------>|
//
// All offsets and lengths are bytes, lie inside the packet, and the payload is counted from the IP
// length, so it never holds padding. A fragment's payload is what this fragment carries. UDP's own
// length may be shorter than the payload; it is in the UDP header.
//
// Where reason isn't none, everything before the fault is filled in and the rest is as constructed.
// Frames that are not IP are no fault: l3 says so.
#pragma once

#include <cstdint>

#include <skein/parse_reason.hpp>
#include <skein/wire/types.hpp>
#include <skein/wire/vlan_stack.hpp>

namespace skein::inline v0 {

// What a packet begins with.
enum class link_layer : std::uint8_t {
    ethernet,
    ip,  // IPv4 or IPv6, told by the version
    ipv4,
    ipv6,
    linux_sll,   // Linux cooked capture, 16 bytes
    linux_sll2,  // the same, version 2, 20 bytes
    loopback,    // BSD loopback: address family in 4 bytes, in either byte order
};

enum class l3_kind : std::uint8_t { other, arp, ipv4, ipv6 };

struct fragment_info {
    bool is_fragment = false;  // a piece of a datagram; false for an atomic fragment
    bool is_atomic = false;    // IPv6 fragment header, but the datagram is whole (RFC 6946)
    bool more = false;
    std::uint32_t offset_bytes = 0;  // within the datagram
    std::uint32_t identification = 0;
    std::uint32_t data_offset = 0;  // in the packet: what the datagram gets from this fragment
    std::uint32_t data_bytes = 0;
    std::uint32_t header_offset = 0;  // IPv6: of the fragment header
    std::uint32_t named_at = 0;       // IPv6: of the next-header byte that names it

    constexpr bool is_first() const noexcept { return is_fragment && offset_bytes == 0; }
    friend constexpr bool operator==(const fragment_info&, const fragment_info&) noexcept = default;
};

struct parsed_headers {
    parse_reason reason = parse_reason::none;
    // Why there is no transport header where a first fragment is too short for it. Such a fragment
    // is understood all the same: its reassembly decides.
    parse_reason l4_reason = parse_reason::none;
    l3_kind l3 = l3_kind::other;
    // Of the transport. Of a fragment, what its own header says.
    wire::ip_protocol protocol = wire::ip_protocol::no_next_header;
    // Of what follows the link header and the tags; for raw IP what it would have been. Below
    // wire::first_ether_type it is an 802.3 length.
    wire::ether_type type{};
    bool is_jumbo = false;      // length from a jumbo option
    bool is_aggregate = false;  // IP length 0, taken from the capture
    bool is_cut = false;        // quoted packet, shorter than its IP length
    std::uint32_t l3_offset = 0;
    std::uint32_t l3_bytes = 0;
    std::uint32_t ip_bytes = 0;
    std::uint32_t l4_offset = 0;
    std::uint32_t l4_bytes = 0;  // 0: no transport header here, or none that is parsed
    std::uint32_t payload_offset = 0;
    std::uint32_t payload_bytes = 0;
    fragment_info fragment = {};
    wire::vlan_stack vlans = {};

    constexpr bool is_ok() const noexcept { return reason == parse_reason::none; }
    constexpr bool is_ip() const noexcept { return l3 == l3_kind::ipv4 || l3 == l3_kind::ipv6; }
    constexpr bool has_l4() const noexcept { return l4_bytes != 0; }
    constexpr std::uint32_t ip_end() const noexcept { return l3_offset + ip_bytes; }
    friend bool operator==(const parsed_headers&, const parsed_headers&) noexcept = default;
};

}  // namespace skein::inline v0
