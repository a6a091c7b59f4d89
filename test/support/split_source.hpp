// SPDX-License-Identifier: Apache-2.0
// A byte source whose bytes lie in pieces, each an allocation of its own size, so that a sanitizer
// sees every read beyond one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "support/seed.hpp"

namespace skein::test {

class split_source {
  public:
    // Cuts the bytes at the given offsets, which ascend.
    split_source(std::span<const std::byte> bytes, std::span<const std::size_t> cuts);

    const std::byte* peek(std::size_t offset, std::size_t n, std::byte* scratch) const noexcept;
    std::size_t size() const noexcept { return size_; }

    const std::vector<std::vector<std::byte>>& pieces() const noexcept { return pieces_; }

  private:
    std::vector<std::vector<std::byte>> pieces_;
    std::size_t size_;
};

// Up to max_cuts offsets in ascending order, each at most size; equal ones give an empty piece.
std::vector<std::size_t> random_cuts(random_numbers& random, std::size_t size,
                                     std::size_t max_cuts);

}  // namespace skein::test
