// SPDX-License-Identifier: Apache-2.0
// What all wire views share: the result of a check, and bytes that were checked.
//
// Wire code has two levels. A *view* lies over bytes somewhere else and owns nothing. It is only
// made by its class's check(), which compares every length in the header with the bytes given;
// after that no accessor can leave them. A view covers one header, not what follows it, because
// payload may lie in other segments. A *value* is a small struct that can hold what is legal, made
// by parse(view) and written by emit(bytes).
//
//     if (const auto ip = wire::ipv4_view::check(bytes)) use(ip->source());
//     else count(ip.reason());
//
// Views come in two variants: x_view over const std::byte, x_mutable_view over std::byte, which
// also has setters and converts to the former. Setters change one field; they keep no length or
// checksum in step, and what they write must keep what check() verified. Accessors return host
// values.
//
// emit() returns the bytes written, 0 where they do not fit; then nothing was written.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <skein/endian.hpp>
#include <skein/parse_reason.hpp>

namespace skein::inline v0::wire {

// A view, or why there is none. (No std::optional inside: compilers keep the plain members in
// registers, which halves the time of a check.)
template <class View>
class checked {
  public:
    constexpr checked(View view) noexcept : view_(view) {}
    constexpr checked(parse_reason reason) noexcept : view_(View({})), reason_(reason) {}

    constexpr explicit operator bool() const noexcept { return reason_ == parse_reason::none; }
    // Only where there is a view.
    constexpr const View& operator*() const noexcept { return view_; }
    constexpr const View* operator->() const noexcept { return &view_; }
    // parse_reason::none where there is one.
    constexpr parse_reason reason() const noexcept { return reason_; }

  private:
    View view_;
    parse_reason reason_ = parse_reason::none;
};

template <class Byte>
concept view_byte = std::same_as<std::remove_const_t<Byte>, std::byte>;

// The bytes of one header. Offsets are within what the view's check() established.
template <view_byte Byte>
class header_bytes {
  public:
    constexpr std::span<Byte> bytes() const noexcept { return bytes_; }

  protected:
    static constexpr bool is_mutable = !std::is_const_v<Byte>;

    constexpr explicit header_bytes(std::span<Byte> bytes) noexcept : bytes_(bytes) {}

    constexpr std::uint8_t load8(std::size_t at) const noexcept { return load<std::uint8_t>(at); }
    constexpr std::uint16_t load16(std::size_t at) const noexcept {
        return load<std::uint16_t>(at);
    }
    constexpr std::uint32_t load32(std::size_t at) const noexcept {
        return load<std::uint32_t>(at);
    }
    constexpr void store8(std::size_t at, std::uint8_t value) const noexcept { store(at, value); }
    constexpr void store16(std::size_t at, std::uint16_t value) const noexcept { store(at, value); }
    constexpr void store32(std::size_t at, std::uint32_t value) const noexcept { store(at, value); }

    template <class Address>
    constexpr Address load_address(std::size_t at) const noexcept {
        assert(at + sizeof(Address) <= bytes_.size());
        return Address::load(bytes_.data() + at);
    }
    template <class Address>
    constexpr void store_address(std::size_t at, const Address& address) const noexcept {
        assert(at + sizeof(Address) <= bytes_.size());
        address.store(bytes_.data() + at);
    }

  private:
    template <std::unsigned_integral T>
    constexpr T load(std::size_t at) const noexcept {
        assert(at + sizeof(T) <= bytes_.size());
        return load_be<T>(bytes_.data() + at);
    }
    template <std::unsigned_integral T>
    constexpr void store(std::size_t at, T value) const noexcept {
        assert(at + sizeof(T) <= bytes_.size());
        store_be(bytes_.data() + at, value);
    }

    std::span<Byte> bytes_;
};

}  // namespace skein::inline v0::wire
