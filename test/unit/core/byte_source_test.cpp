// SPDX-License-Identifier: Apache-2.0
#include <skein/byte_source.hpp>

#include <array>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"
#include "support/split_source.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("a contiguous source points into its bytes and copies nothing") {
    const bytes data = pattern(10);
    const contiguous_source source(data);
    std::array<std::byte, 10> scratch{};
    CHECK(source.size() == 10);
    CHECK(source.peek(0, 10, scratch.data()) == data.data());
    CHECK(source.peek(3, 7, scratch.data()) == data.data() + 3);
    CHECK(source.peek(10, 0, scratch.data()) == data.data() + 10);
}

TEST_CASE("a source gives nothing where one byte is missing") {
    const bytes data = pattern(10);
    const contiguous_source source(data);
    std::array<std::byte, 16> scratch{};
    CHECK(source.peek(0, 11, scratch.data()) == nullptr);
    CHECK(source.peek(3, 8, scratch.data()) == nullptr);
    CHECK(source.peek(11, 0, scratch.data()) == nullptr);
    CHECK(source.peek(static_cast<std::size_t>(-1), 2, scratch.data()) == nullptr);
    CHECK(source.peek(2, static_cast<std::size_t>(-1), scratch.data()) == nullptr);
}

TEST_CASE("a split source copies only what does not lie in one piece") {
    const bytes data = pattern(10);
    const std::array<std::size_t, 2> cuts{4, 6};
    const split_source source(data, cuts);
    std::array<std::byte, 10> scratch{};
    CHECK(source.peek(0, 4, scratch.data()) == source.pieces()[0].data());
    CHECK(source.peek(3, 4, scratch.data()) == scratch.data());
    CHECK(std::equal(scratch.begin(), scratch.begin() + 4, data.begin() + 3));
    CHECK(source.peek(7, 4, scratch.data()) == nullptr);
}

TEST_CASE("a sub source is a window and cannot see beyond it") {
    const bytes data = pattern(10);
    const contiguous_source whole(data);
    const sub_source window(whole, 2, 5);
    CHECK(window.size() == 5);
    CHECK(window.peek(0, 5, nullptr) == data.data() + 2);
    CHECK(window.peek(0, 6, nullptr) == nullptr);
    CHECK(window.peek(6, 0, nullptr) == nullptr);
    CHECK(sub_source(whole, 8, 100).size() == 2);
    CHECK(sub_source(whole, 11, 5).size() == 0);
}
