// SPDX-License-Identifier: Apache-2.0
// ARP for IPv4 over Ethernet (RFC 826): 28 bytes. Other kinds of ARP are refused by name.
//
//     0        2        4      5      6           8      14     18     24     28
//     | htype | ptype  | hlen | plen | operation | SHA  | SPA  | THA  | TPA  |
#pragma once

#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

enum class arp_operation : std::uint16_t { request = 1, reply = 2 };

namespace detail {

inline constexpr std::uint16_t arp_ethernet = 1;
inline constexpr std::uint16_t arp_address_lengths = 0x0604;  // 6 bytes MAC, 4 bytes IPv4

}  // namespace detail

template <view_byte Byte>
class basic_arp_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 28;

    static constexpr checked<basic_arp_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return parse_reason::arp_truncated;
        const basic_arp_view view(bytes.first(size_bytes));
        if (!view.is_ethernet_ipv4()) return parse_reason::arp_not_ethernet_ipv4;
        return view;
    }
    constexpr operator basic_arp_view<const std::byte>() const noexcept requires(base::is_mutable) {
        return basic_arp_view<const std::byte>(this->bytes());
    }

    constexpr arp_operation operation() const noexcept { return arp_operation{this->load16(6)}; }
    constexpr mac_address sender_mac() const noexcept {
        return this->template load_address<mac_address>(8);
    }
    constexpr ipv4_address sender_ip() const noexcept {
        return this->template load_address<ipv4_address>(14);
    }
    constexpr mac_address target_mac() const noexcept {
        return this->template load_address<mac_address>(18);
    }
    constexpr ipv4_address target_ip() const noexcept {
        return this->template load_address<ipv4_address>(24);
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_arp_view;
    constexpr explicit basic_arp_view(std::span<Byte> bytes) noexcept : base(bytes) {}

    constexpr bool is_ethernet_ipv4() const noexcept {
        return this->load16(0) == detail::arp_ethernet &&
               this->load16(2) == number(ether_type::ipv4) &&
               this->load16(4) == detail::arp_address_lengths;
    }
};

using arp_view = basic_arp_view<const std::byte>;
using arp_mutable_view = basic_arp_view<std::byte>;

struct arp_packet {
    arp_operation operation = arp_operation::request;
    mac_address sender_mac = {};
    ipv4_address sender_ip = {};
    mac_address target_mac = {};
    ipv4_address target_ip = {};

    static constexpr arp_packet parse(arp_view view) noexcept {
        return {view.operation(), view.sender_mac(), view.sender_ip(), view.target_mac(),
                view.target_ip()};
    }
    constexpr std::size_t size_bytes() const noexcept { return arp_view::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        if (out.size() < size_bytes()) return 0;
        std::byte* at = out.data();
        store_be(at, detail::arp_ethernet);
        store_be(at + 2, number(ether_type::ipv4));
        store_be(at + 4, detail::arp_address_lengths);
        store_be(at + 6, number(operation));
        sender_mac.store(at + 8);
        sender_ip.store(at + 14);
        target_mac.store(at + 18);
        target_ip.store(at + 24);
        return size_bytes();
    }
    friend constexpr bool operator==(const arp_packet&, const arp_packet&) noexcept = default;
};

}  // namespace skein::inline v0::wire
