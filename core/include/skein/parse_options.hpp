// SPDX-License-Identifier: Apache-2.0
// What the caller knows about a packet that its bytes do not say.
#pragma once

#include <cstdint>

namespace skein::inline v0 {

enum class zero_length_rule : std::uint8_t {
    malformed,      // from a port: no length is no length
    own_aggregate,  // from a capture made on the sending or receiving host
};

struct parse_options {
    zero_length_rule zero_length = zero_length_rule::malformed;
    // The capture holds fewer bytes than the packet had: its size says nothing about its length.
    bool snapped = false;
    // The packet is quoted in an ICMP error, cut anywhere behind the first 8 bytes of its transport
    // header (RFC 792): lengths beyond the end are no fault, and l4_bytes may be short of a header.
    bool quoted = false;
};

}  // namespace skein::inline v0
