// SPDX-License-Identifier: Apache-2.0
// What the steps of parse_packet share: the source, what the caller said, and what was found.
//
// Each step is a function of one layer. It leaves in found what it saw, returns why it stopped and
// ends by handing over to the next layer. Pointers from peek are good until the next peek.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <skein/byte_source.hpp>
#include <skein/parse_options.hpp>
#include <skein/parsed_headers.hpp>

namespace skein::inline v0::detail {

template <byte_source Source>
struct parse_context {
    const Source& source;
    parse_options options;
    std::uint32_t size;
    parsed_headers& found;  // the caller's result itself: copying it would cost more than parsing
    std::array<std::byte, 64> scratch;  // the longest header peeked has 60 bytes

    parse_context(const Source& from, parse_options with, parsed_headers& into) noexcept
        : source(from),
          options(with),
          size(static_cast<std::uint32_t>(
              std::min<std::size_t>(from.size(), std::numeric_limits<std::uint32_t>::max()))),
          found(into) {}

    const std::byte* peek(std::size_t offset, std::size_t n) noexcept {
        if (offset > size || n > size - offset) return nullptr;
        return source.peek(offset, n, scratch.data());
    }

    // As many of the bytes as there are: all, or none.
    std::span<const std::byte> bytes_at(std::size_t offset, std::size_t n) noexcept {
        const std::byte* bytes = peek(offset, n);
        return {bytes, bytes == nullptr ? 0 : n};
    }

    // The bytes of a header whose length stands in its first min_bytes: those alone where the rest
    // is not there, none where they are not. The view's check tells what that means.
    template <class View>
    std::span<const std::byte> header_at(std::size_t offset) noexcept {
        const auto start = bytes_at(offset, View::min_bytes);
        if (start.empty()) return start;
        const std::size_t length = View::header_length_bytes(start);
        if (length <= View::min_bytes || length > size - offset) [[likely]]
            return start;
        return bytes_at(offset, length);
    }

    void set_l4_bytes(std::size_t bytes) noexcept {
        found.l4_bytes = static_cast<std::uint32_t>(bytes);
        found.payload_offset = found.l4_offset + found.l4_bytes;
        found.payload_bytes = found.ip_end() - found.payload_offset;
    }
    std::uint32_t l4_available() const noexcept { return found.ip_end() - found.l4_offset; }

    // From the length the IP header states; quoted packets are cut to what is there.
    parse_reason set_ip_bytes(std::uint64_t stated, parse_reason beyond_end) noexcept {
        const std::uint32_t present = size - found.l3_offset;
        found.is_cut = stated > present;
        if (found.is_cut && !options.quoted) return beyond_end;
        found.ip_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(stated, present));
        return parse_reason::none;
    }

    // Whether a length of 0 may be believed; for a packet whose protocol is known.
    bool may_be_aggregate() const noexcept {
        return options.zero_length == zero_length_rule::own_aggregate && !options.snapped &&
               !options.quoted && found.protocol == wire::ip_protocol::tcp;
    }
};

}  // namespace skein::inline v0::detail
