// SPDX-License-Identifier: Apache-2.0
// Link layers and VLAN tags, down to the type of what they carry.
//
// Sources: IEEE 802.3, IEEE 802.1Q, and the pages of LINKTYPE_NULL, LINKTYPE_LINUX_SLL and
// LINKTYPE_LINUX_SLL2 at tcpdump.org.
#pragma once

#include <skein/detail/parse_ip.hpp>
#include <skein/wire/ethernet.hpp>

namespace skein::inline v0::detail {

// Takes the tags in front of the network header, if there are any, and moves type past them.
template <byte_source Source>
parse_reason parse_vlan_tags(parse_context<Source>& at, wire::ether_type& type) noexcept {
    while (wire::is_vlan_tpid(type)) {
        if (at.found.vlans.is_full()) return parse_reason::vlan_too_deep;
        const auto tag =
            wire::vlan_view::check(at.bytes_at(at.found.l3_offset, wire::vlan_view::size_bytes));
        if (!tag) return tag.reason();
        at.found.vlans.push({type, tag->tci()});
        at.found.l3_offset += wire::vlan_view::size_bytes;
        type = tag->type();
        at.found.type = type;
    }
    return parse_reason::none;
}

template <byte_source Source>
parse_reason parse_network(parse_context<Source>& at, wire::ether_type type) noexcept {
    at.found.type = type;
    const parse_reason tags = parse_vlan_tags(at, type);
    if (tags != parse_reason::none) return tags;
    switch (type) {
        case wire::ether_type::ipv4:
            return parse_ipv4(at);
        case wire::ether_type::ipv6:
            return parse_ipv6(at);
        case wire::ether_type::arp:
            at.found.l3 = l3_kind::arp;
            return parse_reason::none;
        default:
            return parse_reason::none;
    }
}

template <byte_source Source>
parse_reason parse_ethernet(parse_context<Source>& at) noexcept {
    const auto header = wire::ethernet_view::check(at.bytes_at(0, wire::ethernet_view::size_bytes));
    if (!header) return header.reason();
    at.found.l3_offset = wire::ethernet_view::size_bytes;
    return parse_network(at, header->type());
}

// Where the two versions of Linux cooked captures keep what is needed here.
struct cooked_form {
    std::uint32_t header_bytes;
    std::size_t type_at;
    std::size_t device_at;  // ARPHRD_ number of the device
    parse_reason truncated;
};

inline constexpr cooked_form sll_form{16, 14, 2, parse_reason::sll_truncated};
inline constexpr cooked_form sll2_form{20, 0, 8, parse_reason::sll2_truncated};

// Captures on netlink, radiotap and frame relay devices hold something else in the type's place.
constexpr bool cooked_has_ether_type(std::uint16_t device) noexcept {
    return device != 824 && device != 803 && device != 770;
}

template <byte_source Source>
parse_reason parse_cooked(parse_context<Source>& at, const cooked_form& form) noexcept {
    const std::byte* header = at.peek(0, form.header_bytes);
    if (header == nullptr) return form.truncated;
    const auto device = load_be<std::uint16_t>(header + form.device_at);
    const auto type = load_be<std::uint16_t>(header + form.type_at);
    at.found.l3_offset = form.header_bytes;
    if (!cooked_has_ether_type(device)) return parse_reason::none;
    return parse_network(at, wire::ether_type{type});
}

// AF_INET is 2 everywhere, AF_INET6 is not the same anywhere.
constexpr wire::ether_type loopback_type(std::uint32_t family) noexcept {
    switch (family > 0xffff ? swap_bytes(family) : family) {
        case 2:
            return wire::ether_type::ipv4;
        case 10:  // Linux
        case 23:  // Windows
        case 24:  // NetBSD, OpenBSD
        case 28:  // FreeBSD
        case 30:  // macOS
            return wire::ether_type::ipv6;
        default:
            return wire::ether_type{};
    }
}

template <byte_source Source>
parse_reason parse_loopback(parse_context<Source>& at) noexcept {
    const std::byte* family = at.peek(0, sizeof(std::uint32_t));
    if (family == nullptr) return parse_reason::loopback_truncated;
    const wire::ether_type type = loopback_type(load_be<std::uint32_t>(family));
    at.found.l3_offset = sizeof(std::uint32_t);
    return parse_network(at, type);
}

template <byte_source Source>
parse_reason parse_raw_ip(parse_context<Source>& at) noexcept {
    const std::byte* first = at.peek(0, 1);
    if (first == nullptr) return parse_reason::ip_truncated;
    switch (std::to_integer<unsigned>(*first) >> 4) {
        case 4:
            return parse_network(at, wire::ether_type::ipv4);
        case 6:
            return parse_network(at, wire::ether_type::ipv6);
        default:
            return parse_reason::ip_unknown_version;
    }
}

template <byte_source Source>
parse_reason parse_link(parse_context<Source>& at, link_layer link) noexcept {
    switch (link) {
        case link_layer::ethernet:
            return parse_ethernet(at);
        case link_layer::ip:
            return parse_raw_ip(at);
        case link_layer::ipv4:
            return parse_network(at, wire::ether_type::ipv4);
        case link_layer::ipv6:
            return parse_network(at, wire::ether_type::ipv6);
        case link_layer::linux_sll:
            return parse_cooked(at, sll_form);
        case link_layer::linux_sll2:
            return parse_cooked(at, sll2_form);
        case link_layer::loopback:
            return parse_loopback(at);
    }
    return parse_reason::none;
}

}  // namespace skein::inline v0::detail
