// SPDX-License-Identifier: Apache-2.0
// MAC, IPv4 and IPv6 addresses: bytes in the order of the wire, read from and written as text.
//
// Addresses are small values, compared byte by byte. to_text() fills a fixed buffer, so it may be
// used anywhere; its result converts to std::string_view. IPv6 text is the canonical form
// (RFC 5952: lower case, longest run of zero groups shortened, IPv4-mapped addresses dotted).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <skein/endian.hpp>
#include <skein/export.hpp>

namespace skein::inline v0::wire {

// Text of an address: at most 45 characters (RFC 4291 §2.2, form 3).
class address_text {
  public:
    constexpr std::string_view view() const noexcept { return {chars_.data(), size_}; }
    constexpr operator std::string_view() const noexcept { return view(); }
    constexpr void append(char c) noexcept {
        if (size_ < chars_.size()) chars_[size_++] = c;
    }

  private:
    std::array<char, 48> chars_{};
    std::size_t size_ = 0;
};

template <std::size_t Size>
struct address_bytes {
    std::array<std::byte, Size> bytes{};

    // The caller vouches for Size readable (writable) bytes.
    static constexpr address_bytes load(const std::byte* from) noexcept {
        address_bytes result;
        for (std::size_t i = 0; i < Size; ++i)
            result.bytes[i] = from[i];
        return result;
    }
    constexpr void store(std::byte* to) const noexcept {
        for (std::size_t i = 0; i < Size; ++i)
            to[i] = bytes[i];
    }
    friend constexpr auto operator<=>(const address_bytes&,
                                      const address_bytes&) noexcept = default;
};

struct mac_address : address_bytes<6> {
    constexpr mac_address() noexcept = default;
    constexpr mac_address(const address_bytes<6>& raw) noexcept : address_bytes<6>(raw) {}

    static constexpr mac_address broadcast() noexcept {
        mac_address all;
        all.bytes.fill(std::byte{0xff});
        return all;
    }
    constexpr bool is_group() const noexcept { return (bytes[0] & std::byte{1}) != std::byte{0}; }
};

struct ipv4_address : address_bytes<4> {
    constexpr ipv4_address() noexcept = default;
    constexpr ipv4_address(const address_bytes<4>& raw) noexcept : address_bytes<4>(raw) {}
    // 0xc0000201 is 192.0.2.1.
    constexpr explicit ipv4_address(std::uint32_t host_value) noexcept {
        store_be(bytes.data(), host_value);
    }

    constexpr std::uint32_t value() const noexcept { return load_be<std::uint32_t>(bytes.data()); }
    constexpr bool is_multicast() const noexcept { return value() >> 28 == 0xe; }
};

struct ipv6_address : address_bytes<16> {
    constexpr ipv6_address() noexcept = default;
    constexpr ipv6_address(const address_bytes<16>& raw) noexcept : address_bytes<16>(raw) {}

    // One of the eight groups, 0 to 7, as a host value.
    constexpr std::uint16_t group(std::size_t index) const noexcept {
        return load_be<std::uint16_t>(bytes.data() + 2 * (index & 7));
    }
    constexpr bool is_multicast() const noexcept { return bytes[0] == std::byte{0xff}; }
};

SKEIN_EXPORT address_text to_text(const mac_address& address) noexcept;
SKEIN_EXPORT address_text to_text(const ipv4_address& address) noexcept;
SKEIN_EXPORT address_text to_text(const ipv6_address& address) noexcept;

// The whole text must be one address. Empty where it is not: six two-digit groups between colons;
// four decimal numbers without leading zeros; RFC 4291 §2.2 in any of its three forms.
SKEIN_EXPORT std::optional<mac_address> parse_mac(std::string_view text) noexcept;
SKEIN_EXPORT std::optional<ipv4_address> parse_ipv4(std::string_view text) noexcept;
SKEIN_EXPORT std::optional<ipv6_address> parse_ipv6(std::string_view text) noexcept;

}  // namespace skein::inline v0::wire
