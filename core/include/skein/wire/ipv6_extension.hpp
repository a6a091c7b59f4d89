// SPDX-License-Identifier: Apache-2.0
// IPv6 extension headers (RFC 8200 §4): walking the chain, its options, the fragment header.
//
//     | next header | length | ...            8 bytes and more, always a multiple of 4
//
// ipv6_extension_walk goes through a chain by way of a byte source, so that the packet may lie in
// segments. Walked are hop-by-hop options, routing, fragment, AH, destination options, mobility,
// HIP and shim6. Anything else ends the chain and is the transport; so does ESP, behind which all
// is encrypted, and a fragment header with an offset, behind which there is no header at all.
//
// Bounds: max_ipv6_extensions headers of together max_ipv6_extension_bytes. They stop a crafted
// packet from costing more than a few peeks (RFC 8504 §5.3 allows such limits).
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include <skein/byte_source.hpp>
#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

inline constexpr std::size_t max_ipv6_extensions = 8;
inline constexpr std::size_t max_ipv6_extension_bytes = 2048;
inline constexpr std::size_t max_ipv6_options = 32;  // in one header, each padding counted

constexpr bool is_ipv6_extension(ip_protocol protocol) noexcept {
    switch (protocol) {
        case ip_protocol::hop_by_hop:
        case ip_protocol::routing:
        case ip_protocol::fragment:
        case ip_protocol::ah:
        case ip_protocol::destination_options:
        case ip_protocol::mobility:
        case ip_protocol::hip:
        case ip_protocol::shim6:
            return true;
        default:
            return false;
    }
}

// Bytes of a whole extension header whose second byte is length_field. AH counts in units of 4
// (RFC 4302 §2.2), a fragment header is 8 bytes whatever stands there (its length is reserved).
constexpr std::size_t ipv6_extension_bytes(ip_protocol kind, std::uint8_t length_field) noexcept {
    if (kind == ip_protocol::fragment) return 8;
    if (kind == ip_protocol::ah) return (std::size_t{length_field} + 2) * 4;
    return (std::size_t{length_field} + 1) * 8;
}

// 13 bits of offset, 2 reserved, M (RFC 8200 §4.5). The offset is in bytes, a multiple of 8.
struct ipv6_fragment_field {
    std::uint16_t word = 0;

    constexpr bool more_fragments() const noexcept { return (word & 1) != 0; }
    constexpr std::uint32_t offset_bytes() const noexcept { return word & 0xfff8u; }
    // A packet of one fragment that is a datagram by itself (RFC 6946).
    constexpr bool is_atomic() const noexcept { return (word & 0xfff9) == 0; }

    constexpr ipv6_fragment_field with_more_fragments(bool set) const noexcept {
        return {static_cast<std::uint16_t>((word & 0xfffe) | (set ? 1 : 0))};
    }
    // Rounded down to a multiple of 8.
    constexpr ipv6_fragment_field with_offset_bytes(std::uint32_t offset) const noexcept {
        return {static_cast<std::uint16_t>((word & 0x0007) | (offset & 0xfff8))};
    }
    friend constexpr bool operator==(ipv6_fragment_field, ipv6_fragment_field) noexcept = default;
};

