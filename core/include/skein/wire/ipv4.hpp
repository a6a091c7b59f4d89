// SPDX-License-Identifier: Apache-2.0
// The IPv4 header (RFC 791 §3.1), 20 to 60 bytes.
//
//      0              1              2                              4
//     |version| IHL  | TOS          | total length                 |
//     | identification              |0|D|M| fragment offset        |
//     | TTL          | protocol     | header checksum              |
//     | source                                                     |
//     | destination                                                |
//     | options, 0 to 40 bytes                                     |
//
// check() needs the header's bytes, options included. It leaves the total length alone but for
// one rule: where it isn't 0, it holds the header. That the payload is really there is for whoever
// knows the packet's size; a total length of 0 stands for an aggregate longer than 65535 bytes
// captured on its own host, and whether that is believed is not for the header to say.
//
// Options are walked with options(). The copied flag of an option says that every fragment carries
// it, not the first alone (RFC 791 §3.1).
#pragma once

#include <skein/checksum.hpp>
#include <skein/wire/option.hpp>
#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

// The 16 bits of flags and offset. The offset is kept in bytes, a multiple of 8 up to 65528.
struct ipv4_fragment_field {
    std::uint16_t word = 0;

    constexpr bool dont_fragment() const noexcept { return (word & 0x4000) != 0; }
    constexpr bool more_fragments() const noexcept { return (word & 0x2000) != 0; }
    constexpr std::uint32_t offset_bytes() const noexcept { return (word & 0x1fffu) * 8; }
    constexpr bool is_fragment() const noexcept { return (word & 0x3fff) != 0; }

    constexpr ipv4_fragment_field with_dont_fragment(bool set) const noexcept {
        return {static_cast<std::uint16_t>((word & 0xbfff) | (set ? 0x4000 : 0))};
    }
    constexpr ipv4_fragment_field with_more_fragments(bool set) const noexcept {
        return {static_cast<std::uint16_t>((word & 0xdfff) | (set ? 0x2000 : 0))};
    }
    // Rounded down to a multiple of 8.
    constexpr ipv4_fragment_field with_offset_bytes(std::uint32_t offset) const noexcept {
        return {static_cast<std::uint16_t>((word & 0xe000) | ((offset / 8) & 0x1fff))};
    }
    friend constexpr bool operator==(ipv4_fragment_field, ipv4_fragment_field) noexcept = default;
};

// What the kind byte of an option says (RFC 791 §3.1).
struct ipv4_option_kind {
    std::uint8_t byte = 0;

    constexpr bool is_copied() const noexcept { return (byte & 0x80) != 0; }
    constexpr std::uint8_t option_class() const noexcept { return (byte >> 5) & 3; }
    constexpr std::uint8_t option_number() const noexcept { return byte & 0x1f; }
};

inline constexpr std::uint8_t ipv4_option_record_route = 7;
inline constexpr std::uint8_t ipv4_option_timestamp = 68;
inline constexpr std::uint8_t ipv4_option_loose_source_route = 131;
inline constexpr std::uint8_t ipv4_option_strict_source_route = 137;
inline constexpr std::uint8_t ipv4_option_router_alert = 148;

