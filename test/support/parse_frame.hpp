// SPDX-License-Identifier: Apache-2.0
// Shorthand of the parser's tests: a frame, or its first bytes, parsed from an allocation of
// exactly that size.
#pragma once

#include <skein/parse.hpp>

#include "support/packet_builder.hpp"

namespace skein::test {

inline parsed_headers parse_frame(const bytes& frame, link_layer link = link_layer::ethernet,
                                  parse_options options = {}) {
    return parse_packet(contiguous_source(frame), link, options);
}

inline bytes first_bytes(const bytes& frame, std::size_t size) {
    return bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size));
}

inline parse_reason reason_of(const bytes& frame, parse_options options = {}) {
    return parse_frame(frame, link_layer::ethernet, options).reason;
}

}  // namespace skein::test
