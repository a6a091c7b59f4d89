// SPDX-License-Identifier: Apache-2.0
// The words of the rule grammar that stand for a number, for reading and for writing.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include <skein/wire/types.hpp>

namespace skein::inline v0::xsk {

template <class Number>
struct named_number {
    std::string_view name;
    Number number;
};

// Where a number has several names, the first is the one written.
inline constexpr std::array ether_type_names{
    named_number<wire::ether_type>{"arp", wire::ether_type::arp},
    named_number<wire::ether_type>{"ipv4", wire::ether_type::ipv4},
    named_number<wire::ether_type>{"ip", wire::ether_type::ipv4},
    named_number<wire::ether_type>{"ipv6", wire::ether_type::ipv6},
};

inline constexpr std::array protocol_names{
    named_number<wire::ip_protocol>{"tcp", wire::ip_protocol::tcp},
    named_number<wire::ip_protocol>{"udp", wire::ip_protocol::udp},
    named_number<wire::ip_protocol>{"sctp", wire::ip_protocol::sctp},
    named_number<wire::ip_protocol>{"udplite", wire::ip_protocol::udp_lite},
    named_number<wire::ip_protocol>{"dccp", wire::ip_protocol::dccp},
    named_number<wire::ip_protocol>{"icmp", wire::ip_protocol::icmp},
    named_number<wire::ip_protocol>{"icmpv6", wire::ip_protocol::icmpv6},
    named_number<wire::ip_protocol>{"gre", wire::ip_protocol::gre},
    named_number<wire::ip_protocol>{"esp", wire::ip_protocol::esp},
    named_number<wire::ip_protocol>{"ah", wire::ip_protocol::ah},
};

// Null where there is no such name.
template <class Names>
constexpr auto find_name(const Names& names, std::string_view name) noexcept {
    const auto* found =
        std::find_if(names.begin(), names.end(), [&](auto& entry) { return entry.name == name; });
    return found == names.end() ? nullptr : found;
}

// Empty where the number has no name.
template <class Names, class Number>
constexpr std::string_view name_of(const Names& names, Number number) noexcept {
    for (const auto& entry : names)
        if (entry.number == number) return entry.name;
    return {};
}

}  // namespace skein::inline v0::xsk
