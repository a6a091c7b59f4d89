// SPDX-License-Identifier: Apache-2.0
// A counter that one thread advances and any thread may read.
//
// The data path adds with a plain load and store (no locked instruction); a reader sees some recent
// value. Threading: one writer, any number of readers.
#pragma once

#include <atomic>
#include <cstdint>

namespace skein::inline v0 {

class counter {
  public:
    counter() = default;
    counter(const counter& other) noexcept : value_(other.value()) {}
    counter& operator=(const counter& other) noexcept {
        value_.store(other.value(), std::memory_order_relaxed);
        return *this;
    }

    void add(std::uint64_t n) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    counter& operator++() noexcept {
        add(1);
        return *this;
    }
    counter& operator+=(std::uint64_t n) noexcept {
        add(n);
        return *this;
    }

    std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_{0};
};

}  // namespace skein::inline v0
