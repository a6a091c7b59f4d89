// SPDX-License-Identifier: Apache-2.0
// ICMP for both families (RFC 792, RFC 4443): 8 bytes, then data or the packet it is about.
//
//     0      1      2          4                        8
//     | type | code | checksum | rest, by type          | data, or the quoted packet
//
// The header has the same form in both; type numbers do not, hence two enums and two views. ICMPv4
// sums its own bytes alone, ICMPv6 a pseudo header too (RFC 4443 §2.3). An error quotes the packet
// it answers from quoted_offset on, cut anywhere: parse it with parse_options{.quoted = true}.
#pragma once

#include <utility>

#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

enum class icmpv4_type : std::uint8_t {
    echo_reply = 0,
    destination_unreachable = 3,
    source_quench = 4,
    redirect = 5,
    echo_request = 8,
    time_exceeded = 11,
    parameter_problem = 12,
};

enum class icmpv6_type : std::uint8_t {
    destination_unreachable = 1,
    packet_too_big = 2,
    time_exceeded = 3,
    parameter_problem = 4,
    echo_request = 128,
    echo_reply = 129,
    router_solicitation = 133,
    router_advertisement = 134,
    neighbour_solicitation = 135,
    neighbour_advertisement = 136,
};

// Types whose data is the packet they are about.
constexpr bool quotes_packet(icmpv4_type type) noexcept {
    return type == icmpv4_type::destination_unreachable || type == icmpv4_type::source_quench ||
           type == icmpv4_type::redirect || type == icmpv4_type::time_exceeded ||
           type == icmpv4_type::parameter_problem;
}
// In ICMPv6 every type below 128 is an error (RFC 4443 §2.1); these are the ones known to quote.
constexpr bool quotes_packet(icmpv6_type type) noexcept {
    return number(type) >= number(icmpv6_type::destination_unreachable) &&
           number(type) <= number(icmpv6_type::parameter_problem);
}
constexpr bool is_echo(icmpv4_type type) noexcept {
    return type == icmpv4_type::echo_request || type == icmpv4_type::echo_reply;
}
constexpr bool is_echo(icmpv6_type type) noexcept {
    return type == icmpv6_type::echo_request || type == icmpv6_type::echo_reply;
}

template <view_byte Byte, class Type, parse_reason Truncated>
class basic_icmp_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 8;
    static constexpr std::size_t quoted_offset = 8;

    static constexpr checked<basic_icmp_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return Truncated;
        return basic_icmp_view(bytes.first(size_bytes));
    }
    constexpr operator basic_icmp_view<const std::byte, Type, Truncated>() const noexcept
        requires(base::is_mutable) {
        return basic_icmp_view<const std::byte, Type, Truncated>(this->bytes());
    }

    constexpr Type type() const noexcept { return Type{this->load8(0)}; }
    constexpr std::uint8_t code() const noexcept { return this->load8(1); }
    constexpr std::uint16_t checksum() const noexcept { return this->load16(2); }
    // The four bytes whose meaning depends on the type: the MTU of ICMPv6 too big, for instance.
    constexpr std::uint32_t rest() const noexcept { return this->load32(4); }
    // Echo: identifier and sequence number. ICMPv4 3/4: sequence() is the next hop's MTU (RFC
    // 1191).
    constexpr std::uint16_t identifier() const noexcept { return this->load16(4); }
    constexpr std::uint16_t sequence() const noexcept { return this->load16(6); }
    constexpr bool has_echo() const noexcept { return is_echo(type()); }
    constexpr bool has_quoted_packet() const noexcept { return quotes_packet(type()); }

    constexpr void set_type(Type type) const noexcept requires(base::is_mutable) {
        this->store8(0, number(type));
    }
    constexpr void set_checksum(std::uint16_t checksum) const noexcept requires(base::is_mutable) {
        this->store16(2, checksum);
    }
    constexpr void set_identifier(std::uint16_t identifier) const noexcept
        requires(base::is_mutable) {
        this->store16(4, identifier);
    }

  private:
    template <class>
    friend class checked;
    template <view_byte, class, parse_reason>
    friend class basic_icmp_view;
    constexpr explicit basic_icmp_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using icmpv4_view = basic_icmp_view<const std::byte, icmpv4_type, parse_reason::icmp_truncated>;
using icmpv4_mutable_view = basic_icmp_view<std::byte, icmpv4_type, parse_reason::icmp_truncated>;
using icmpv6_view = basic_icmp_view<const std::byte, icmpv6_type, parse_reason::icmpv6_truncated>;
using icmpv6_mutable_view = basic_icmp_view<std::byte, icmpv6_type, parse_reason::icmpv6_truncated>;

// The checksum is the caller's, who knows the data and, for ICMPv6, the addresses.
template <class View>
struct basic_icmp_header {
    using type_of_message = decltype(std::declval<View>().type());

    type_of_message type{};
    std::uint8_t code = 0;
    std::uint16_t checksum = 0;
    std::uint32_t rest = 0;

    static constexpr basic_icmp_header echo(type_of_message type, std::uint16_t identifier,
                                            std::uint16_t sequence) noexcept {
        return {type, 0, 0, (std::uint32_t{identifier} << 16) | sequence};
    }
    static constexpr basic_icmp_header parse(View view) noexcept {
        return {view.type(), view.code(), view.checksum(), view.rest()};
    }
    constexpr std::size_t size_bytes() const noexcept { return View::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        if (out.size() < size_bytes()) return 0;
        store_be(out.data(), number(type));
        store_be(out.data() + 1, code);
        store_be(out.data() + 2, checksum);
        store_be(out.data() + 4, rest);
        return size_bytes();
    }
    friend constexpr bool operator==(const basic_icmp_header&,
                                     const basic_icmp_header&) noexcept = default;
};

using icmpv4_header = basic_icmp_header<icmpv4_view>;
using icmpv6_header = basic_icmp_header<icmpv6_view>;

}  // namespace skein::inline v0::wire
