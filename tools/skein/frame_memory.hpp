// SPDX-License-Identifier: Apache-2.0
// Frames in plain memory, and records laid into them as the kernel would.
//
//     record of 5000 bytes, chunk 4096:
//     | 256 headroom | 3840 bytes of data |    | 256 headroom | 1160 bytes | free |
//
// Each frame begins with the 256 bytes that XDP_PACKET_HEADROOM keeps free (Linux 6.12
// include/uapi/linux/bpf.h); data fills the rest of the chunk, and what does not fit goes on in the
// next frame. A record without bytes is a packet without segments.
//
// Threading: as its pool. Failure: no frames, see lay(); memory that cannot be had:
// command_failure.
#pragma once

#include <memory>
#include <optional>

#include <skein/packet.hpp>

#include "capture.hpp"

namespace skein::tool {

class frame_memory {
  public:
    static constexpr std::uint16_t headroom_bytes = 256;

    // chunk_bytes: 2048 or 4096.
    frame_memory(std::uint32_t frames, std::uint32_t chunk_bytes);

    frame_pool& pool() noexcept { return pool_; }
    std::uint32_t data_bytes() const noexcept {
        return pool_.area().chunk_bytes() - headroom_bytes;
    }
    std::uint32_t frames_for(std::size_t bytes) const noexcept {
        return static_cast<std::uint32_t>((bytes + data_bytes() - 1) / data_bytes());
    }

    // The record as a packet; nothing if fewer frames, or blocks for segments, are free than it
    // needs. Timestamp and original length go with it.
    std::optional<packet> lay(const capture_record& record) noexcept;

  private:
    std::unique_ptr<std::byte[]> memory_;
    frame_pool pool_;
};

}  // namespace skein::tool
