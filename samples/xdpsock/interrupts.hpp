// SPDX-License-Identifier: Apache-2.0
// How often one interrupt fired, on all CPUs together.
#pragma once

#include <cstdint>
#include <string>

namespace xdpsock {

class interrupt_counter {
  public:
    // The first line of /proc/interrupts that has this text in it. Throws usage_error.
    explicit interrupt_counter(const std::string& text);

    std::uint64_t since_start() const { return now() - at_start_; }

  private:
    std::uint64_t now() const;

    std::string counts_file_;
    std::uint64_t at_start_ = 0;
};

}  // namespace xdpsock
