// SPDX-License-Identifier: Apache-2.0
#include "progress_line.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "standard_output.hpp"

namespace skein::tool {

progress_line::progress_line(std::string unit)
    : unit_(std::move(unit)),
      enabled_(::isatty(STDERR_FILENO) != 0),
      last_(std::chrono::steady_clock::now()) {}

progress_line::~progress_line() {
    if (shown_) print_error("\r\x1b[K");
}

void progress_line::show_if_due(std::uint64_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(1)) return;
    last_ = now;
    shown_ = true;
    print_error(fmt::format("\r{} {}\x1b[K", done, unit_));
}

}  // namespace skein::tool
