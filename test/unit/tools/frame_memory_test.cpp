// SPDX-License-Identifier: Apache-2.0
#include "frame_memory.hpp"

#include "replay/capture_maker.hpp"
#include "support/catch.hpp"

using namespace skein::test;
using namespace skein::tool;

TEST_CASE("a record lies behind 256 bytes of headroom in each of its frames") {
    const auto chunk = GENERATE(2048u, 4096u);
    frame_memory memory(8, chunk);
    const auto bytes = pattern(2 * (chunk - 256) + 1);
    const auto laid = memory.lay({.timestamp_ns = 7, .original_bytes = 99'999, .bytes = bytes});
    REQUIRE(laid);
    CHECK(laid->segment_count() == 3);
    CHECK(memory.frames_for(bytes.size()) == 3);
    CHECK(memory.pool().free_frames() == 5);
    std::vector<std::uint16_t> lengths;
    for (const auto& piece : *laid) {
        CHECK(piece.offset == 256);
        lengths.push_back(piece.length);
    }
    const auto full = static_cast<std::uint16_t>(chunk - 256);
    CHECK(lengths == std::vector<std::uint16_t>{full, full, 1});
    byte_vector copy(bytes.size());
    CHECK(laid->copy_to(copy) == bytes.size());
    CHECK(copy == bytes);
    CHECK(laid->timestamp_ns == 7);
    CHECK(laid->original_bytes == 99'999);
}

TEST_CASE("a record without bytes takes no frame") {
    frame_memory memory(1, 2048);
    const auto laid = memory.lay({.original_bytes = 60});
    REQUIRE(laid);
    CHECK(laid->empty());
    CHECK(laid->original_bytes == 60);
    CHECK(memory.pool().free_frames() == 1);
    CHECK(memory.frames_for(0) == 0);
}

TEST_CASE("a record that finds too few frames takes none") {
    frame_memory memory(3, 2048);
    const auto bytes = pattern(3 * 1792 + 1);
    CHECK_FALSE(memory.lay({.bytes = bytes}));
    CHECK(memory.pool().free_frames() == 3);
    CHECK(memory.lay({.bytes = std::span(bytes).first(3 * 1792)}));
    CHECK(memory.pool().free_frames() == 3);
    CHECK(memory.pool().audit());
}

TEST_CASE("all frames can sit in one packet") {
    frame_memory memory(4096, 2048);
    const auto bytes = pattern(4096 * 1792);
    const auto laid = memory.lay({.bytes = bytes});
    REQUIRE(laid);
    CHECK(laid->segment_count() == 4096);
}
