// SPDX-License-Identifier: Apache-2.0
#include <skein/packet.hpp>

#include "support/catch.hpp"
#include "support/plain_frames.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("a packet asks for nothing until it is told to") {
    const packet p;
    CHECK_FALSE(p.has_request());
    CHECK(p.request() == tx_request{});
}

TEST_CASE("requests add up, and can be dropped together") {
    plain_frames frames(4);
    packet p(frames.pool);
    p.request_checksum(34, 6);
    p.request_timestamp();
    p.request_launch(12345);
    const auto wanted = p.request();
    CHECK(wanted.asks_for(tx_request::wants_checksum));
    CHECK(wanted.asks_for(tx_request::wants_timestamp));
    CHECK(wanted.asks_for(tx_request::wants_launch));
    CHECK(wanted.checksum_end() == 42);
    CHECK(p.timestamp_ns == 12345);
    p.mark_metadata();
    CHECK(p.request() == wanted);  // the mark is none
    p.drop_request();
    CHECK_FALSE(p.has_request());
    CHECK(p.has_metadata());
}

TEST_CASE("a mark is no request, and a request goes along with a packet and ends with it") {
    plain_frames frames(4);
    frame_id frame{};
    REQUIRE(frames.pool.take({&frame, 1}) == 1);
    packet p(frames.pool, {frame, 256, 100});
    p.mark_metadata();
    CHECK_FALSE(p.has_request());
    p.request_timestamp();
    auto twin = p.share();
    CHECK(twin.has_request());
    packet moved = std::move(p);
    CHECK(moved.has_request());
    CHECK_FALSE(p.has_request());
    moved.clear();
    CHECK_FALSE(moved.has_request());
    CHECK_FALSE(moved.has_metadata());
}

TEST_CASE("a checksum's end is past 16 bits without wrapping") {
    const tx_request far{
        .wants = tx_request::wants_checksum, .checksum_offset = 255, .checksum_start = 0xffff};
    CHECK(far.checksum_end() == 0xffffu + 257u);
}
