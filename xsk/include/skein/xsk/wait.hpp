// SPDX-License-Identifier: Apache-2.0
// What a loop does while its ports have nothing to receive.
//
//     spin      returns almost at once: lowest latency, one whole core. A few pauses between looks
//               keep it from tearing at the cache line that the kernel is writing. Their number
//               matters little: 16, 32 and 64 could not be told apart on veth, two cores,
//               Linux 6.18.
//     adaptive  yields some rounds, then sleeps in poll(): close to spin under load, idle when idle
//     poll      sleeps in poll() at once
//     busy      lets the kernel poll the device from this thread (SO_PREFER_BUSY_POLL, since 5.11);
//               inert where the socket has no NAPI id, as on veth
//
// Measured on veth, two cores shared with the peers: spinning halves the rate there, twenty yields
// before poll() do best; hence `adaptive_yields`.
//
// A sleep is also woken by nothing when frames come back from TX: while something is under way the
// sleep is kept short. Rounds that move nothing although packets are there to be received (the way
// out is blocked: a link down, a full ring) end in such short sleeps, too. Threading: one waiter
// per thread. Errors: the constructor never fails; what busy polling could not get is in notes().
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include <skein/export.hpp>
#include <skein/xsk/port.hpp>

namespace skein::inline v0::xsk {

enum class wait_strategy { spin, adaptive, poll, busy };

struct wait_options {
    wait_strategy strategy = wait_strategy::adaptive;
    std::chrono::milliseconds longest{100};  // of one sleep
    std::uint32_t spin_pauses = 32;
    std::uint32_t adaptive_yields = 20;
    std::uint32_t busy_poll_us = 20;
    std::uint32_t busy_poll_budget = 64;
};

class SKEIN_EXPORT waiter {
  public:
    // The ports must outlive the waiter.
    waiter(wait_options options, std::span<port* const> ports);

    // To be called when a round moved nothing: gives way according to the strategy.
    void idle() noexcept;
    // To be called when a round moved something.
    void worked() noexcept { idle_rounds_ = blocked_rounds_ = 0; }

    const std::vector<std::string>& notes() const noexcept { return notes_; }

  private:
    void sleep() noexcept;
    bool blocked() noexcept;
    void ask_for_busy_polling(const port& p);

    wait_options options_;
    std::vector<port*> ports_;
    std::uint32_t idle_rounds_ = 0;
    std::uint32_t blocked_rounds_ = 0;  // in a row, with packets waiting to be received
    std::vector<std::string> notes_;
};

}  // namespace skein::inline v0::xsk
