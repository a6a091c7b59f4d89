// SPDX-License-Identifier: Apache-2.0
// Frames in ordinary memory with their pool, for tests that need no port.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include <skein/packet.hpp>

#include "support/catch.hpp"

namespace skein::test {

class plain_frames {
  public:
    explicit plain_frames(std::uint32_t count = 16, std::uint32_t chunk_bytes = 2048,
                          frame_pool::options how = {})
        : memory_(std::size_t{count} * chunk_bytes, std::byte{0xa5}),
          pool(frame_area(memory_.data(), count, chunk_bytes), how),
          blocks_(pool.free_blocks()) {}
    plain_frames(const plain_frames&) = delete;
    plain_frames& operator=(const plain_frames&) = delete;

    const frame_area& area() const { return pool.area(); }

    frame_id take() {
        frame_id frame{};
        REQUIRE(pool.take({&frame, 1}) == 1);
        return frame;
    }
    // A fresh frame with these bytes in it.
    segment piece(std::span<const std::byte> content, std::uint16_t offset = 256) {
        const segment s{take(), offset, static_cast<std::uint16_t>(content.size())};
        std::copy(content.begin(), content.end(), area().bytes(s).begin());
        return s;
    }
    // Everything is back: frames, blocks, counts.
    bool all_free() const {
        return pool.audit() && pool.free_frames() == pool.total() && pool.free_blocks() == blocks_;
    }

  private:
    std::vector<std::byte> memory_;

  public:
    frame_pool pool;

  private:
    std::uint32_t blocks_;
};

inline std::vector<std::byte> bytes_in(const packet& p) {
    std::vector<std::byte> copy(p.size_bytes());
    REQUIRE(p.copy_to(copy) == copy.size());
    return copy;
}

}  // namespace skein::test
