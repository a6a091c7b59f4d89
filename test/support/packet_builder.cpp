// SPDX-License-Identifier: Apache-2.0
#include "support/packet_builder.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include <skein/checksum.hpp>

namespace skein::test {

namespace {

using wire::ether_type;
using wire::ip_protocol;
using wire::number;

// A text that is not an address is a fault of the test.
template <class Address>
Address required(std::optional<Address> address, std::string_view text) {
    if (!address) throw std::invalid_argument("not an address: " + std::string(text));
    return *address;
}

unsigned hex_digit(char c) {
    const std::string_view digits = "0123456789abcdef";
    const auto at = digits.find(c);
    if (at == digits.npos) throw std::invalid_argument("not a hexadecimal digit");
    return static_cast<unsigned>(at);
}

}  // namespace

bytes from_hex(std::string_view digits) {
    std::string plain;
    for (const char c : digits)
        if (c != ' ' && c != '\n') plain += c;
    if (plain.size() % 2 != 0) throw std::invalid_argument("odd number of digits");
    bytes result;
    for (std::size_t i = 0; i < plain.size(); i += 2)
        result.push_back(
            static_cast<std::byte>(hex_digit(plain[i]) << 4 | hex_digit(plain[i + 1])));
    return result;
}

bytes pattern(std::size_t size, std::uint8_t start) {
    bytes result(size);
    unsigned value = start;
    for (std::byte& byte : result) {
        byte = static_cast<std::byte>(value & 0xff);
        value = value * 5 + 3;
    }
    return result;
}

wire::mac_address mac(std::string_view text) {
    return required(wire::parse_mac(text), text);
}
wire::ipv4_address ipv4(std::string_view text) {
    return required(wire::parse_ipv4(text), text);
}
wire::ipv6_address ipv6(std::string_view text) {
    return required(wire::parse_ipv6(text), text);
}

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

// The frame while it is put together: headers laid end to end, then fixed from the inside out.
struct packet_builder::assembly {
    const packet_builder& from;
    std::vector<layer> layers;
    bytes frame;

    explicit assembly(const packet_builder& builder) : from(builder), layers(builder.layers_) {
        for (layer& each : layers) {
            each.offset = frame.size();
            frame.insert(frame.end(), each.header.begin(), each.header.end());
        }
    }

    std::byte* at(const layer& where) { return frame.data() + where.offset; }
    std::span<std::byte> rest(const layer& where) { return std::span(frame).subspan(where.offset); }

    void name_successor(std::size_t index) {
        const layer& outer = layers[index];
        const layer& inner = layers[index + 1];
        if (outer.type_at && inner.type != ether_type{})
            store_be(at(outer) + *outer.type_at, number(inner.type));
        if (outer.protocol_at && inner.protocol)
            store_be(at(outer) + *outer.protocol_at, number(*inner.protocol));
    }

    bool is_innermost_ip(std::size_t index) const {
        return std::none_of(
            layers.begin() + static_cast<std::ptrdiff_t>(index) + 1, layers.end(),
            [](const layer& each) { return each.what == kind::ipv4 || each.what == kind::ipv6; });
    }
    const layer* ip_before(std::size_t index) const {
        for (std::size_t i = index; i-- > 0;)
            if (layers[i].what == kind::ipv4 || layers[i].what == kind::ipv6) return &layers[i];
        return nullptr;
    }

    internet_sum pseudo_header(std::size_t index, std::size_t length) {
        const layer* ip = ip_before(index);
        if (ip == nullptr) return {};
        const auto size = static_cast<std::uint32_t>(length);
        if (ip->what == kind::ipv4) {
            const auto view = wire::ipv4_view::check(rest(*ip));
            return pseudo_header_sum(view->source(), view->destination(), *layers[index].protocol,
                                     size);
        }
        const auto view = wire::ipv6_view::check(rest(*ip));
        return pseudo_header_sum(view->source(), view->destination(), *layers[index].protocol,
                                 size);
    }

