// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that shows how far long work has come, once a second. Silent where
// standard error is no terminal. Cheap: the clock is looked at every few thousand calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace skein::tool {

class progress_line {
  public:
    explicit progress_line(std::string unit);
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;
    ~progress_line();  // wipes the line

    void show(std::uint64_t done) {
        if (enabled_ && done % calls_between_looks == 0) show_if_due(done);
    }

  private:
    static constexpr std::uint64_t calls_between_looks = 4096;

    void show_if_due(std::uint64_t done);

    std::string unit_;
    bool enabled_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point last_;
};

}  // namespace skein::tool
