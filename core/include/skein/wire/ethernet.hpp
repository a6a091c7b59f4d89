// SPDX-License-Identifier: Apache-2.0
// The Ethernet header (IEEE 802.3 §3): destination, source, type or length. 14 bytes.
//
//     0            6            12     14
//     | destination |   source   | type |
//
// The type of the view is that right behind the addresses: a TPID where tags follow (vlan.hpp), a
// length where it is below first_ether_type.
#pragma once

#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

template <view_byte Byte>
class basic_ethernet_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 14;

    static constexpr checked<basic_ethernet_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return parse_reason::ethernet_truncated;
        return basic_ethernet_view(bytes.first(size_bytes));
    }
    constexpr operator basic_ethernet_view<const std::byte>() const noexcept
        requires(base::is_mutable) {
        return basic_ethernet_view<const std::byte>(this->bytes());
    }

    constexpr mac_address destination() const noexcept {
        return this->template load_address<mac_address>(0);
    }
    constexpr mac_address source() const noexcept {
        return this->template load_address<mac_address>(6);
    }
    constexpr ether_type type() const noexcept { return ether_type{this->load16(12)}; }
    constexpr bool is_length() const noexcept { return number(type()) < first_ether_type; }

    constexpr void set_destination(const mac_address& address) const noexcept
        requires(base::is_mutable) {
        this->store_address(0, address);
    }
    constexpr void set_source(const mac_address& address) const noexcept
        requires(base::is_mutable) {
        this->store_address(6, address);
    }
    constexpr void set_type(ether_type type) const noexcept requires(base::is_mutable) {
        this->store16(12, number(type));
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_ethernet_view;
    constexpr explicit basic_ethernet_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using ethernet_view = basic_ethernet_view<const std::byte>;
using ethernet_mutable_view = basic_ethernet_view<std::byte>;

struct ethernet_header {
    mac_address destination = {};
    mac_address source = {};
    ether_type type = ether_type::ipv4;

    static constexpr ethernet_header parse(ethernet_view view) noexcept {
        return {view.destination(), view.source(), view.type()};
    }
    constexpr std::size_t size_bytes() const noexcept { return ethernet_view::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        const auto view = ethernet_mutable_view::check(out);
        if (!view) return 0;
        view->set_destination(destination);
        view->set_source(source);
        view->set_type(type);
        return size_bytes();
    }
    friend constexpr bool operator==(const ethernet_header&,
                                     const ethernet_header&) noexcept = default;
};

}  // namespace skein::inline v0::wire
