// SPDX-License-Identifier: Apache-2.0
#include <skein/frame_area.hpp>

#include "support/catch.hpp"

using namespace skein;

namespace {

frame_area area(std::uint32_t chunk_bytes) {
    return {nullptr, 4, chunk_bytes};
}

}  // namespace

TEST_CASE("addresses and frames are each other's inverse") {
    for (const std::uint32_t chunk : {2048u, 4096u}) {
        const auto a = area(chunk);
        for (std::uint32_t i = 0; i < 4; ++i) {
            const frame_id frame{i};
            CHECK(a.address_of(frame) == std::uint64_t{i} * chunk);
            CHECK(a.frame_at(a.address_of(frame)) == frame);
            CHECK(a.frame_at(a.address_of(frame) + chunk - 1) == frame);
        }
        CHECK_FALSE(a.frame_at(std::uint64_t{4} * chunk));
        CHECK_FALSE(a.frame_at(~std::uint64_t{0}));
    }
}

TEST_CASE("a descriptor names a piece of one chunk, up to its very end") {
    for (const std::uint32_t chunk : {2048u, 4096u}) {
        const auto a = area(chunk);
        const descriptor d{.address = chunk + 256, .length = chunk - 256, .options = 0};
        const auto piece = a.segment_at(d);
        REQUIRE(piece);
        CHECK(piece->frame == frame_id{1});
        CHECK(piece->offset == 256);
        CHECK(piece->length == chunk - 256);
        CHECK(a.address_of(*piece) == d.address);
        CHECK(a.segment_at({.address = 0, .length = chunk, .options = 0}));
        CHECK(a.segment_at({.address = 4 * chunk - 1, .length = 1, .options = 0}));
    }
}

TEST_CASE("a descriptor that leaves its chunk or the area names nothing") {
    for (const std::uint32_t chunk : {2048u, 4096u}) {
        const auto a = area(chunk);
        const auto names = [&](std::uint64_t address, std::uint32_t length) {
            return a.segment_at({.address = address, .length = length, .options = 0}).has_value();
        };
        CHECK_FALSE(names(0, 0));
        CHECK_FALSE(names(chunk - 1, 0));
        CHECK_FALSE(names(0, chunk + 1));
        CHECK_FALSE(names(256, chunk - 255));
        CHECK_FALSE(names(chunk - 1, 2));
        CHECK_FALSE(names(0, 0xffffffff));
        CHECK_FALSE(names(chunk - 1, 0xffffffff));
        CHECK_FALSE(names(4 * chunk, 60));
        CHECK_FALSE(names(~std::uint64_t{0}, 1));
        CHECK_FALSE(names(std::uint64_t{1} << 32, 60));  // would be frame 0 in 32 bits
    }
}

TEST_CASE("bytes of frames and segments lie where their addresses say") {
    std::byte memory[2 * 2048];
    const frame_area a(memory, 2, 2048);
    CHECK(a.data(frame_id{1}) == memory + 2048);
    CHECK(a.bytes(frame_id{1}).size() == 2048);
    const auto piece = a.bytes(segment{frame_id{1}, 300, 60});
    CHECK(piece.data() == memory + 2348);
    CHECK(piece.size() == 60);
}

TEST_CASE("unaligned chunks of any size begin on cache lines, one behind the other") {
    std::byte memory[3 * 3008];
    const frame_area a(memory, 3, 3000, chunk_layout::unaligned);
    CHECK(a.layout() == chunk_layout::unaligned);
    CHECK(a.stride_bytes() == 3008);
    CHECK(a.size_bytes() == 3 * 3008);
    CHECK(a.address_of(frame_id{2}) == 2 * 3008);
    CHECK(a.data(frame_id{2}) == memory + 2 * 3008);
    CHECK(a.bytes(frame_id{2}).size() == 3000);
    CHECK(a.address_of(segment{frame_id{1}, 300, 60}) == 3308);
    CHECK(frame_area(nullptr, 1, 3072, chunk_layout::unaligned).stride_bytes() == 3072);
    CHECK(frame_area(nullptr, 1, 2049, chunk_layout::unaligned).stride_bytes() == 2112);
}

TEST_CASE("what is received into an unaligned chunk is named by begin and offset") {
    const frame_area a(nullptr, 4, 3000, chunk_layout::unaligned);
    const auto received = [&](std::uint64_t begin, std::uint64_t offset, std::uint32_t length) {
        return a.received_at({.address = begin | offset << 48, .length = length, .options = 0});
    };
    CHECK(received(2 * 3008, 256, 1500) == segment{frame_id{2}, 256, 1500});
    CHECK(received(3 * 3008, 256, 2744) == segment{frame_id{3}, 256, 2744});
    CHECK(received(0, 0, 3000) == segment{frame_id{0}, 0, 3000});
    CHECK_FALSE(received(2 * 3008, 256, 2745));
    CHECK_FALSE(received(2 * 3008, 256, 0));
    CHECK_FALSE(received(2 * 3008, 3000, 1));
    CHECK_FALSE(received(2 * 3008 + 1, 256, 60));  // no begin: never put on FILL
    CHECK_FALSE(received(2 * 3008 + 256, 0, 60));
    CHECK_FALSE(received(4 * 3008, 256, 60));
    CHECK_FALSE(received((std::uint64_t{1} << 47), 256, 60));
    CHECK_FALSE(received(0, 0xffff, 60));
}

TEST_CASE("an offset above an aligned address names nothing") {
    const auto a = area(4096);
    const descriptor d{.address = 4096 | std::uint64_t{256} << 48, .length = 60, .options = 0};
    CHECK_FALSE(a.received_at(d));
    CHECK(a.received_at({.address = 4096 + 256, .length = 60, .options = 0}) ==
          segment{frame_id{1}, 256, 60});
}

// Linux 6.18 keeps a tag in bit 0 of a completed address.
TEST_CASE("an unaligned address finds its frame, also with bit 0 lost") {
    for (std::uint32_t chunk = 2048; chunk <= 4096; ++chunk) {
        const frame_area a(nullptr, 64, chunk, chunk_layout::unaligned);
        for (const std::uint32_t i : {0u, 1u, 31u, 63u}) {
            const auto begin = a.address_of(frame_id{i});
            for (const std::uint32_t offset : {0u, 1u, 256u, chunk - 1}) {
                REQUIRE(a.frame_at(begin + offset) == frame_id{i});
                REQUIRE(a.frame_at((begin + offset) & ~std::uint64_t{1}) == frame_id{i});
            }
        }
        REQUIRE_FALSE(a.frame_at(a.size_bytes()));
    }
}
