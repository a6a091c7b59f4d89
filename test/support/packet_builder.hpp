// SPDX-License-Identifier: Apache-2.0
// Frames made by code: headers one after another, lengths and checksums right unless told
// otherwise.
//
//     const auto frame = packet_builder()
//                            .ethernet()
//                            .vlan(wire::ether_type::vlan, {.word = 7})
//                            .ipv4({.ttl = 3})
//                            .udp({.source_port = 53})
//                            .payload(100)
//                            .build();
//
// Each header is given as its wire value; what its successor decides (type, protocol, length,
// checksum) is filled in by build(), from the inside out. A header whose successor is payload keeps
// the type it was given: that is how fragments and unknown protocols are made. The knobs below make
// one thing wrong; anything else is poked into the bytes afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <skein/wire/wire.hpp>

#include "support/test_bytes.hpp"

namespace skein::test {

class packet_builder {
  public:
    packet_builder& ethernet(const wire::ethernet_header& header = default_ethernet());
    packet_builder& vlan(wire::ether_type tpid, wire::vlan_tci tci);
    packet_builder& linux_sll();
    packet_builder& linux_sll2();
    // The address family in the byte order of the host or the other one.
    packet_builder& loopback(std::uint32_t family, bool swapped = false);
    packet_builder& arp(const wire::arp_packet& packet = {});
    packet_builder& ipv4(wire::ipv4_header header = {});
    packet_builder& ipv6(wire::ipv6_header header = {});
    // An extension header with 6 bytes or more of its own, filled up with zeros to a multiple of 8.
    packet_builder& extension(wire::ip_protocol kind, std::span<const std::byte> body = {});
    // Hop-by-hop options with a jumbo option of the right length.
    packet_builder& jumbo();
    packet_builder& fragment(const wire::ipv6_fragment_header& header);
    packet_builder& udp(wire::udp_header header = {});
    packet_builder& tcp(wire::tcp_header header = {});
    packet_builder& icmp(const wire::icmpv4_header& header);
    packet_builder& icmpv6(const wire::icmpv6_header& header);
    packet_builder& sctp(wire::sctp_header header = {});
    packet_builder& sctp_chunk(wire::sctp_chunk_type type, std::span<const std::byte> value);
    packet_builder& payload(std::span<const std::byte> data);
    packet_builder& payload(std::size_t size) { return payload(pattern(size)); }

    // Zeros behind the packet up to a whole frame's size, which no length counts.
    packet_builder& pad_to(std::size_t frame_bytes);
    // The innermost IP header states this length, whatever is there.
    packet_builder& ip_length(std::uint16_t stated);
    packet_builder& udp_length(std::uint16_t stated);
    // The innermost of its kind is one off, or 0.
    packet_builder& wrong_ip_checksum();
    packet_builder& wrong_l4_checksum();
    packet_builder& no_l4_checksum();

    bytes build() const;

    static wire::ethernet_header default_ethernet();

  private:
    enum class kind : std::uint8_t {
        link,
        vlan,
        arp,
        ipv4,
        ipv6,
        extension,
        fragment,
        jumbo,
        udp,
        tcp,
        icmp,
        icmpv6,
        sctp,
        payload
    };
    // One header and where its successor's number goes.
    struct layer {
        kind what;
        bytes header;
        std::optional<std::size_t> type_at = {};      // of two bytes: an EtherType
        std::optional<std::size_t> protocol_at = {};  // of one byte: an IP protocol
        wire::ether_type type = {};                   // what its predecessor says of it
        std::optional<wire::ip_protocol> protocol = {};
        std::size_t offset = 0;  // in the frame
    };
    struct assembly;

    template <class Header>
    layer& append(kind what, const Header& header);
    layer& append_bytes(kind what, bytes header);

    std::vector<layer> layers_;
    std::size_t frame_bytes_ = 0;
    std::optional<std::uint16_t> ip_length_;
    std::optional<std::uint16_t> udp_length_;
    bool wrong_ip_checksum_ = false;
    bool wrong_l4_checksum_ = false;
    bool no_l4_checksum_ = false;
};

}  // namespace skein::test
