// SPDX-License-Identifier: Apache-2.0
// From link layer to transport: one walk over a packet's headers.
//
//     const auto found = parse_packet(contiguous_source(bytes), link_layer::ethernet);
//     if (!found.is_ok()) ++not_parsed[found.reason];
//
// The packet is read through a byte source (byte_source.hpp), a header at a time, in place where
// possible. Nothing is allocated, nothing thrown, and every loop is bounded: wire::max_vlan_tags
// tags, max_ipv6_extensions headers. Tunnels are not entered.
//
// The parser checks lengths and structure, not checksums, and leaves to reassembly what only a
// whole datagram can show. IPv4 options are located but not walked.
//
// A length of 0 (IPv4 total length; IPv6 payload length without a jumbo option) is malformed unless
// the caller knows that the packet may be an aggregate captured on its own host. Then TCP that is
// no fragment gets the captured length (Linux 6.3 include/linux/ip.h, iph_totlen).
#pragma once

#include <optional>

#include <skein/byte_source.hpp>
#include <skein/detail/parse_link.hpp>
#include <skein/parse_options.hpp>
#include <skein/parsed_headers.hpp>

namespace skein::inline v0 {

template <byte_source Source>
[[nodiscard]] parsed_headers parse_packet(const Source& source, link_layer link,
                                          parse_options options = {}) noexcept {
    parsed_headers found;
    detail::parse_context<Source> context(source, options, found);
    found.reason = detail::parse_link(context, link);
    return found;
}

// The link layer of a capture file's LINKTYPE number; empty where it is not one of skein's.
constexpr std::optional<link_layer> link_layer_of(std::uint32_t linktype) noexcept {
    switch (linktype) {
        case 1:
            return link_layer::ethernet;
        case 0:    // NULL: family in the capturing host's byte order
        case 108:  // LOOP: in network byte order
            return link_layer::loopback;
        case 12:  // DLT_RAW, on most systems
        case 14:  // DLT_RAW, on OpenBSD
        case 101:
            return link_layer::ip;
        case 113:
            return link_layer::linux_sll;
        case 228:
            return link_layer::ipv4;
        case 229:
            return link_layer::ipv6;
        case 276:
            return link_layer::linux_sll2;
        default:
            return std::nullopt;
    }
}

}  // namespace skein::inline v0
