// SPDX-License-Identifier: Apache-2.0
// The memory that frames live in, and the only place where addresses become frames.
//
//      frame 0               frame 1                     frame n-1
//     |<---- chunk_bytes --->|<---- chunk_bytes --->| ... |<-------------------->|
//     ^ base                 ^ base + chunk_bytes
//
//     one frame:  | headroom |      data ...        | tailroom |
//                 ^ 0        ^ segment.offset                  ^ chunk_bytes
//
// A *frame* is one UMEM chunk; a *segment* is (frame, offset, length) inside one frame. The area
// does not own the memory: whoever mapped it (a umem, a test, an offline port) keeps it alive.
// Addresses are byte offsets from `base`, as in ring descriptors. All sizes are in bytes.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <skein/descriptor.hpp>

namespace skein::inline v0 {

// Index of a frame in its area.
enum class frame_id : std::uint32_t {};

constexpr std::uint32_t index_of(frame_id frame) noexcept {
    return static_cast<std::uint32_t>(frame);
}

// A piece of a packet inside one frame. Offsets and lengths fit 16 bits: chunks are at most 4096.
struct segment {
    frame_id frame;
    std::uint16_t offset;
    std::uint16_t length;

    friend bool operator==(const segment&, const segment&) = default;
};
static_assert(sizeof(segment) == 8);

class frame_area {
  public:
    static constexpr std::uint32_t min_chunk_bytes = 2048;  // XDP_UMEM_MIN_CHUNK_SIZE
    static constexpr std::uint32_t max_chunk_bytes =
        4096;  // one page: Linux 6.12 net/xdp/xdp_umem.c

    // chunk_bytes: 2048 or 4096. The area covers frames * chunk_bytes bytes from base.
    frame_area(std::byte* base, std::uint32_t frames, std::uint32_t chunk_bytes) noexcept
        : base_(base),
          frames_(frames),
          chunk_bytes_(chunk_bytes),
          chunk_shift_(static_cast<std::uint32_t>(std::countr_zero(chunk_bytes))) {
        assert(std::has_single_bit(chunk_bytes));
        assert(chunk_bytes >= min_chunk_bytes && chunk_bytes <= max_chunk_bytes);
    }

    std::uint32_t frames() const noexcept { return frames_; }
    std::uint32_t chunk_bytes() const noexcept { return chunk_bytes_; }
    std::uint64_t size_bytes() const noexcept { return std::uint64_t{frames_} << chunk_shift_; }

    // Where a frame begins, as a ring address.
    std::uint64_t address_of(frame_id frame) const noexcept {
        return std::uint64_t{index_of(frame)} << chunk_shift_;
    }

    std::uint64_t address_of(segment piece) const noexcept {
        return address_of(piece.frame) + piece.offset;
    }

    // The frame that holds a ring address; nothing if the address is outside the area.
    std::optional<frame_id> frame_at(std::uint64_t address) const noexcept {
        if (address >= size_bytes()) return std::nullopt;
        return static_cast<frame_id>(address >> chunk_shift_);
    }

    // The piece a descriptor names. A descriptor of length 0, outside the area, or reaching beyond
    // the end of its chunk names none.
    std::optional<segment> segment_at(const descriptor& d) const noexcept {
        const auto offset = static_cast<std::uint32_t>(d.address) & (chunk_bytes_ - 1);
        if (d.address >= size_bytes() || d.length - 1 >= chunk_bytes_ - offset) return std::nullopt;
        return segment{static_cast<frame_id>(d.address >> chunk_shift_),
                       static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(d.length)};
    }

    std::byte* data(frame_id frame) const noexcept { return base_ + address_of(frame); }

    std::span<std::byte> bytes(frame_id frame) const noexcept {
        return {data(frame), chunk_bytes_};
    }

    std::span<std::byte> bytes(segment piece) const noexcept {
        return {base_ + address_of(piece), piece.length};
    }

  private:
    std::byte* base_;
    std::uint32_t frames_;
    std::uint32_t chunk_bytes_;
    std::uint32_t chunk_shift_;
};

}  // namespace skein::inline v0
