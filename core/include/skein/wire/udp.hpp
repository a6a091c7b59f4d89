// SPDX-License-Identifier: Apache-2.0
// The UDP header (RFC 768): 8 bytes.
//
//     0             2                  4        6          8
//     | source port | destination port | length | checksum |
//
// The length counts the header. check() wants it to be 8 or more, or 0, which a jumbogram's is
// (RFC 2675 §4); whether a 0 is in its place depends on the IP header and is parse's to say. A
// checksum of 0 means none over IPv4 and is an error over IPv6 (RFC 8200 §8.1).
#pragma once

#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

template <view_byte Byte>
class basic_udp_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 8;

    static constexpr checked<basic_udp_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return parse_reason::udp_truncated;
        const basic_udp_view view(bytes.first(size_bytes));
        const std::uint16_t length = view.length_bytes();
        if (length != 0 && length < size_bytes) return parse_reason::udp_length_short;
        return view;
    }
    constexpr operator basic_udp_view<const std::byte>() const noexcept requires(base::is_mutable) {
        return basic_udp_view<const std::byte>(this->bytes());
    }

    constexpr std::uint16_t source_port() const noexcept { return this->load16(0); }
    constexpr std::uint16_t destination_port() const noexcept { return this->load16(2); }
    constexpr std::uint16_t length_bytes() const noexcept { return this->load16(4); }
    constexpr std::uint16_t checksum() const noexcept { return this->load16(6); }

    constexpr void set_source_port(std::uint16_t port) const noexcept requires(base::is_mutable) {
        this->store16(0, port);
    }
    constexpr void set_destination_port(std::uint16_t port) const noexcept
        requires(base::is_mutable) {
        this->store16(2, port);
    }
    constexpr void set_length_bytes(std::uint16_t length) const noexcept
        requires(base::is_mutable) {
        this->store16(4, length);
    }
    constexpr void set_checksum(std::uint16_t checksum) const noexcept requires(base::is_mutable) {
        this->store16(6, checksum);
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_udp_view;
    constexpr explicit basic_udp_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using udp_view = basic_udp_view<const std::byte>;
using udp_mutable_view = basic_udp_view<std::byte>;

// The checksum is the caller's, who knows payload and addresses.
struct udp_header {
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint16_t payload_bytes = 0;  // at most 65527
    std::uint16_t checksum = 0;

    static constexpr udp_header parse(udp_view view) noexcept {
        const std::uint16_t length = view.length_bytes();
        const auto payload = length < udp_view::size_bytes ? 0 : length - udp_view::size_bytes;
        return {view.source_port(), view.destination_port(), static_cast<std::uint16_t>(payload),
                view.checksum()};
    }
    constexpr std::size_t size_bytes() const noexcept { return udp_view::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        const std::size_t length = size_bytes() + payload_bytes;
        if (out.size() < size_bytes() || length > 0xffff) return 0;
        store_be(out.data(), source_port);
        store_be(out.data() + 2, destination_port);
        store_be(out.data() + 4, static_cast<std::uint16_t>(length));
        store_be(out.data() + 6, checksum);
        return size_bytes();
    }
    friend constexpr bool operator==(const udp_header&, const udp_header&) noexcept = default;
};

}  // namespace skein::inline v0::wire
