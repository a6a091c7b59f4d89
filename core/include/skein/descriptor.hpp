// SPDX-License-Identifier: Apache-2.0
// A ring descriptor: where in the UMEM a piece of a packet lies.
//
// The layout is the kernel's struct xdp_desc (Linux 6.12 include/uapi/linux/if_xdp.h); the name is
// ours so that core needs no kernel header. `address` is a byte offset into the UMEM, `length` is
// in bytes.
#pragma once

#include <cstdint>

namespace skein::inline v0 {

struct descriptor {
    std::uint64_t address;
    std::uint32_t length;
    std::uint32_t options;
};
static_assert(sizeof(descriptor) == 16);

// descriptor::options: the packet goes on in the next descriptor (XDP_PKT_CONTD, since Linux 6.6).
inline constexpr std::uint32_t descriptor_continues = 1u << 0;
// descriptor::options: TX metadata lies in front of the data (XDP_TX_METADATA, since Linux 6.8).
inline constexpr std::uint32_t descriptor_has_metadata = 1u << 1;

}  // namespace skein::inline v0
