// SPDX-License-Identifier: Apache-2.0
// The memory that frames live in, and the only place where addresses become frames.
//
//      frame 0               frame 1                     frame n-1
//     |<--- stride_bytes --->|<--- stride_bytes --->| ... |<-------------------->|
//     ^ base                 ^ base + stride_bytes
//
//     one frame:  | headroom |      data ...        | tailroom |
//                 ^ 0        ^ segment.offset                  ^ chunk_bytes
//
// A *frame* is one UMEM chunk; a *segment* is (frame, offset, length) inside one frame. The area
// does not own the memory: whoever mapped it (a umem, a test, an offline port) keeps it alive.
// Addresses are byte offsets from `base`, as in ring descriptors. All sizes are in bytes.
//
// Chunks are *aligned* (2048 or 4096 bytes, one behind the other) or *unaligned* (any size between;
// XDP_UMEM_UNALIGNED_CHUNK_FLAG, since Linux 5.4). Unaligned frames begin on cache lines, so up to
// 63 bytes lie between two of them: the kernel does not mind, since to it a chunk begins wherever
// FILL says, and the frame of a completed address stays certain although newer kernels clear its
// bit 0. What the kernel reports of a received packet is then the frame's begin in the low 48 bits
// and the data's offset above; everything else is a plain address.
//
// The frame of an unaligned address is found by multiplying with a reciprocal: with
// r = floor(2^64 / stride) + 1, floor(a * r / 2^64) is a / stride for every a below 2^64 / stride,
// which is more than 2^51; areas end below 2^44.
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

enum class chunk_layout : std::uint8_t { aligned, unaligned };

class frame_area {
  public:
    static constexpr std::uint32_t min_chunk_bytes = 2048;  // XDP_UMEM_MIN_CHUNK_SIZE
    static constexpr std::uint32_t max_chunk_bytes =
        4096;  // one page: Linux 6.12 net/xdp/xdp_umem.c

    // chunk_bytes: 2048 or 4096; unaligned: from 2048 to 4096. The area covers size_bytes() bytes
    // from base.
    frame_area(std::byte* base, std::uint32_t frames, std::uint32_t chunk_bytes,
               chunk_layout layout = chunk_layout::aligned) noexcept
        : base_(base),
          frames_(frames),
          chunk_bytes_(chunk_bytes),
          stride_bytes_(layout == chunk_layout::aligned ? chunk_bytes : up_to_line(chunk_bytes)),
          aligned_(layout == chunk_layout::aligned),
          shift_(static_cast<std::uint8_t>(std::countr_zero(chunk_bytes))),
          reciprocal_(~std::uint64_t{0} / stride_bytes_ + 1),
          size_bytes_(std::uint64_t{frames} * stride_bytes_) {
        assert(!aligned_ || std::has_single_bit(chunk_bytes));
        assert(chunk_bytes >= min_chunk_bytes && chunk_bytes <= max_chunk_bytes);
    }

    std::uint32_t frames() const noexcept { return frames_; }
    std::uint32_t chunk_bytes() const noexcept { return chunk_bytes_; }
    // From the begin of one frame to that of the next.
    std::uint32_t stride_bytes() const noexcept { return stride_bytes_; }
    chunk_layout layout() const noexcept {
        return aligned_ ? chunk_layout::aligned : chunk_layout::unaligned;
    }
    std::uint64_t size_bytes() const noexcept { return size_bytes_; }

    // Where a frame begins, as a ring address.
    std::uint64_t address_of(frame_id frame) const noexcept {
        return std::uint64_t{index_of(frame)} * stride_bytes_;
    }

    std::uint64_t address_of(segment piece) const noexcept {
        return address_of(piece.frame) + piece.offset;
    }

    // The frame that holds a plain address; nothing if the address is outside the area.
    std::optional<frame_id> frame_at(std::uint64_t address) const noexcept {
        if (address >= size_bytes_) return std::nullopt;
        return holder_of(address);
    }

    // The piece a plain descriptor names. A descriptor of length 0, outside the area, or reaching
    // beyond the end of its chunk names none.
    std::optional<segment> segment_at(const descriptor& d) const noexcept {
        return aligned_ ? aligned_piece(d) : unaligned_piece(d);
    }

    // The piece an RX descriptor names.
    std::optional<segment> received_at(const descriptor& d) const noexcept {
        return aligned_ ? aligned_piece(d) : received_unaligned(d);
    }

    std::byte* data(frame_id frame) const noexcept { return base_ + address_of(frame); }

    std::span<std::byte> bytes(frame_id frame) const noexcept {
        return {data(frame), chunk_bytes_};
    }

    std::span<std::byte> bytes(segment piece) const noexcept {
        return {base_ + address_of(piece), piece.length};
    }

  private:
    static constexpr std::uint32_t line_bytes = 64;
    static constexpr std::uint32_t offset_shift = 48;  // XSK_UNALIGNED_BUF_OFFSET_SHIFT

    static constexpr std::uint32_t up_to_line(std::uint32_t bytes) noexcept {
        return (bytes + line_bytes - 1) / line_bytes * line_bytes;
    }

    // Of an address inside the area.
    frame_id holder_of(std::uint64_t address) const noexcept {
        if (aligned_) return static_cast<frame_id>(address >> shift_);
        __extension__ using wide = unsigned __int128;
        return static_cast<frame_id>((wide{address} * reciprocal_) >> 64);
    }

    std::optional<segment> aligned_piece(const descriptor& d) const noexcept {
        const auto offset = static_cast<std::uint32_t>(d.address) & (chunk_bytes_ - 1);
        if (d.address >= size_bytes_ || d.length - 1 >= chunk_bytes_ - offset) return std::nullopt;
        return segment{static_cast<frame_id>(d.address >> shift_),
                       static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(d.length)};
    }

    std::optional<segment> unaligned_piece(const descriptor& d) const noexcept {
        if (d.address >= size_bytes_) return std::nullopt;
        const auto frame = holder_of(d.address);
        return piece_of(frame, d.address - address_of(frame), d.length);
    }

    // The low part must be what was put on FILL: a frame's begin.
    std::optional<segment> received_unaligned(const descriptor& d) const noexcept {
        const auto begin = d.address & ((std::uint64_t{1} << offset_shift) - 1);
        if (begin >= size_bytes_) return std::nullopt;
        const auto frame = holder_of(begin);
        if (address_of(frame) != begin) return std::nullopt;
        return piece_of(frame, d.address >> offset_shift, d.length);
    }

    std::optional<segment> piece_of(frame_id frame, std::uint64_t offset,
                                    std::uint32_t length) const noexcept {
        if (offset >= chunk_bytes_ || length - 1 >= chunk_bytes_ - offset) return std::nullopt;
        return segment{frame, static_cast<std::uint16_t>(offset),
                       static_cast<std::uint16_t>(length)};
    }

    std::byte* base_;
    std::uint32_t frames_;
    std::uint32_t chunk_bytes_;
    std::uint32_t stride_bytes_;
    bool aligned_;
    std::uint8_t shift_;
    std::uint64_t reciprocal_;
    std::uint64_t size_bytes_;
};

}  // namespace skein::inline v0
