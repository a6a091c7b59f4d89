// SPDX-License-Identifier: Apache-2.0
// Byte streams in memory, for tests of what reads and writes captures.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "byte_stream.hpp"

namespace skein::test {

// Yields at most `piece` bytes a read, as a pipe may.
class memory_input final : public tool::byte_input {
  public:
    explicit memory_input(std::span<const std::byte> bytes, std::size_t piece = ~std::size_t{0})
        : rest_(bytes), piece_(piece) {}

    std::size_t read(std::span<std::byte> into) override {
        const auto n = std::min({rest_.size(), into.size(), piece_});
        std::copy_n(rest_.begin(), n, into.begin());
        rest_ = rest_.subspan(n);
        return n;
    }

  private:
    std::span<const std::byte> rest_;
    std::size_t piece_;
};

class memory_output final : public tool::byte_output {
  public:
    void write(std::span<const std::byte> more) override {
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
    void flush() override { ++flushes; }

    std::vector<std::byte> bytes;
    int flushes = 0;
};

}  // namespace skein::test
