// SPDX-License-Identifier: Apache-2.0
// Keeps what an earlier packet left in a frame's headroom from being taken for the next one's.
#pragma once

#include <cstdint>
#include <span>

#include <skein/frame_area.hpp>

namespace skein::inline v0::xsk {

// Erases the magic number that a metadata record ends with, in frames about to be put on FILL. The
// addresses are those of the frames' starts. The record lies below the data, which begins behind
// the kernel's headroom and the umem's own.
void erase_metadata(const frame_area& area, std::uint32_t headroom_bytes,
                    std::span<const std::uint64_t> addresses) noexcept;

}  // namespace skein::inline v0::xsk
