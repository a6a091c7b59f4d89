// SPDX-License-Identifier: Apache-2.0
// Who holds which frame. The pool owns the free list, the reference counts and the spill blocks of
// long packets; it does not own the frames' memory.
//
// A frame is, at any time, in one of these hands:
//
//                     lend_to_rx                    receive
//            free ───────────────► rx (FILL … RX) ───────────► application
//             ▲                                                 │   ▲
//             │ last reference gone                    lend_to_tx   │ complete, shared
//             └─────────────────────────────── tx ◄─────────────┘   │
//                          complete             └───────────────────┘
//
// References are counted beside the frames, not in them: a segment of a packet holds one, and so
// does a descriptor under way in TX, which inherits the reference of the segment it was made from.
// A frame is free only when the last of them is gone. Several segments may name one frame; each of
// their descriptors is completed on its own.
//
// What the kernel says is checked, never trusted: an address that is not lent to RX cannot be
// received, one that is not under way in TX cannot be completed, and neither can happen twice.
//
// Threading: a pool belongs to one thread (a shard). Nothing here is atomic.
// Cost: 8 bytes a frame for the record, 4 for the free list, and 64 bytes a spill block.
// Failure: taking from an empty pool yields fewer frames than asked for, never an exception.
#pragma once

#include <array>
#include <bitset>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <skein/export.hpp>
#include <skein/frame_area.hpp>

namespace skein::inline v0 {

enum class frame_holder : std::uint8_t { free, rx, application, tx, written_off };

// Identifies the port (its rings) that a frame was lent to last, within one pool.
using lender_id = std::uint8_t;
inline constexpr std::size_t max_lenders = 255;

// Seven more segments of a packet that has outgrown its inline ones. Blocks form a chain.
struct segment_block {
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::size_t capacity = 7;

    std::array<segment, capacity> segments;
    std::uint32_t next;
    std::uint16_t begin;  // segments[begin, end) are in use
    std::uint16_t end;
};
static_assert(sizeof(segment_block) == 64);

class frame_pool {
  public:
    struct options {
        // How many blocks of seven segments long packets may use together. 0: one for every two
        // frames, enough for all frames to sit in long packets at once.
        std::uint32_t segment_blocks = 0;
    };

    // What the pool itself needs for a frame: record, free list, and half a block of segments.
    static const std::size_t bytes_per_frame;

    explicit frame_pool(frame_area area) : frame_pool(area, options{}) {}
    SKEIN_EXPORT frame_pool(frame_area area, options how);
    frame_pool(const frame_pool&) = delete;
    frame_pool& operator=(const frame_pool&) = delete;

    const frame_area& area() const noexcept { return area_; }
    std::uint32_t total() const noexcept { return area_.frames(); }
    std::uint32_t free_frames() const noexcept { return free_count_; }

    // How many frames a holder has. For looking, not for the data path: some are added up.
    SKEIN_EXPORT std::uint32_t held_by(frame_holder holder) const noexcept;
    // Which lenders have frames out, in RX or TX.
    SKEIN_EXPORT std::bitset<max_lenders> lenders_in_use() const noexcept;
    // How many frames are lent to the RX side of one port.
    std::uint32_t lent_to_rx(lender_id port) const noexcept { return rx_lent_[port]; }

    // Bytes of packets that were copied from one frame to another, ever. Counted by whoever copies.
    std::uint64_t copied_bytes() const noexcept { return copied_bytes_; }
    void count_copied(std::uint64_t bytes) noexcept { copied_bytes_ += bytes; }

    frame_holder holder(frame_id frame) const noexcept { return record(frame).holder; }
    std::uint32_t references(frame_id frame) const noexcept { return record(frame).references; }

    // True if exactly one segment names the frame and no descriptor is under way: only then may its
    // bytes be written.
    bool sole_holder(frame_id frame) const noexcept {
        const auto& r = record(frame);
        return r.references == 1 && r.in_tx == 0;
    }

    // --- the application -------------------------------------------------------------------------

    // Takes up to frames.size() free frames with one reference each; returns how many.
    SKEIN_EXPORT std::size_t take(std::span<frame_id> frames) noexcept;

    // One more segment names the frame. False if it cannot be counted (65535 references).
    bool share(frame_id frame) noexcept {
        auto& r = record(frame);
        assert(r.references > 0);
        if (r.references == max_references) return false;
        ++r.references;
        return true;
    }

    // One segment less; the last one gives the frame back.
    void give(frame_id frame) noexcept {
        auto& r = record(frame);
        assert(r.references > 0);
        if (--r.references == 0) release(r, frame);
    }

    // --- the rings -------------------------------------------------------------------------------

    // Moves up to addresses.size() free frames to the RX side of a port and writes their addresses;
    // returns how many.
    SKEIN_EXPORT std::size_t lend_to_rx(std::span<std::uint64_t> addresses,
                                        lender_id port) noexcept;

