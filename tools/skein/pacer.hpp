// SPDX-License-Identifier: Apache-2.0
// How many packets may go out by now, at a rate or without one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <skein/burst.hpp>

namespace skein::tool {

class pacer {
  public:
    using clock = std::chrono::steady_clock;

    // rate_pps: packets a second; nothing: as fast as it goes.
    explicit pacer(std::optional<std::uint64_t> rate_pps, clock::time_point start = clock::now())
        : rate_pps_(rate_pps), start_(start) {}

    // One queue's share of a rate that all queues have together; 0: as fast as it goes.
    static pacer share(std::uint64_t rate_pps, std::size_t queue, std::size_t queues) {
        if (rate_pps == 0) return pacer(std::nullopt);
        return pacer(rate_pps / queues + (queue < rate_pps % queues ? 1 : 0));
    }

    // Of which `sent` went out already. The first may go at once.
    std::uint64_t allowed(std::uint64_t sent, clock::time_point now = clock::now()) const {
        if (!rate_pps_) return burst::capacity;
        if (*rate_pps_ == 0) return 0;
        const auto seconds = std::chrono::duration<double>(now - start_).count();
        const auto due = static_cast<std::uint64_t>(seconds * static_cast<double>(*rate_pps_)) + 1;
        return due > sent ? due - sent : 0;
    }
    bool unbounded() const { return !rate_pps_; }

  private:
    std::optional<std::uint64_t> rate_pps_;
    clock::time_point start_;
};

}  // namespace skein::tool