template <view_byte Byte>
class basic_ipv6_fragment_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 8;

    static constexpr checked<basic_ipv6_fragment_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return parse_reason::ipv6_extension_truncated;
        return basic_ipv6_fragment_view(bytes.first(size_bytes));
    }
    constexpr operator basic_ipv6_fragment_view<const std::byte>() const noexcept
        requires(base::is_mutable) {
        return basic_ipv6_fragment_view<const std::byte>(this->bytes());
    }

    constexpr ip_protocol next_header() const noexcept { return ip_protocol{this->load8(0)}; }
    constexpr ipv6_fragment_field fragment() const noexcept { return {this->load16(2)}; }
    constexpr std::uint32_t identification() const noexcept { return this->load32(4); }

    constexpr void set_next_header(ip_protocol protocol) const noexcept requires(base::is_mutable) {
        this->store8(0, number(protocol));
    }
    constexpr void set_fragment(ipv6_fragment_field field) const noexcept
        requires(base::is_mutable) {
        this->store16(2, field.word);
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_ipv6_fragment_view;
    constexpr explicit basic_ipv6_fragment_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using ipv6_fragment_view = basic_ipv6_fragment_view<const std::byte>;
using ipv6_fragment_mutable_view = basic_ipv6_fragment_view<std::byte>;

struct ipv6_fragment_header {
    ip_protocol next_header = ip_protocol::udp;
    ipv6_fragment_field fragment = {};
    std::uint32_t identification = 0;

    static constexpr ipv6_fragment_header parse(ipv6_fragment_view view) noexcept {
        return {view.next_header(), view.fragment(), view.identification()};
    }
    constexpr std::size_t size_bytes() const noexcept { return ipv6_fragment_view::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        if (out.size() < size_bytes()) return 0;
        store_be(out.data(), number(next_header));
        store_be(out.data() + 1, std::uint8_t{0});
        store_be(out.data() + 2, fragment.word);
        store_be(out.data() + 4, identification);
        return size_bytes();
    }
    friend constexpr bool operator==(const ipv6_fragment_header&,
                                     const ipv6_fragment_header&) noexcept = default;
};

// One header of the chain. Offsets are those of the source.
struct ipv6_extension {
    ip_protocol kind = ip_protocol::no_next_header;
    std::size_t offset = 0;
    std::size_t size_bytes = 0;
    std::size_t named_at = 0;         // offset of the next-header byte that led here
    std::array<std::byte, 8> head{};  // its first 8 bytes
};

template <byte_source Source>
class ipv6_extension_walk {
  public:
    // The chain begins at offset, named by the byte at named_at, and must not pass end.
    ipv6_extension_walk(const Source& source, ip_protocol first, std::size_t named_at,
                        std::size_t offset, std::size_t end) noexcept
        : source_(source),
          protocol_(first),
          named_at_(named_at),
          begin_(offset),
          offset_(offset),
          end_(std::min(end, source.size())) {}

    // The next header, or nothing at the chain's end or at a fault; then reason() tells which.
    std::optional<ipv6_extension> next() noexcept {
        if (reason_ != parse_reason::none || ended_ || !is_ipv6_extension(protocol_)) return {};
        ipv6_extension found{protocol_, offset_, 0, named_at_};
        reason_ = look(found);
        if (reason_ != parse_reason::none) return {};
        advance(found);
        return found;
    }

    parse_reason reason() const noexcept { return reason_; }
    // What follows the headers seen so far, and where. After a fault: what was being looked at.
    ip_protocol protocol() const noexcept { return protocol_; }
    std::size_t offset() const noexcept { return offset_; }
    std::size_t named_at() const noexcept { return named_at_; }

  private:
    parse_reason look(ipv6_extension& found) noexcept {
        if (protocol_ == ip_protocol::hop_by_hop && count_ != 0)
            return parse_reason::ipv6_hop_by_hop_misplaced;
        if (protocol_ == ip_protocol::fragment && fragment_seen_)
            return parse_reason::ipv6_nested_fragment;
        if (count_ == max_ipv6_extensions) return parse_reason::ipv6_extensions_too_many;
        if (!read_head(found)) return parse_reason::ipv6_extension_truncated;
        found.size_bytes =
            ipv6_extension_bytes(protocol_, std::to_integer<std::uint8_t>(found.head[1]));
        if (found.size_bytes > end_ - offset_) return parse_reason::ipv6_extension_truncated;
        if (offset_ + found.size_bytes - begin_ > max_ipv6_extension_bytes)
            return parse_reason::ipv6_extensions_too_long;
        return parse_reason::none;
    }
    bool read_head(ipv6_extension& found) noexcept {
        if (offset_ > end_ || end_ - offset_ < found.head.size()) return false;
        std::array<std::byte, 8> scratch;
        const std::byte* bytes = source_.peek(offset_, found.head.size(), scratch.data());
        if (bytes == nullptr) return false;
        std::copy_n(bytes, found.head.size(), found.head.begin());
        return true;
    }
    void advance(const ipv6_extension& found) noexcept {
        if (found.kind == ip_protocol::fragment) {
            fragment_seen_ = true;
            ended_ = ipv6_fragment_view::check(found.head)->fragment().offset_bytes() != 0;
        }
        protocol_ = ip_protocol{std::to_integer<std::uint8_t>(found.head[0])};
        named_at_ = offset_;
        offset_ += found.size_bytes;
        ++count_;
    }

    const Source& source_;
    ip_protocol protocol_;
    std::size_t named_at_;
    std::size_t begin_;
    std::size_t offset_;
    std::size_t end_;
    std::size_t count_ = 0;
    bool fragment_seen_ = false;
    bool ended_ = false;
    parse_reason reason_ = parse_reason::none;
};

inline constexpr std::uint8_t ipv6_option_pad1 = 0;
inline constexpr std::uint8_t ipv6_option_padn = 1;
inline constexpr std::uint8_t ipv6_option_router_alert = 5;
inline constexpr std::uint8_t ipv6_option_jumbo = 0xc2;

// An option of a hop-by-hop or destination options header. Offsets are those of the source.
struct ipv6_option {
    std::uint8_t type = ipv6_option_pad1;
    std::size_t data_offset = 0;
    std::size_t data_bytes = 0;
};

template <byte_source Source>
class ipv6_option_walk {
  public:
    // The header must have come from an ipv6_extension_walk over the same source.
    ipv6_option_walk(const Source& source, const ipv6_extension& header) noexcept
        : source_(source), offset_(header.offset + 2), end_(header.offset + header.size_bytes) {}

    // The next option that is no padding, or nothing at the end or at a fault; see reason().
    std::optional<ipv6_option> next() noexcept {
        while (reason_ == parse_reason::none && offset_ < end_) {
            const auto found = step();
            if (found && found->type != ipv6_option_padn) return found;
        }
        return {};
    }

    parse_reason reason() const noexcept { return reason_; }

  private:
    // One option. Nothing for the one that has no length, Pad1, and at a fault.
    std::optional<ipv6_option> step() noexcept {
        if (count_++ == max_ipv6_options) return fail(parse_reason::ipv6_options_too_many);
        std::array<std::byte, 2> scratch;
        const std::size_t wanted = std::min<std::size_t>(2, end_ - offset_);
        const std::byte* bytes = source_.peek(offset_, wanted, scratch.data());
        if (bytes == nullptr) return fail(parse_reason::ipv6_extension_truncated);
        if (std::to_integer<std::uint8_t>(bytes[0]) == ipv6_option_pad1) {
            ++offset_;
            return {};
        }
        if (wanted < 2) return fail(parse_reason::ipv6_option_malformed);
        return take(std::to_integer<std::uint8_t>(bytes[0]),
                    std::to_integer<std::size_t>(bytes[1]));
    }
    std::optional<ipv6_option> take(std::uint8_t type, std::size_t data_bytes) noexcept {
        if (data_bytes > end_ - offset_ - 2) return fail(parse_reason::ipv6_option_malformed);
        const ipv6_option found{type, offset_ + 2, data_bytes};
        offset_ += 2 + data_bytes;
        return found;
    }
    std::optional<ipv6_option> fail(parse_reason reason) noexcept {
        reason_ = reason;
        return {};
    }

    const Source& source_;
    std::size_t offset_;
    std::size_t end_;
    std::size_t count_ = 0;
    parse_reason reason_ = parse_reason::none;
};

}  // namespace skein::inline v0::wire
