// SPDX-License-Identifier: Apache-2.0
// The TX metadata of a port's packets: checked, written, and the times it brings back.
//
// A frame whose time is awaited has exactly one descriptor under way, as its packet was its sole
// holder: its next completion is the one. Memory: 2 bytes a frame and the times kept, all allocated
// when the port opens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <skein/packet.hpp>
#include <skein/xsk/bind_plan.hpp>
#include <skein/xsk/port_counters.hpp>
#include <skein/xsk/tx_metadata.hpp>

namespace skein::inline v0::xsk {

class tx_metadata_writer {
  public:
    tx_metadata_writer(frame_pool& pool, tx_metadata_result offered, std::size_t most_timestamps);

    // Why a packet may not be sent, with or without a request; empty where it may.
    std::optional<tx_refusal> refuses(const packet& p) const noexcept;

    // Makes the packet the sole holder of its first frame, in at most so many segments; false if
    // that cannot be had.
    bool make_own(packet& p, std::size_t max_segments) noexcept;

    // Writes what the packet asks for. It goes on the ring next.
    void write(const packet& p) noexcept;

    // Keeps the times of the packets behind these completed addresses, before the pool hears of
    // them; returns how many times were lost.
    std::size_t collect(std::span<const std::uint64_t> addresses) noexcept {
        return awaited_ == 0 ? 0 : collect_awaited(addresses);
    }
    // Hands over the oldest; returns how many.
    std::size_t take(std::span<tx_timestamp> to) noexcept;

  private:
    std::optional<tx_refusal> refuses_request(const packet& p) const noexcept;
    std::size_t collect_awaited(std::span<const std::uint64_t> addresses) noexcept;
    bool keep_time_of(frame_id frame, std::uint16_t data_at) noexcept;

    frame_pool* pool_;
    tx_metadata_result offered_;
    std::vector<std::uint16_t> data_at_;  // by frame: where its data begins; 0: no time awaited
    std::size_t awaited_ = 0;
    std::vector<tx_timestamp> times_;  // a ring
    std::size_t first_ = 0;
    std::size_t kept_ = 0;
};

}  // namespace skein::inline v0::xsk
