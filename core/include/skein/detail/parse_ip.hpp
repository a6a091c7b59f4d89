// SPDX-License-Identifier: Apache-2.0
// IPv4 and IPv6 with its extension headers, down to the transport's offset.
#pragma once

#include <skein/detail/parse_transport.hpp>
#include <skein/wire/ipv4.hpp>
#include <skein/wire/ipv6.hpp>
#include <skein/wire/ipv6_extension.hpp>

namespace skein::inline v0::detail {

template <byte_source Source>
parse_reason parse_ipv4_length(parse_context<Source>& at, std::uint16_t total) noexcept {
    if (total != 0) [[likely]]
        return at.set_ip_bytes(total, parse_reason::ipv4_length_beyond_end);
    if (!at.may_be_aggregate() || at.found.fragment.is_fragment) return parse_reason::zero_length;
    at.found.is_aggregate = true;
    at.found.ip_bytes = at.size - at.found.l3_offset;
    return parse_reason::none;
}

template <byte_source Source>
parse_reason parse_ipv4(parse_context<Source>& at) noexcept {
    at.found.l3 = l3_kind::ipv4;
    const auto ip =
        wire::ipv4_view::check(at.template header_at<wire::ipv4_view>(at.found.l3_offset));
    if (!ip) return ip.reason();
    const wire::ipv4_fragment_field field = ip->fragment();
    const std::uint16_t total = ip->total_length_bytes();
    at.found.protocol = ip->protocol();
    at.found.l3_bytes = static_cast<std::uint32_t>(ip->bytes().size());
    at.found.fragment.is_fragment = field.is_fragment();
    at.found.fragment.identification = ip->identification();
    const parse_reason length = parse_ipv4_length(at, total);
    if (length != parse_reason::none) return length;
    at.found.l4_offset = at.found.l3_offset + at.found.l3_bytes;
    if (field.is_fragment()) {
        at.found.fragment.more = field.more_fragments();
        at.found.fragment.offset_bytes = field.offset_bytes();
        at.found.fragment.data_offset = at.found.l4_offset;
        at.found.fragment.data_bytes = at.l4_available();
    }
    return parse_transport(at);
}

// The jumbo payload option (RFC 2675 §2), which gives the payload's length where the IP header says
// 0. It is looked for in every hop-by-hop header, because beside a length it is an error.
template <byte_source Source>
parse_reason parse_jumbo_option(parse_context<Source>& at, const wire::ipv6_option& option,
                                bool has_length) noexcept {
    if (option.data_bytes != sizeof(std::uint32_t)) return parse_reason::ipv6_option_malformed;
    if (has_length) return parse_reason::ipv6_jumbo_with_length;
    const std::byte* length = at.peek(option.data_offset, sizeof(std::uint32_t));
    if (length == nullptr) return parse_reason::ipv6_extension_truncated;
    const std::uint64_t payload = load_be<std::uint32_t>(length);
    if (payload <= 0xffff) return parse_reason::ipv6_jumbo_short;
    at.found.is_jumbo = true;
    return at.set_ip_bytes(wire::ipv6_view::size_bytes + payload,
                           parse_reason::ipv6_length_beyond_end);
}

template <byte_source Source>
parse_reason parse_hop_by_hop(parse_context<Source>& at, const wire::ipv6_extension& header,
                              bool has_length) noexcept {
    wire::ipv6_option_walk<Source> walk(at.source, header);
    while (const auto option = walk.next()) {
        if (option->type != wire::ipv6_option_jumbo) continue;
        const parse_reason jumbo = parse_jumbo_option(at, *option, has_length);
        if (jumbo != parse_reason::none) return jumbo;
    }
    return walk.reason();
}

template <byte_source Source>
parse_reason parse_fragment_header(parse_context<Source>& at,
                                   const wire::ipv6_extension& header) noexcept {
    if (at.found.is_jumbo) return parse_reason::ipv6_jumbo_fragment;
    const auto value =
        wire::ipv6_fragment_header::parse(*wire::ipv6_fragment_view::check(header.head));
    fragment_info& fragment = at.found.fragment;
    fragment.is_atomic = value.fragment.is_atomic();
    fragment.is_fragment = !fragment.is_atomic;
    fragment.more = value.fragment.more_fragments();
    fragment.offset_bytes = value.fragment.offset_bytes();
    fragment.identification = value.identification;
    fragment.header_offset = static_cast<std::uint32_t>(header.offset);
    fragment.named_at = static_cast<std::uint32_t>(header.named_at);
    fragment.data_offset = static_cast<std::uint32_t>(header.offset + header.size_bytes);
    return parse_reason::none;
}

// Walks the chain to the transport. One that is cut in a first fragment is a missing transport.
template <byte_source Source>
parse_reason parse_ipv6_chain(parse_context<Source>& at, wire::ipv6_extension_walk<Source>& walk,
                              bool has_length) noexcept {
    while (const auto header = walk.next()) {
        parse_reason step = parse_reason::none;
        if (header->kind == wire::ip_protocol::hop_by_hop)
            step = parse_hop_by_hop(at, *header, has_length);
        else if (header->kind == wire::ip_protocol::fragment)
            step = parse_fragment_header(at, *header);
        if (step != parse_reason::none) return step;
    }
    if (walk.reason() != parse_reason::ipv6_extension_truncated || !at.found.fragment.is_first())
        return walk.reason();
    at.found.l4_reason = walk.reason();
    return parse_reason::none;
}

// Settles the length of a packet whose IPv6 header has none: a jumbogram, or an aggregate.
template <byte_source Source>
parse_reason parse_ipv6_zero_length(parse_context<Source>& at) noexcept {
    if (at.found.is_jumbo) return parse_reason::none;
    const fragment_info& fragment = at.found.fragment;
    if (!at.may_be_aggregate() || fragment.is_fragment || fragment.is_atomic)
        return parse_reason::zero_length;
    at.found.is_aggregate = true;
    at.found.ip_bytes = at.size - at.found.l3_offset;
    return parse_reason::none;
}

// The chain may go as far as the packet. Without a length that is all there is: a jumbogram's 65536
// bytes and more cannot end before the chain does, which max_ipv6_extension_bytes bounds.
template <byte_source Source>
parse_reason parse_ipv6_extensions(parse_context<Source>& at, wire::ip_protocol first,
                                   bool has_length) noexcept {
    constexpr std::size_t next_header_at = 6;
    const std::uint32_t begin = at.found.l3_offset + wire::ipv6_view::size_bytes;
    wire::ipv6_extension_walk<Source> walk(at.source, first, at.found.l3_offset + next_header_at,
                                           begin, has_length ? at.found.ip_end() : at.size);
    const parse_reason chain = parse_ipv6_chain(at, walk, has_length);
    if (chain != parse_reason::none) return chain;
    at.found.protocol = walk.protocol();
    at.found.l4_offset = static_cast<std::uint32_t>(walk.offset());
    at.found.l3_bytes = at.found.l4_offset - at.found.l3_offset;
    return has_length ? parse_reason::none : parse_ipv6_zero_length(at);
}

template <byte_source Source>
parse_reason parse_ipv6(parse_context<Source>& at) noexcept {
    at.found.l3 = l3_kind::ipv6;
    const auto ip =
        wire::ipv6_view::check(at.bytes_at(at.found.l3_offset, wire::ipv6_view::size_bytes));
    if (!ip) return ip.reason();
    const wire::ip_protocol first = ip->next_header();
    const std::uint16_t payload = ip->payload_length_bytes();
    at.found.protocol = first;
    at.found.l3_bytes = wire::ipv6_view::size_bytes;
    if (payload != 0) {
        const parse_reason length =
            at.set_ip_bytes(wire::ipv6_view::size_bytes + std::size_t{payload},
                            parse_reason::ipv6_length_beyond_end);
        if (length != parse_reason::none) return length;
    }
    at.found.l4_offset = at.found.l3_offset + at.found.l3_bytes;
    if (payload != 0 && !wire::is_ipv6_extension(first)) [[likely]]
        return parse_transport(at);
    const parse_reason chain = parse_ipv6_extensions(at, first, payload != 0);
    if (chain != parse_reason::none) return chain;
    if (at.found.fragment.is_fragment || at.found.fragment.is_atomic)
        at.found.fragment.data_bytes = at.found.ip_end() - at.found.fragment.data_offset;
    return parse_transport(at);
}

}  // namespace skein::inline v0::detail