template <view_byte Byte>
class basic_ipv4_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t min_bytes = 20;
    static constexpr std::size_t max_bytes = 60;

    static constexpr checked<basic_ipv4_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < min_bytes) return parse_reason::ipv4_truncated;
        const basic_ipv4_view fixed(bytes);
        if (fixed.version() != 4) return parse_reason::ipv4_bad_version;
        const std::size_t length = fixed.header_length_bytes();
        if (length < min_bytes) return parse_reason::ipv4_bad_header_length;
        if (length > bytes.size()) return parse_reason::ipv4_options_truncated;
        const std::uint16_t total = fixed.total_length_bytes();
        if (total != 0 && total < length) return parse_reason::ipv4_total_length_short;
        return basic_ipv4_view(bytes.first(length));
    }
    constexpr operator basic_ipv4_view<const std::byte>() const noexcept
        requires(base::is_mutable) {
        return basic_ipv4_view<const std::byte>(this->bytes());
    }

    // What the first min_bytes of a header say about its length, right or wrong.
    static constexpr std::size_t header_length_bytes(std::span<Byte> start) noexcept {
        return std::to_integer<std::size_t>(start[0] & std::byte{0x0f}) * 4;
    }

    constexpr std::uint8_t version() const noexcept { return this->load8(0) >> 4; }
    constexpr std::size_t header_length_bytes() const noexcept {
        return header_length_bytes(this->bytes());
    }
    constexpr traffic_class tos() const noexcept { return {this->load8(1)}; }
    constexpr std::uint16_t total_length_bytes() const noexcept { return this->load16(2); }
    constexpr std::uint16_t identification() const noexcept { return this->load16(4); }
    constexpr ipv4_fragment_field fragment() const noexcept { return {this->load16(6)}; }
    constexpr std::uint8_t ttl() const noexcept { return this->load8(8); }
    constexpr ip_protocol protocol() const noexcept { return ip_protocol{this->load8(9)}; }
    constexpr std::uint16_t checksum() const noexcept { return this->load16(10); }
    constexpr ipv4_address source() const noexcept {
        return this->template load_address<ipv4_address>(12);
    }
    constexpr ipv4_address destination() const noexcept {
        return this->template load_address<ipv4_address>(16);
    }
    constexpr std::span<const std::byte> option_bytes() const noexcept {
        return this->bytes().subspan(min_bytes);
    }
    constexpr option_list options() const noexcept { return option_list(option_bytes()); }
    bool is_checksum_valid() const noexcept { return internet_sum(this->bytes()).is_valid(); }

    constexpr void set_tos(traffic_class tos) const noexcept requires(base::is_mutable) {
        this->store8(1, tos.byte);
    }
    constexpr void set_total_length_bytes(std::uint16_t length) const noexcept
        requires(base::is_mutable) {
        this->store16(2, length);
    }
    constexpr void set_identification(std::uint16_t id) const noexcept requires(base::is_mutable) {
        this->store16(4, id);
    }
    constexpr void set_fragment(ipv4_fragment_field field) const noexcept
        requires(base::is_mutable) {
        this->store16(6, field.word);
    }
    constexpr void set_ttl(std::uint8_t ttl) const noexcept requires(base::is_mutable) {
        this->store8(8, ttl);
    }
    constexpr void set_checksum(std::uint16_t checksum) const noexcept requires(base::is_mutable) {
        this->store16(10, checksum);
    }
    constexpr void set_source(const ipv4_address& address) const noexcept
        requires(base::is_mutable) {
        this->store_address(12, address);
    }
    constexpr void set_destination(const ipv4_address& address) const noexcept
        requires(base::is_mutable) {
        this->store_address(16, address);
    }
    // Sums the header and writes the checksum.
    void fill_checksum() const noexcept requires(base::is_mutable) {
        set_checksum(0);
        set_checksum(internet_sum(this->bytes()).finish());
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_ipv4_view;
    constexpr explicit basic_ipv4_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using ipv4_view = basic_ipv4_view<const std::byte>;
using ipv4_mutable_view = basic_ipv4_view<std::byte>;

// emit() writes a right header checksum; the value holds none. payload_bytes beyond what the total
// length can say is written as 0, the form of an aggregate.
struct ipv4_header {
    traffic_class tos = {};
    std::uint32_t payload_bytes = 0;
    std::uint16_t identification = 0;
    ipv4_fragment_field fragment = {};
    std::uint8_t ttl = 64;
    ip_protocol protocol = ip_protocol::udp;
    ipv4_address source = {};
    ipv4_address destination = {};
    option_block options = {};

    // A total length of 0 gives payload_bytes 0.
    static constexpr ipv4_header parse(ipv4_view view) noexcept {
        const std::size_t header = view.header_length_bytes();
        const std::size_t total = view.total_length_bytes();
        ipv4_header value{view.tos(),
                          static_cast<std::uint32_t>(total < header ? 0 : total - header),
                          view.identification(),
                          view.fragment(),
                          view.ttl(),
                          view.protocol(),
                          view.source(),
                          view.destination()};
        value.options.append_raw(view.option_bytes());
        return value;
    }
    constexpr std::size_t size_bytes() const noexcept {
        return ipv4_view::min_bytes + options.size_bytes();
    }
    std::size_t emit(std::span<std::byte> out) const noexcept {
        if (out.size() < size_bytes()) return 0;
        const std::size_t total = size_bytes() + payload_bytes;
        std::byte* at = out.data();
        store_be(at, static_cast<std::uint8_t>(0x40 | size_bytes() / 4));
        store_be(at + 1, tos.byte);
        store_be(at + 2, static_cast<std::uint16_t>(total > 0xffff ? 0 : total));
        store_be(at + 4, identification);
        store_be(at + 6, fragment.word);
        store_be(at + 8, ttl);
        store_be(at + 9, number(protocol));
        source.store(at + 12);
        destination.store(at + 16);
        std::ranges::copy(options.bytes(), at + ipv4_view::min_bytes);
        ipv4_mutable_view::check(out)->fill_checksum();
        return size_bytes();
    }
    friend constexpr bool operator==(const ipv4_header&, const ipv4_header&) noexcept = default;
};

}  // namespace skein::inline v0::wire
