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
