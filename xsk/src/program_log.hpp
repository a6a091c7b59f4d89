// SPDX-License-Identifier: Apache-2.0
// What libbpf and libxdp say while an object of this class lives, kept instead of printed.
//
// Both libraries report through one callback for the whole process. It is ours only as long as some
// capture lives; what other threads have to say meanwhile goes to the callback that was there
// before. Captures may live on several threads at once, and nest on one.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace skein::inline v0::xsk {

class log_capture {
  public:
    log_capture();
    ~log_capture();
    log_capture(const log_capture&) = delete;
    log_capture& operator=(const log_capture&) = delete;

    // The last lines said, oldest first, one a line; empty where nothing was.
    std::string text() const;

    // Called by the callbacks, on this object's thread.
    void add(const std::string& message);

  private:
    static constexpr std::size_t kept_lines = 12;

    std::deque<std::string> lines_;
    log_capture* outer_;
};

}  // namespace skein::inline v0::xsk
