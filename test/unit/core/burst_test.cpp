// SPDX-License-Identifier: Apache-2.0
#include <skein/burst.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"
#include "support/plain_frames.hpp"

using namespace skein;
using namespace skein::test;

namespace {

void push(plain_frames& frames, burst& packets, std::size_t n, std::size_t first = 1) {
    for (std::size_t i = 0; i < n; ++i)
        packets.push_back(packet(frames.pool, frames.piece(pattern(first + i))));
}

}  // namespace

TEST_CASE("a burst holds 64 packets and gives them back when it goes") {
    plain_frames frames(64);
    {
        burst packets;
        CHECK(packets.empty());
        CHECK(packets.room() == 64);
        push(frames, packets, 64);
        CHECK(packets.full());
        CHECK(packets.room() == 0);
        CHECK(frames.pool.free_frames() == 0);
        std::uint32_t expected = 1;
        for (const auto& p : packets)
            CHECK(p.size_bytes() == expected++);
    }
    CHECK(frames.all_free());
}

TEST_CASE("dropping at the front moves the others up and frees the dropped") {
    for (const std::size_t dropped : {0u, 1u, 4u, 5u, 9u, 10u}) {
        plain_frames frames(16);
        burst packets;
        push(frames, packets, 10);
        packets.drop_front(dropped);
        REQUIRE(packets.size() == 10 - dropped);
        for (std::size_t i = 0; i < packets.size(); ++i)
            CHECK(packets[i].size_bytes() == dropped + i + 1);
        CHECK(frames.pool.held_by(frame_holder::application) == 10 - dropped);
        push(frames, packets, dropped, 100);
        packets.clear();
        CHECK(packets.empty());
        CHECK(frames.all_free());
    }
}

TEST_CASE("packets that are not wanted move to the other burst, both in order") {
    plain_frames frames(64);
    burst packets;
    burst others;
    push(frames, packets, 20);
    packets.split_off(others, [](const packet& p) { return p.size_bytes() % 3 != 0; });
    CHECK(others.size() == 6);
    CHECK(packets.size() == 14);
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(others[i].size_bytes() == 3 * (i + 1));
    CHECK(packets[2].size_bytes() == 4);
    packets.clear();
    others.clear();
    CHECK(frames.all_free());
}

TEST_CASE("splitting into a full burst keeps what finds no room") {
    plain_frames frames(128);
    burst packets;
    burst others;
    push(frames, others, 62);
    push(frames, packets, 5);
    packets.split_off(others, [](const packet&) { return false; });
    CHECK(others.full());
    REQUIRE(packets.size() == 3);
    CHECK(packets[0].size_bytes() == 3);
    packets.clear();
    others.clear();
    CHECK(frames.all_free());
}
