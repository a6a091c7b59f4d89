// SPDX-License-Identifier: Apache-2.0
// Addresses become frames by a multiplication instead of a division: that it always gives what the
// division would, up to the largest area there can be.
#include <skein/frame_area.hpp>

#include <cstdint>

#include "support/catch.hpp"
#include "support/seed.hpp"

using namespace skein;
using namespace skein::test;

namespace {

constexpr std::uint32_t most_frames = 0xffffffff;

std::uint32_t number(random_numbers& random, std::uint32_t low, std::uint32_t high) {
    return static_cast<std::uint32_t>(random.between(low, high));
}

// Both borders of a frame, and an address between.
void check_frame(const frame_area& area, std::uint32_t index, std::uint32_t inside) {
    const auto begin = std::uint64_t{index} * area.stride_bytes();
    REQUIRE(area.address_of(frame_id{index}) == begin);
    REQUIRE(area.frame_at(begin) == frame_id{index});
    REQUIRE(area.frame_at(begin + inside) == frame_id{index});
    REQUIRE(area.frame_at(begin + area.stride_bytes() - 1) == frame_id{index});
    if (index != 0) REQUIRE(area.frame_at(begin - 1) == frame_id{index - 1});
}

}  // namespace

TEST_CASE("every chunk size finds the frame that a division finds, at every border") {
    random_numbers random(announced_seed("area_property_test"));
    for (std::uint32_t chunk = frame_area::min_chunk_bytes; chunk <= frame_area::max_chunk_bytes;
         ++chunk) {
        const frame_area area(nullptr, most_frames, chunk, chunk_layout::unaligned);
        const auto inside = [&] { return number(random, 0, area.stride_bytes() - 1); };
        INFO("chunk " << chunk);
        for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
            check_frame(area, bit - 1, inside());
            check_frame(area, bit, inside());
        }
        check_frame(area, most_frames - 1, inside());
        for (int i = 0; i < 64; ++i)
            check_frame(area, number(random, 0, most_frames - 1), inside());
        REQUIRE_FALSE(area.frame_at(area.size_bytes()));
    }
}

TEST_CASE("a received piece and its address are each other's inverse for every chunk size") {
    random_numbers random(announced_seed("area_property_test"));
    for (std::uint32_t chunk = frame_area::min_chunk_bytes; chunk <= frame_area::max_chunk_bytes;
         ++chunk) {
        const frame_area area(nullptr, most_frames, chunk, chunk_layout::unaligned);
        for (int i = 0; i < 16; ++i) {
            const frame_id frame{number(random, 0, most_frames - 1)};
            const auto offset = number(random, 0, chunk - 1);
            const auto address = area.address_of(frame) | std::uint64_t{offset} << 48;
            const auto piece =
                area.received_at({.address = address, .length = chunk - offset, .options = 0});
            REQUIRE(piece);
            REQUIRE(piece->frame == frame);
            REQUIRE(piece->offset == offset);
            REQUIRE(area.segment_at({.address = area.address_of(*piece),
                                     .length = piece->length,
                                     .options = 0}) == piece);
            REQUIRE_FALSE(
                area.received_at({.address = address, .length = chunk - offset + 1, .options = 0}));
        }
    }
}
