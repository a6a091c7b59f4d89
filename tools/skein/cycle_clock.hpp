// SPDX-License-Identifier: Apache-2.0
// The cheapest clock there is: cycles of the time stamp counter on x86, nanoseconds elsewhere.
//
// The counter runs at one rate whatever the CPU's own frequency does, so that a "cycle" is a
// length of time. Good for comparing work done right after each other on one CPU, and for no
// more.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace skein::tool {

#if defined(__x86_64__)
inline constexpr std::string_view cycle_unit = "cycles";

// Waits until what stands before it is done.
inline std::uint64_t read_cycles() noexcept {
    _mm_lfence();
    const auto now = __rdtsc();
    _mm_lfence();
    return now;
}
#else
inline constexpr std::string_view cycle_unit = "ns";

inline std::uint64_t read_cycles() noexcept {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}
#endif

}  // namespace skein::tool
