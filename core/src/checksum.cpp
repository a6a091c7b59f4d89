// SPDX-License-Identifier: Apache-2.0
// The one routine that reads bytes for an Internet checksum.
//
// 64-bit words are split into halves that are added to 64-bit sums, so nothing is carried until the
// end: four independent sums, 32 bytes a turn, which compilers turn into vector code of the
// baseline instruction set. Measured on a Xeon virtual machine with g++ 12 and clang 14, -O2:
// 45 bytes/ns from 256 bytes on; the form with explicit carries 18 bytes/ns under g++ -O2.
// A half is below 2^32, so a sum holds 2^32 of them: far more than a packet has.
#include <skein/checksum.hpp>

#include <array>
#include <cstring>

namespace skein::inline v0 {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t words_a_turn = 4;
constexpr std::size_t turn_bytes = words_a_turn * word_bytes;

std::uint64_t word_at(const std::byte* bytes) noexcept {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

std::uint64_t halves(std::uint64_t word) noexcept {
    return (word & 0xffffffff) + (word >> 32);
}

// The last 1 to 7 bytes, zeros behind them.
std::uint64_t tail_halves(const std::byte* bytes, std::size_t size) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    return halves(word);
}

std::uint16_t host_word(std::uint16_t native) noexcept {
    return detail::big_or_host(native);
}

}  // namespace

std::uint16_t sum_bytes(std::span<const std::byte> bytes) noexcept {
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    std::array<std::uint64_t, words_a_turn> sums{};
    for (; left >= turn_bytes; left -= turn_bytes, at += turn_bytes)
        for (std::size_t i = 0; i < words_a_turn; ++i)
            sums[i] += halves(word_at(at + i * word_bytes));
    std::uint64_t sum = sums[0] + sums[1] + sums[2] + sums[3];
    for (; left >= word_bytes; left -= word_bytes, at += word_bytes)
        sum += halves(word_at(at));
    if (left != 0) sum += tail_halves(at, left);
    return host_word(fold_sum(sum));
}

}  // namespace skein::inline v0
