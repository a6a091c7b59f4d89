// SPDX-License-Identifier: Apache-2.0
// The time of a replay: the latest timestamp seen. It never goes back.
//
// Timers of stages run by it alone, so that a capture gives the same result whenever and however
// fast it is replayed. A record without a time, or with an earlier one than the clock's (several
// interfaces, a clock that was set), happens at the clock's time; the record keeps its own.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace skein::tool {

class replay_clock {
  public:
    using duration = std::chrono::nanoseconds;

    // The record of this timestamp (since 1970; 0: unknown) happens now: returns the time.
    duration advance(std::uint64_t timestamp_ns) noexcept {
        constexpr auto last = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        const duration at(static_cast<std::int64_t>(std::min(timestamp_ns, last)));
        now_ = std::max(now_, at);
        return now_;
    }

    duration now() const noexcept { return now_; }

  private:
    duration now_{0};
};

}  // namespace skein::tool
