// SPDX-License-Identifier: Apache-2.0
// What each call adds. packet_assembly.cpp puts it together.
#include "support/packet_builder.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace skein::test {

using wire::ether_type;
using wire::ip_protocol;
using wire::number;

wire::ethernet_header packet_builder::default_ethernet() {
    return {mac("02:00:00:00:00:02"), mac("02:00:00:00:00:01"), ether_type::ipv4};
}

packet_builder::layer& packet_builder::append_bytes(kind what, bytes header) {
    layers_.push_back({.what = what, .header = std::move(header)});
    return layers_.back();
}

template <class Header>
packet_builder::layer& packet_builder::append(kind what, const Header& header) {
    bytes emitted(header.size_bytes());
    if (header.emit(emitted) != emitted.size()) throw std::invalid_argument("header not emitted");
    return append_bytes(what, std::move(emitted));
}

packet_builder& packet_builder::ethernet(const wire::ethernet_header& header) {
    append(kind::link, header).type_at = 12;
    return *this;
}

packet_builder& packet_builder::vlan(ether_type tpid, wire::vlan_tci tci) {
    layer& added = append(kind::vlan, wire::vlan_header{.tci = tci});
    added.type_at = 2;
    added.type = tpid;
    return *this;
}

packet_builder& packet_builder::linux_sll() {
    append_bytes(kind::link, from_hex("0000 0001 0006 0200000000010000 0800")).type_at = 14;
    return *this;
}

packet_builder& packet_builder::linux_sll2() {
    append_bytes(kind::link, from_hex("0800 0000 00000002 0001 00 06 0200000000010000")).type_at =
        0;
    return *this;
}

packet_builder& packet_builder::loopback(std::uint32_t family, bool swapped) {
    bytes header(4);
    store_be(header.data(), swapped ? detail::swap_bytes(family) : family);
    append_bytes(kind::link, std::move(header));
    return *this;
}

packet_builder& packet_builder::arp(const wire::arp_packet& packet) {
    append(kind::arp, packet).type = ether_type::arp;
    return *this;
}

packet_builder& packet_builder::ipv4(wire::ipv4_header header) {
    if (header.source == wire::ipv4_address{}) header.source = test::ipv4("192.0.2.1");
    if (header.destination == wire::ipv4_address{}) header.destination = test::ipv4("198.51.100.2");
    layer& added = append(kind::ipv4, header);
    added.protocol_at = 9;
    added.type = ether_type::ipv4;
    added.protocol = ip_protocol::ipv4;
    return *this;
}

packet_builder& packet_builder::ipv6(wire::ipv6_header header) {
    if (header.source == wire::ipv6_address{}) header.source = test::ipv6("2001:db8::1");
    if (header.destination == wire::ipv6_address{}) header.destination = test::ipv6("2001:db8::2");
    layer& added = append(kind::ipv6, header);
    added.protocol_at = 6;
    added.type = ether_type::ipv6;
    added.protocol = ip_protocol::ipv6;
    return *this;
}

packet_builder& packet_builder::extension(ip_protocol which, std::span<const std::byte> body) {
    bytes header(2, std::byte{0});
    header[0] = std::byte{number(ip_protocol::no_next_header)};
    header.insert(header.end(), body.begin(), body.end());
    header.resize(std::max<std::size_t>(8, (header.size() + 7) / 8 * 8));
    const std::size_t units =
        which == ip_protocol::ah ? header.size() / 4 - 2 : header.size() / 8 - 1;
    header[1] = static_cast<std::byte>(units);
    layer& added = append_bytes(kind::extension, std::move(header));
    added.protocol_at = 0;
    added.protocol = which;
    return *this;
}

packet_builder& packet_builder::jumbo() {
    layer& added = append_bytes(kind::jumbo, from_hex("3b00 c204 00000000"));
    added.protocol_at = 0;
    added.protocol = ip_protocol::hop_by_hop;
    return *this;
}

packet_builder& packet_builder::fragment(const wire::ipv6_fragment_header& header) {
    layer& added = append(kind::fragment, header);
    added.protocol_at = 0;
    added.protocol = ip_protocol::fragment;
    return *this;
}

packet_builder& packet_builder::udp(wire::udp_header header) {
    append(kind::udp, header).protocol = ip_protocol::udp;
    return *this;
}

packet_builder& packet_builder::tcp(wire::tcp_header header) {
    append(kind::tcp, header).protocol = ip_protocol::tcp;
    return *this;
}

packet_builder& packet_builder::icmp(const wire::icmpv4_header& header) {
    append(kind::icmp, header).protocol = ip_protocol::icmp;
    return *this;
}

packet_builder& packet_builder::icmpv6(const wire::icmpv6_header& header) {
    append(kind::icmpv6, header).protocol = ip_protocol::icmpv6;
    return *this;
}

packet_builder& packet_builder::sctp(wire::sctp_header header) {
    append(kind::sctp, header).protocol = ip_protocol::sctp;
    return *this;
}

packet_builder& packet_builder::sctp_chunk(wire::sctp_chunk_type type,
                                           std::span<const std::byte> value) {
    bytes chunk(4);
    chunk[0] = std::byte{number(type)};
    store_be(&chunk[2], static_cast<std::uint16_t>(4 + value.size()));
    chunk.insert(chunk.end(), value.begin(), value.end());
    chunk.resize((chunk.size() + 3) / 4 * 4);
    return payload(chunk);
}

packet_builder& packet_builder::payload(std::span<const std::byte> data) {
    append_bytes(kind::payload, bytes(data.begin(), data.end()));
    return *this;
}

packet_builder& packet_builder::pad_to(std::size_t frame_bytes) {
    frame_bytes_ = frame_bytes;
    return *this;
}

packet_builder& packet_builder::ip_length(std::uint16_t stated) {
    ip_length_ = stated;
    return *this;
}

packet_builder& packet_builder::udp_length(std::uint16_t stated) {
    udp_length_ = stated;
    return *this;
}

packet_builder& packet_builder::wrong_ip_checksum() {
    wrong_ip_checksum_ = true;
    return *this;
}

packet_builder& packet_builder::wrong_l4_checksum() {
    wrong_l4_checksum_ = true;
    return *this;
}

packet_builder& packet_builder::no_l4_checksum() {
    no_l4_checksum_ = true;
    return *this;
}

}  // namespace skein::test
