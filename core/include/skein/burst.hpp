// SPDX-License-Identifier: Apache-2.0
// A burst: up to 64 packets that travel together.
//
// Everything on the data path moves bursts, so that rings are touched once per batch. A burst owns
// its packets; clearing or destroying it gives their frames back. It never allocates. Reuse one
// burst for many rounds.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include <skein/packet.hpp>

namespace skein::inline v0 {

class burst {
  public:
    static constexpr std::size_t capacity = 64;

    burst() noexcept = default;
    burst(const burst&) = delete;
    burst& operator=(const burst&) = delete;

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    bool full() const noexcept { return size_ == capacity; }
    std::size_t room() const noexcept { return capacity - size_; }

    packet& operator[](std::size_t i) noexcept {
        assert(i < size_);
        return packets_[i];
    }
    const packet& operator[](std::size_t i) const noexcept {
        assert(i < size_);
        return packets_[i];
    }
    packet* begin() noexcept { return packets_.data(); }
    packet* end() noexcept { return packets_.data() + size_; }
    const packet* begin() const noexcept { return packets_.data(); }
    const packet* end() const noexcept { return packets_.data() + size_; }

    // The burst must not be full.
    packet& push_back(packet&& p) noexcept {
        assert(!full());
        packets_[size_] = std::move(p);
        return packets_[size_++];
    }

    // The same for a packet of one segment, made in its place.
    packet& emplace_back(frame_pool& pool, segment only) noexcept {
        assert(!full());
        packets_[size_].assign(pool, only);
        return packets_[size_++];
    }

    // Drops the first n packets, moving the others up.
    void drop_front(std::size_t n) noexcept {
        assert(n <= size_);
        if (n == 0) return;
        for (std::size_t i = n; i < size_; ++i)
            packets_[i - n] = std::move(packets_[i]);
        for (std::size_t i = size_ - n; i < size_; ++i)
            packets_[i].clear();
        size_ -= n;
    }

    void clear() noexcept {
        for (auto& p : *this)
            p.clear();
        size_ = 0;
    }

    // Moves the packets for which `wanted` is false to the end of `others` while it has room, and
    // keeps the rest in order.
    template <class Predicate>
    void split_off(burst& others, Predicate&& wanted) noexcept {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            if (others.full() || wanted(std::as_const(packets_[i]))) {
                if (kept != i) packets_[kept] = std::move(packets_[i]);
                ++kept;
            } else {
                others.push_back(std::move(packets_[i]));
            }
        }
        size_ = kept;
    }

  private:
    std::array<packet, capacity> packets_;
    std::size_t size_ = 0;
};

}  // namespace skein::inline v0