    // The kernel received into this frame: it is the application's now, with one reference. False
    // if the frame was not lent to the RX side of that port.
    bool receive(frame_id frame, lender_id port) noexcept {
        auto& r = record(frame);
        if (r.holder != frame_holder::rx || r.lender != port) return false;
        r.holder = frame_holder::application;
        r.references = 1;
        --rx_lent_[port];
        return true;
    }

    // A descriptor that names the frame goes to TX and takes a segment's reference with it.
    void lend_to_tx(frame_id frame, lender_id port) noexcept {
        auto& r = record(frame);
        assert(r.references > r.in_tx);
        if (r.in_tx++ == 0) {
            ++tx_frames_;
            r.holder = frame_holder::tx;
            r.lender = port;
        } else if (r.lender != port) [[unlikely]] {
            r.lender = several_lenders;
        }
    }

    // A descriptor of the frame came back to a port. False if none was under way there. A frame
    // already written off stays so, whatever comes: its memory may still be the kernel's.
    bool complete(frame_id frame, lender_id port) noexcept {
        auto& r = record(frame);
        if (r.in_tx == 0 || (r.lender != port && r.lender != several_lenders)) return false;
        --r.in_tx;
        --r.references;
        if (r.in_tx == 0 && r.holder == frame_holder::tx) settle(r, frame);
        return true;
    }
    // The same for a batch of addresses; returns how many were under way. Addresses that are
    // outside the area are not.
    SKEIN_EXPORT std::uint32_t complete(std::span<const std::uint64_t> addresses,
                                        lender_id port) noexcept;

    // --- teardown (cold) -------------------------------------------------------------------------

    // The port's FILL and RX rings are gone: their frames are free again. Returns how many.
    SKEIN_EXPORT std::uint32_t reclaim_rx(lender_id port) noexcept;

    // The port will never complete the `descriptors` it still has under way: their frames are
    // written off, for ever. Where these cannot be told from those under way in another port as
    // well, they are written off together. Returns the frames (may allocate).
    SKEIN_EXPORT std::vector<frame_id> write_off_tx(lender_id port, std::uint32_t descriptors);

    // Recounts everything from the records; true if counts, free list and records agree. For tests
    // and for a look in trouble: touches every frame.
    SKEIN_EXPORT bool audit() const;

    // --- spill blocks of long packets ------------------------------------------------------------

    // Index of an empty block, or segment_block::none.
    std::uint32_t take_block() noexcept {
        const auto index = free_block_;
        if (index != segment_block::none) free_block_ = blocks_[index].next;
        return index;
    }
    void give_block(std::uint32_t index) noexcept {
        blocks_[index].next = free_block_;
        free_block_ = index;
    }
    // Counts them: for tests.
    SKEIN_EXPORT std::uint32_t free_blocks() const noexcept;
    segment_block& block(std::uint32_t index) noexcept { return blocks_[index]; }
    const segment_block& block(std::uint32_t index) const noexcept { return blocks_[index]; }

  private:
    static constexpr std::uint16_t max_references = 0xffff;
    // Descriptors of one frame are under way in more than one port.
    static constexpr lender_id several_lenders = max_lenders;

    struct frame_record {
        std::uint16_t references = 0;
        std::uint16_t in_tx = 0;  // descriptors under way; each holds one of the references
        frame_holder holder = frame_holder::free;
        lender_id lender = 0;
    };

    frame_record& record(frame_id frame) noexcept {
        assert(index_of(frame) < records_.size());
        return records_[index_of(frame)];
    }
    const frame_record& record(frame_id frame) const noexcept {
        assert(index_of(frame) < records_.size());
        return records_[index_of(frame)];
    }

    // Writes off the frames under way under that name; returns with how many descriptors.
    std::uint32_t write_off(lender_id name, std::vector<frame_id>& frames);

    std::uint32_t lent_to_any_rx() const noexcept;

    // The last reference is gone.
    void release(frame_record& r, frame_id frame) noexcept {
        r.holder = frame_holder::free;
        free_[free_count_++] = frame;
    }

    // The last descriptor under way is back.
    void settle(frame_record& r, frame_id frame) noexcept {
        --tx_frames_;
        if (r.references == 0) {
            release(r, frame);
        } else {
            r.holder = frame_holder::application;
        }
    }

    frame_area area_;
    std::vector<frame_record> records_;
    std::vector<frame_id> free_;  // free_[0, free_count_): the most recently freed frame last
    std::uint32_t free_count_ = 0;
    // Counted as frames move; the application has the rest.
    std::uint32_t tx_frames_ = 0;
    std::uint32_t written_off_frames_ = 0;
    std::array<std::uint32_t, max_lenders> rx_lent_{};
    std::vector<segment_block> blocks_;
    std::uint32_t free_block_ = segment_block::none;
    std::uint64_t copied_bytes_ = 0;
};

inline constexpr std::size_t frame_pool::bytes_per_frame =
    sizeof(frame_record) + sizeof(frame_id) + sizeof(segment_block) / 2;
static_assert(frame_pool::bytes_per_frame <= 64);

}  // namespace skein::inline v0
