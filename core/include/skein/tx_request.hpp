// SPDX-License-Identifier: Apache-2.0
// What a packet asks of the device that sends it. Set through packet, honoured by xsk::port where
// TX metadata was obtained, otherwise refused.
//
//     checksum    the ones' complement sum from checksum_start to the packet's end is stored at
//                 checksum_start + checksum_offset; the field there must already hold the folded,
//                 not inverted sum of the pseudo header
//     timestamp   tell when the packet was sent
//     launch      send it at a time, not before
//
// Offsets are in bytes; checksum_start counts from the packet's first byte.
// Source: Linux 6.18 Documentation/networking/xsk-tx-metadata.rst.
#pragma once

#include <cstdint>

namespace skein::inline v0 {

struct tx_request {
    static constexpr std::uint8_t wants_checksum = 1u << 0;
    static constexpr std::uint8_t wants_timestamp = 1u << 1;
    static constexpr std::uint8_t wants_launch = 1u << 2;
    static constexpr std::uint8_t any = wants_checksum | wants_timestamp | wants_launch;

    std::uint8_t wants = 0;
    std::uint8_t checksum_offset = 0;
    std::uint16_t checksum_start = 0;

    constexpr bool asks_for(std::uint8_t what) const noexcept { return (wants & what) != 0; }
    // One past the last byte of the checksum field.
    constexpr std::uint32_t checksum_end() const noexcept {
        return std::uint32_t{checksum_start} + checksum_offset + 2u;
    }
    friend bool operator==(const tx_request&, const tx_request&) = default;
};
static_assert(sizeof(tx_request) == 4);

}  // namespace skein::inline v0
