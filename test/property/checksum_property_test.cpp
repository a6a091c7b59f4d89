// SPDX-License-Identifier: Apache-2.0
// The Internet checksum against the plainest code that computes it.
#include <skein/checksum.hpp>

#include <array>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"
#include "support/seed.hpp"
#include "support/split_source.hpp"

using namespace skein;
using namespace skein::test;

namespace {

// Word by word, carries added as they come (RFC 1071 §4.1).
std::uint16_t plain_sum(std::span<const std::byte> data) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        sum += std::to_integer<std::uint32_t>(data[i]) << (i % 2 == 0 ? 8 : 0);
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<std::uint16_t>(sum);
}

// Random bytes, sometimes all zero or all one, because those are the special cases.
bytes random_bytes(random_numbers& random, std::size_t size) {
    bytes data(size);
    const bool same = random.one_in(8);
    const std::byte fill = random.one_in(2) ? std::byte{0} : std::byte{0xff};
    for (std::byte& byte : data)
        byte = same ? fill : random.byte();
    return data;
}

constexpr std::array<std::uint16_t, 4> special_words{0, 0xffff, 1, 0x8000};

// Two checksums are the same one if they differ in the sign of zero alone.
bool same_in_ones_complement(std::uint16_t a, std::uint16_t b) {
    return a % 0xffff == b % 0xffff;
}

}  // namespace

TEST_CASE("sum_bytes is the plain sum at every length and alignment") {
    random_numbers random(announced_seed("sum_bytes"));
    for (int round = 0; round < 3000; ++round) {
        const std::size_t shift = random.between(0, 15);
        const bytes data = random_bytes(random, shift + random.between(0, 2000));
        const auto area = std::span(data).subspan(shift);
        REQUIRE(sum_bytes(area) == plain_sum(area));
    }
}

TEST_CASE("any split of the data sums as the whole") {
    random_numbers random(announced_seed("splits"));
    for (int round = 0; round < 3000; ++round) {
        const bytes data = random_bytes(random, random.between(0, 3000));
        const split_source pieces(data, random_cuts(random, data.size(), 12));
        internet_sum added;
        internet_sum appended;
        for (const auto& piece : pieces.pieces()) {
            added.add(piece);
            appended.append(internet_sum(piece));
        }
        REQUIRE(added.fold() == plain_sum(data));
        REQUIRE(appended.fold() == added.fold());
        REQUIRE(added.ends_odd() == (data.size() % 2 != 0));
    }
}

TEST_CASE("combining sums does not depend on how they are grouped") {
    random_numbers random(announced_seed("grouping"));
    for (int round = 0; round < 2000; ++round) {
        const internet_sum a(random_bytes(random, random.between(0, 50)));
        const internet_sum b(random_bytes(random, random.between(0, 50)));
        const internet_sum c(random_bytes(random, random.between(0, 50)));
        internet_sum left = a;
        left.append(b);
        left.append(c);
        internet_sum tail = b;
        tail.append(c);
        internet_sum right = a;
        right.append(tail);
        REQUIRE(left.fold() == right.fold());
    }
}

TEST_CASE("data with its checksum is valid, and a changed bit makes it invalid") {
    random_numbers random(announced_seed("validity"));
    for (int round = 0; round < 2000; ++round) {
        bytes data = random_bytes(random, 2 * random.between(2, 400));
        store_be(data.data(), std::uint16_t{0});
        store_be(data.data(), internet_sum(data).finish());
        REQUIRE(internet_sum(data).is_valid());
        const std::size_t at = random.between(0, data.size() - 1);
        data[at] ^= static_cast<std::byte>(1u << random.between(0, 7));
        REQUIRE_FALSE(internet_sum(data).is_valid());
    }
}

TEST_CASE("RFC 1624 agrees with a full sum for every old checksum and the special words") {
    // Three words, the second replaced: the third is chosen so that the checksum is the wanted one.
    std::size_t wrong = 0;
    for (const std::uint16_t old_word : special_words)
        for (const std::uint16_t new_word : special_words)
            for (std::uint32_t wanted = 0; wanted <= 0xffff; ++wanted) {
                const auto balance = fold_sum(std::uint64_t{0xffff - wanted} +
                                              static_cast<std::uint16_t>(~old_word));
                internet_sum before;
                before.add_word(old_word);
                before.add_word(balance);
                internet_sum after;
                after.add_word(new_word);
                after.add_word(balance);
                const std::uint16_t updated = update_checksum(before.finish(), old_word, new_word);
                wrong +=
                    !same_in_ones_complement(before.finish(), static_cast<std::uint16_t>(wanted));
                wrong += !same_in_ones_complement(updated, after.finish());
            }
    CHECK(wrong == 0);
}

TEST_CASE("RFC 1624's update gives exactly the full sum over data that hold a word not zero") {
    // With another word not zero a full sum never folds to 0, so both signs of zero agree too.
    std::size_t wrong = 0;
    for (const std::uint16_t old_word : special_words)
        for (const std::uint16_t new_word : special_words)
            for (std::uint32_t other = 1; other <= 0xffff; ++other) {
                internet_sum before;
                before.add_word(old_word);
                before.add_word(static_cast<std::uint16_t>(other));
                internet_sum after;
                after.add_word(new_word);
                after.add_word(static_cast<std::uint16_t>(other));
                wrong += update_checksum(before.finish(), old_word, new_word) != after.finish();
            }
    CHECK(wrong == 0);
}

TEST_CASE("an update keeps random data valid, zero and all-one words included") {
    // Somewhere beside the changed words stands one that is not 0, as in every real packet.
    random_numbers random(announced_seed("updates"));
    for (int round = 0; round < 5000; ++round) {
        bytes data = random_bytes(random, 2 * random.between(4, 40));
        store_be(data.data(), std::uint16_t{0});
        data.back() |= std::byte{1};
        const std::uint16_t checksum = internet_sum(data).finish();
        const std::size_t at = 2 * random.between(1, data.size() / 2 - 3);
        const auto old_word = load_be<std::uint32_t>(&data[at]);
        const std::uint32_t new_word = random.one_in(4) ? 0
                                       : random.one_in(4)
                                           ? 0xffffffff
                                           : static_cast<std::uint32_t>(random.bits());
        store_be(&data[at], new_word);
        store_be(data.data(), update_checksum32(checksum, old_word, new_word));
        REQUIRE(internet_sum(data).is_valid());
    }
}
