// SPDX-License-Identifier: Apache-2.0
// Transport headers: TCP, UDP, ICMP, ICMPv6, SCTP. Every other protocol is payload.
#pragma once

#include <skein/detail/parse_context.hpp>
#include <skein/wire/icmp.hpp>
#include <skein/wire/sctp.hpp>
#include <skein/wire/tcp.hpp>
#include <skein/wire/udp.hpp>

namespace skein::inline v0::detail {

inline constexpr std::size_t quoted_l4_bytes = 8;  // what every ICMP error quotes (RFC 792)

// A header of fixed size that needs no look inside.
template <byte_source Source>
parse_reason take_l4(parse_context<Source>& at, std::size_t header_bytes,
                     parse_reason truncated) noexcept {
    if (at.l4_available() < header_bytes) return truncated;
    at.set_l4_bytes(header_bytes);
    return parse_reason::none;
}

template <byte_source Source>
parse_reason parse_tcp(parse_context<Source>& at) noexcept {
    const std::uint32_t available = at.l4_available();
    if (available < wire::tcp_view::min_bytes) return parse_reason::tcp_truncated;
    const std::byte* header = at.peek(at.found.l4_offset, wire::tcp_view::min_bytes);
    if (header == nullptr) return parse_reason::tcp_truncated;
    const std::size_t length =
        wire::tcp_view::header_length_bytes(std::span(header, wire::tcp_view::min_bytes));
    if (length < wire::tcp_view::min_bytes) return parse_reason::tcp_bad_data_offset;
    return take_l4(at, length, parse_reason::tcp_options_truncated);
}

// Length 0 is a jumbogram's (RFC 2675 §4). A fragment's or a cut packet's length counts what is not
// here.
template <byte_source Source>
parse_reason check_udp_length(const parse_context<Source>& at, std::uint16_t length) noexcept {
    if (length == 0) return at.found.is_jumbo ? parse_reason::none : parse_reason::udp_length_short;
    if (length > at.l4_available() && !at.found.fragment.is_fragment && !at.found.is_cut)
        return parse_reason::udp_length_beyond_end;
    return parse_reason::none;
}

template <byte_source Source>
parse_reason parse_udp(parse_context<Source>& at) noexcept {
    if (at.l4_available() < wire::udp_view::size_bytes) return parse_reason::udp_truncated;
    const auto udp =
        wire::udp_view::check(at.bytes_at(at.found.l4_offset, wire::udp_view::size_bytes));
    if (!udp) return udp.reason();
    const parse_reason length = check_udp_length(at, udp->length_bytes());
    if (length != parse_reason::none) return length;
    at.set_l4_bytes(wire::udp_view::size_bytes);
    return parse_reason::none;
}

// ICMP and ICMPv6 belong to their own IP; with the other's they are payload.
template <byte_source Source>
parse_reason parse_l4_header(parse_context<Source>& at) noexcept {
    const bool is_ipv4 = at.found.l3 == l3_kind::ipv4;
    switch (at.found.protocol) {
        case wire::ip_protocol::tcp:
            return parse_tcp(at);
        case wire::ip_protocol::udp:
            return parse_udp(at);
        case wire::ip_protocol::icmp:
            if (!is_ipv4) return parse_reason::none;
            return take_l4(at, wire::icmpv4_view::size_bytes, parse_reason::icmp_truncated);
        case wire::ip_protocol::icmpv6:
            if (is_ipv4) return parse_reason::none;
            return take_l4(at, wire::icmpv6_view::size_bytes, parse_reason::icmpv6_truncated);
        case wire::ip_protocol::sctp:
            return take_l4(at, wire::sctp_view::size_bytes, parse_reason::sctp_truncated);
        default:
            return parse_reason::none;
    }
}

// A header cut by the quote still shows its ports or its identifier.
template <byte_source Source>
bool is_only_cut(const parse_context<Source>& at, parse_reason reason) noexcept {
    if (!at.found.is_cut || at.l4_available() < quoted_l4_bytes) return false;
    return reason == parse_reason::tcp_truncated || reason == parse_reason::tcp_options_truncated ||
           reason == parse_reason::sctp_truncated;
}

template <byte_source Source>
parse_reason parse_transport(parse_context<Source>& at) noexcept {
    at.set_l4_bytes(0);
    const fragment_info& fragment = at.found.fragment;
    if (fragment.is_fragment && fragment.offset_bytes != 0) return parse_reason::none;
    if (at.found.l4_reason != parse_reason::none) return parse_reason::none;
    const parse_reason reason = parse_l4_header(at);
    if (reason == parse_reason::none) [[likely]]
        return reason;
    if (is_only_cut(at, reason)) {
        at.set_l4_bytes(at.l4_available());
        return parse_reason::none;
    }
    if (!fragment.is_first()) return reason;
    at.found.l4_reason = reason;
    return parse_reason::none;
}

}  // namespace skein::inline v0::detail
