// SPDX-License-Identifier: Apache-2.0
// --count: how many packets the shards of a command may handle together, to the packet.
//
// A shard claims what it is about to receive or make, and settles how much of it there really was;
// the rest is open to the others again. Threading: any thread. Without a limit it costs nothing.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace skein::tool {

class packet_limit {
  public:
    // 0: no limit.
    explicit packet_limit(std::uint64_t packets)
        : bounded_(packets != 0), unclaimed_(packets), unsettled_(packets) {}

    // How many of the wanted packets may be handled now.
    std::size_t claim(std::size_t wanted) noexcept {
        if (!bounded_) return wanted;
        auto left = unclaimed_.load();
        while (!unclaimed_.compare_exchange_weak(left, left - std::min(left, wanted64(wanted)))) {
        }
        return static_cast<std::size_t>(std::min(left, wanted64(wanted)));
    }

    // Of those claimed, so many were handled.
    void settle(std::size_t claimed, std::size_t handled) noexcept {
        if (!bounded_) return;
        unclaimed_ += claimed - handled;
        unsettled_ -= handled;
    }

    // All packets were handled.
    bool reached() const noexcept { return bounded_ && unsettled_.load() == 0; }

  private:
    static std::uint64_t wanted64(std::size_t wanted) noexcept { return wanted; }

    bool bounded_;
    std::atomic<std::uint64_t> unclaimed_;
    std::atomic<std::uint64_t> unsettled_;
};

}  // namespace skein::tool
