// SPDX-License-Identifier: Apache-2.0
// Big-endian integers: byte order lives in the type.
//
// A be16, be32 or be64 is a few bytes in network order. It has alignment 1, so it may lie anywhere
// in a packet, and it never turns into a number by itself: value() gives the host's value, the
// constructor takes one. Whatever returns a plain integer in skein returns a host value.
//
// load_be and store_be do the same on raw bytes; the caller vouches for the length.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace skein::inline v0 {

namespace detail {

template <std::unsigned_integral T>
constexpr T swap_bytes(T value) noexcept {
    if constexpr (sizeof(T) == 1) return value;
    if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(value));
    if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
    if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}

template <std::unsigned_integral T>
constexpr T big_or_host(T value) noexcept {
    return std::endian::native == std::endian::big ? value : swap_bytes(value);
}

}  // namespace detail

// The host value of sizeof(T) bytes in network order.
template <std::unsigned_integral T>
constexpr T load_be(const std::byte* bytes) noexcept {
    if (std::is_constant_evaluated()) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i)
            value = (value << 8) | std::to_integer<std::uint64_t>(bytes[i]);
        return static_cast<T>(value);
    }
    T raw;
    std::memcpy(&raw, bytes, sizeof raw);
    return detail::big_or_host(raw);
}

// Writes a host value as sizeof(T) bytes in network order.
template <std::unsigned_integral T>
constexpr void store_be(std::byte* bytes, T value) noexcept {
    if (std::is_constant_evaluated()) {
        for (std::size_t i = 0; i < sizeof(T); ++i)
            bytes[i] = static_cast<std::byte>((value >> (8 * (sizeof(T) - 1 - i))) & 0xff);
        return;
    }
    const T raw = detail::big_or_host(value);
    std::memcpy(bytes, &raw, sizeof raw);
}

template <std::unsigned_integral T>
class big_endian {
  public:
    constexpr big_endian() noexcept = default;
    constexpr explicit big_endian(T host_value) noexcept { store_be(bytes_.data(), host_value); }

    constexpr T value() const noexcept { return load_be<T>(bytes_.data()); }
    constexpr const std::array<std::byte, sizeof(T)>& bytes() const noexcept { return bytes_; }

    friend constexpr bool operator==(const big_endian&, const big_endian&) noexcept = default;

  private:
    std::array<std::byte, sizeof(T)> bytes_{};
};

using be16 = big_endian<std::uint16_t>;
using be32 = big_endian<std::uint32_t>;
using be64 = big_endian<std::uint64_t>;

static_assert(std::is_trivially_copyable_v<be64> && alignof(be64) == 1 && sizeof(be64) == 8);

}  // namespace skein::inline v0
