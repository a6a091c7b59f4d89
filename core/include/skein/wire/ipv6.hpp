// SPDX-License-Identifier: Apache-2.0
// The IPv6 header (RFC 8200 §3): 40 bytes, always. Extension headers: ipv6_extension.hpp.
//
//      0                                 4                 6             7
//     |version| traffic class | flow label | payload length | next header | hop limit |
//     | source, 16 bytes at 8                                                         |
//     | destination, 16 bytes at 24                                                   |
//
// The payload length counts extension headers. It is 0 in a jumbogram (RFC 2675) and in an
// aggregate captured on its own host; the header alone cannot tell and check() does not look.
#pragma once

#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

template <view_byte Byte>
class basic_ipv6_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 40;

    static constexpr checked<basic_ipv6_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return parse_reason::ipv6_truncated;
        const basic_ipv6_view view(bytes.first(size_bytes));
        if (view.version() != 6) return parse_reason::ipv6_bad_version;
        return view;
    }
    constexpr operator basic_ipv6_view<const std::byte>() const noexcept
        requires(base::is_mutable) {
        return basic_ipv6_view<const std::byte>(this->bytes());
    }

    constexpr std::uint8_t version() const noexcept { return this->load8(0) >> 4; }
    constexpr wire::traffic_class traffic_class() const noexcept {
        return {static_cast<std::uint8_t>((this->load16(0) >> 4) & 0xff)};
    }
    constexpr std::uint32_t flow_label() const noexcept { return this->load32(0) & 0xfffff; }
    constexpr std::uint16_t payload_length_bytes() const noexcept { return this->load16(4); }
    constexpr ip_protocol next_header() const noexcept { return ip_protocol{this->load8(6)}; }
    constexpr std::uint8_t hop_limit() const noexcept { return this->load8(7); }
    constexpr ipv6_address source() const noexcept {
        return this->template load_address<ipv6_address>(8);
    }
    constexpr ipv6_address destination() const noexcept {
        return this->template load_address<ipv6_address>(24);
    }

    constexpr void set_traffic_class(wire::traffic_class value) const noexcept
        requires(base::is_mutable) {
        this->store16(0, static_cast<std::uint16_t>((this->load16(0) & 0xf00f) | value.byte << 4));
    }
    constexpr void set_flow_label(std::uint32_t label) const noexcept requires(base::is_mutable) {
        this->store32(0, (this->load32(0) & 0xfff00000) | (label & 0xfffff));
    }
    constexpr void set_payload_length_bytes(std::uint16_t length) const noexcept
        requires(base::is_mutable) {
        this->store16(4, length);
    }
    constexpr void set_next_header(ip_protocol protocol) const noexcept requires(base::is_mutable) {
        this->store8(6, number(protocol));
    }
    constexpr void set_hop_limit(std::uint8_t limit) const noexcept requires(base::is_mutable) {
        this->store8(7, limit);
    }
    constexpr void set_source(const ipv6_address& address) const noexcept
        requires(base::is_mutable) {
        this->store_address(8, address);
    }
    constexpr void set_destination(const ipv6_address& address) const noexcept
        requires(base::is_mutable) {
        this->store_address(24, address);
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_ipv6_view;
    constexpr explicit basic_ipv6_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using ipv6_view = basic_ipv6_view<const std::byte>;
using ipv6_mutable_view = basic_ipv6_view<std::byte>;

// payload_bytes beyond 65535 is written as 0, the form of an aggregate.
struct ipv6_header {
    wire::traffic_class traffic_class = {};
    std::uint32_t flow_label = 0;
    std::uint32_t payload_bytes = 0;
    ip_protocol next_header = ip_protocol::no_next_header;
    std::uint8_t hop_limit = 64;
    ipv6_address source = {};
    ipv6_address destination = {};

    static constexpr ipv6_header parse(ipv6_view view) noexcept {
        return {view.traffic_class(), view.flow_label(), view.payload_length_bytes(),
                view.next_header(),   view.hop_limit(),  view.source(),
                view.destination()};
    }
    constexpr std::size_t size_bytes() const noexcept { return ipv6_view::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        if (out.size() < size_bytes()) return 0;
        std::byte* at = out.data();
        store_be(at, (std::uint32_t{6} << 28) | (std::uint32_t{traffic_class.byte} << 20) |
                         (flow_label & 0xfffff));
        store_be(at + 4, static_cast<std::uint16_t>(payload_bytes > 0xffff ? 0 : payload_bytes));
        store_be(at + 6, number(next_header));
        store_be(at + 7, hop_limit);
        source.store(at + 8);
        destination.store(at + 24);
        return size_bytes();
    }
    friend constexpr bool operator==(const ipv6_header&, const ipv6_header&) noexcept = default;
};

}  // namespace skein::inline v0::wire
