// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its kin: a flag that long work looks at, so that it can leave nothing behind.
//
// While a stop_signal exists, SIGINT, SIGTERM and SIGHUP set the flag and interrupt blocking system
// calls (EINTR) instead of ending the process; its destructor puts back what was there. A second
// signal ends the process at once. One at a time.
#pragma once

#include <csignal>

#include <array>

namespace skein::tool {

class stop_signal {
  public:
    stop_signal();
    stop_signal(const stop_signal&) = delete;
    stop_signal& operator=(const stop_signal&) = delete;
    ~stop_signal();

    static bool requested() noexcept;

  private:
    static constexpr std::array signals_{SIGINT, SIGTERM, SIGHUP};

    std::array<struct sigaction, signals_.size()> before_{};
};

// Throws command_failure if a stop was requested.
void check_stop();

}  // namespace skein::tool
