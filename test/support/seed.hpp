// SPDX-License-Identifier: Apache-2.0
// Random numbers of a test: the seed is printed, and SKEIN_SEED in the environment repeats it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace skein::test {

// Prints the seed in the form in which it is accepted: SKEIN_SEED=123.
inline std::uint64_t announced_seed(const char* test) {
    const char* given = std::getenv("SKEIN_SEED");
    const std::uint64_t seed =
        given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
    std::printf("%s: SKEIN_SEED=%llu\n", test, static_cast<unsigned long long>(seed));
    std::fflush(stdout);
    return seed;
}

class random_numbers {
  public:
    explicit random_numbers(std::uint64_t seed) : engine_(seed) {}

    // Between low and high, both included.
    std::size_t between(std::size_t low, std::size_t high) {
        return std::uniform_int_distribution<std::size_t>(low, high)(engine_);
    }
    std::uint64_t bits() { return engine_(); }
    std::byte byte() { return static_cast<std::byte>(engine_() & 0xff); }
    bool one_in(std::size_t n) { return between(1, n) == 1; }

  private:
    std::mt19937_64 engine_;
};

}  // namespace skein::test
