// SPDX-License-Identifier: Apache-2.0
// From RX descriptors to packets.
//
//     descriptors:  [A0 +][A1 +][A2] [B] [C0 +] | [C1] [D] …        + = goes on in the next one
//     packets:       A = 3 segments   B   ········· C           D
//                                                ^ end of one batch: C is carried over
//
// A packet is one or more descriptors, all but the last marked "continues" (XDP_PKT_CONTD). The
// kernel publishes whole packets, but a batch read from the ring may end inside one: the assembler
// keeps the half and goes on with the next batch.
//
// Every descriptor is checked before its frame is believed: an address outside the area, a length
// of 0 or beyond the chunk, a frame that was not lent to RX. A packet with a bad descriptor, or one
// that is too long, is dropped whole, up to and including its last descriptor, and counted by
// reason; the frames of its good descriptors go back to the pool.
//
// Threading: the pool's thread; counters may be read from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <skein/burst.hpp>
#include <skein/counter.hpp>
#include <skein/descriptor.hpp>
#include <skein/export.hpp>
#include <skein/frame_pool.hpp>

namespace skein::inline v0 {

// Why a received packet was dropped by skein.
enum class rx_drop : std::uint8_t {
    bad_descriptor,   // address or length outside its chunk
    frame_not_ours,   // the frame was not lent to this port's RX side
    too_many_pieces,  // more segments than the limit, or no block for them
};
inline constexpr std::size_t rx_drop_count = 3;
SKEIN_EXPORT std::string_view to_string(rx_drop reason) noexcept;

struct rx_counters {
    counter packets;
    counter bytes;
    std::array<counter, rx_drop_count> dropped;  // packets, by rx_drop

    counter& drops(rx_drop reason) noexcept { return dropped[static_cast<std::size_t>(reason)]; }
};

class rx_assembler {
  public:
    struct options {
        lender_id port = 0;
        // The kernel's own limit is 1 + 17 pieces in copy mode; a super packet of 64 KiB in frames
        // of 2048 bytes has 37. Longer packets are dropped.
        std::size_t max_segments = 64;
        // The port's XDP program writes metadata in front of each packet (see rx_metadata.hpp).
        bool metadata = false;
    };

    rx_assembler(frame_pool& pool, options how) noexcept
        : pool_(&pool), options_(how), half_(pool) {}

    // Turns descriptors into packets appended to `out` until either runs out; returns how many
    // descriptors were consumed.
    std::size_t assemble(std::span<const descriptor> in, burst& out) noexcept {
        std::size_t used = 0;
        std::uint64_t bytes = 0;
        const auto before = out.size();
        const auto area = pool_->area();
        for (; used < in.size() && !out.full(); ++used) {
            const auto& d = in[used];
            const auto piece = area.received_at(d);
            const bool whole =
                (d.options & descriptor_continues) == 0 && half_.empty() && !dropping_;
            if (whole && piece && pool_->receive(piece->frame, options_.port)) [[likely]] {
                auto& p = out.emplace_back(*pool_, *piece);
                if (options_.metadata) p.mark_metadata();
                bytes += piece->length;
            } else {
                bytes += assemble_slowly(d, piece, whole, out);
            }
        }
        if (out.size() != before) {
            counters_.packets += out.size() - before;
            counters_.bytes += bytes;
        }
        return used;
    }

    // Frames of a packet that is only half received.
    std::size_t carried_segments() const noexcept { return half_.segment_count(); }

    // Gives the half packet back, if there is one: its rest will never come.
    SKEIN_EXPORT void abandon() noexcept;

    std::size_t max_segments() const noexcept { return options_.max_segments; }
    const rx_counters& counters() const noexcept { return counters_; }

  private:
    SKEIN_EXPORT std::uint64_t assemble_slowly(const descriptor& d, std::optional<segment> piece,
                                               bool refused, burst& out) noexcept;
    void drop_packet(rx_drop reason) noexcept;

    frame_pool* pool_;
    options options_;
    packet half_;            // the packet whose last descriptor has not come yet
    bool dropping_ = false;  // skip up to the end of the current packet
    rx_counters counters_;
};

}  // namespace skein::inline v0