    void fill_l4_checksum(std::size_t index, std::size_t field_at, bool has_pseudo_header) {
        const layer& l4 = layers[index];
        const auto covered = rest(l4);
        store_be(at(l4) + field_at, std::uint16_t{0});
        internet_sum sum;
        if (has_pseudo_header) sum = pseudo_header(index, covered.size());
        sum.add(covered);
        std::uint16_t checksum = sum.finish();
        if (l4.what == kind::udp) checksum = udp_checksum(checksum);
        if (from.wrong_l4_checksum_) checksum ^= 0x0100;
        store_be(at(l4) + field_at, from.no_l4_checksum_ ? std::uint16_t{0} : checksum);
    }

    void finish_ipv4(std::size_t index) {
        const layer& ip = layers[index];
        const std::size_t length = rest(ip).size();
        auto stated = static_cast<std::uint16_t>(length > 0xffff ? 0 : length);
        if (from.ip_length_ && is_innermost_ip(index)) stated = *from.ip_length_;
        const std::size_t header_bytes = ip.header.size();
        store_be(at(ip) + 2, stated);
        store_be(at(ip) + 10, std::uint16_t{0});
        std::uint16_t checksum = internet_sum(rest(ip).first(header_bytes)).finish();
        if (from.wrong_ip_checksum_ && is_innermost_ip(index)) checksum ^= 0x0100;
        store_be(at(ip) + 10, checksum);
    }

    void finish_ipv6(std::size_t index) {
        const layer& ip = layers[index];
        const std::size_t length = rest(ip).size() - ip.header.size();
        auto stated = static_cast<std::uint16_t>(length > 0xffff ? 0 : length);
        if (from.ip_length_ && is_innermost_ip(index)) stated = *from.ip_length_;
        store_be(at(ip) + 4, stated);
    }

    void finish_udp(std::size_t index) {
        const std::size_t length = rest(layers[index]).size();
        const auto stated = static_cast<std::uint16_t>(length > 0xffff ? 0 : length);
        store_be(at(layers[index]) + 4, from.udp_length_.value_or(stated));
        fill_l4_checksum(index, 6, true);
    }

    void finish_sctp(std::size_t index) {
        const auto covered = rest(layers[index]);
        store_be(covered.data() + 8, std::uint32_t{0});
        std::uint32_t crc = slow_crc32c(covered);
        if (from.wrong_l4_checksum_) crc ^= 0x0100;
        wire::sctp_mutable_view::check(covered)->set_checksum(from.no_l4_checksum_ ? 0 : crc);
    }

    void finish(std::size_t index) {
        const layer& each = layers[index];
        switch (each.what) {
            case kind::ipv4:
                return finish_ipv4(index);
            case kind::ipv6:
                return finish_ipv6(index);
            case kind::jumbo:
                return store_be(at(each) + 4, static_cast<std::uint32_t>(rest(each).size()));
            case kind::udp:
                return finish_udp(index);
            case kind::tcp:
                return fill_l4_checksum(index, 16, true);
            case kind::icmp:
                return fill_l4_checksum(index, 2, false);
            case kind::icmpv6:
                return fill_l4_checksum(index, 2, true);
            case kind::sctp:
                return finish_sctp(index);
            default:
                return;
        }
    }
};

bytes packet_builder::build() const {
    assembly made(*this);
    for (std::size_t i = 0; i + 1 < made.layers.size(); ++i)
        made.name_successor(i);
    for (std::size_t i = made.layers.size(); i-- > 0;)
        made.finish(i);
    made.frame.resize(std::max(made.frame.size(), frame_bytes_));
    return std::move(made.frame);
}

std::uint32_t slow_crc32c(std::span<const std::byte> data) {
    constexpr std::uint32_t reflected_polynomial = 0x82f63b78;
    std::uint32_t crc = 0xffffffff;
    for (const std::byte byte : data) {
        crc ^= std::to_integer<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? reflected_polynomial : 0);
    }
    return ~crc;
}

}  // namespace skein::test
