// SPDX-License-Identifier: Apache-2.0
// The writing rule: who may write bytes of a frame, and where a header is copied for it.
#include <utility>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"
#include "support/plain_frames.hpp"

using namespace skein;
using namespace skein::test;

namespace {

// n segments of 10 bytes in frames of their own; byte i of the whole is i & 0xff.
packet long_packet(plain_frames& frames, std::size_t n) {
    packet p(frames.pool);
    for (std::size_t i = 0; i < n; ++i) {
        const auto content = pattern(n * 10, 0);
        const auto part = std::span(content).subspan(i * 10, 10);
        REQUIRE(p.append(frames.piece(part)));
    }
    return p;
}

}  // namespace

TEST_CASE("the sole holder writes in place") {
    plain_frames frames;
    {
        packet p(frames.pool, frames.piece(pattern(60)));
        std::uint64_t copied = 0;
        const auto header = p.make_writable(20, &copied);
        REQUIRE(header.size() == 20);
        CHECK(header.data() == p.head().data());
        CHECK(copied == 0);
    }
    CHECK(frames.all_free());
}

TEST_CASE("a header whose frame is shared or under way is copied, and its twin stays as it was") {
    plain_frames frames;
    {
        packet p(frames.pool, frames.piece(pattern(60)));
        const auto twin = p.share();
        std::uint64_t copied = 0;
        const auto header = p.make_writable(20, &copied, 300);
        REQUIRE(header.size() == 20);
        CHECK(copied == 20);
        CHECK(p.front().offset == 300);
        header[0] = std::byte{0xee};
        CHECK(bytes_in(twin) == pattern(60));
        auto expected = pattern(60);
        expected[0] = std::byte{0xee};
        CHECK(bytes_in(p) == expected);
        CHECK(p.segment_count() == 2);
        // The second time it is the sole holder of its header frame.
        p.make_writable(20, &copied);
        CHECK(copied == 20);
    }
    CHECK(frames.all_free());
}

TEST_CASE("a frame under way in TX is not written, though one segment alone names it") {
    plain_frames frames;
    {
        packet p(frames.pool, frames.piece(pattern(60)));
        const auto frame = p.front().frame;
        auto twin = p.share();
        twin.release_into([&](segment s) { frames.pool.lend_to_tx(s.frame, 0); });
        std::uint64_t copied = 0;
        CHECK(p.make_writable(14, &copied).size() == 14);
        CHECK(copied == 14);
        CHECK(frames.pool.complete(frame, 0));
        CHECK(bytes_in(p) == pattern(60));
    }
    CHECK(frames.all_free());
}

TEST_CASE("a header in pieces is pulled together, over inline segments and blocks") {
    for (const std::uint32_t n : {11u, 25u, 30u, 45u, 100u, 400u}) {
        plain_frames frames(64);
        {
            auto p = long_packet(frames, 40);
            std::uint64_t copied = 0;
            const auto header = p.make_writable(n, &copied);
            REQUIRE(header.size() == n);
            CHECK(copied == n);
            CHECK(p.head().size() == n);
            CHECK(bytes_in(p) == pattern(400, 0));
            CHECK(frames.pool.audit());
        }
        CHECK(frames.all_free());
    }
}

TEST_CASE("where the header cannot be copied the packet is as it was") {
    plain_frames frames(20, 2048, {.segment_blocks = 3});
    auto p = long_packet(frames, 20);
    std::uint64_t copied = 0;
    CHECK(p.make_writable(201, &copied).empty());       // longer than the packet
    CHECK(p.make_writable(15, &copied, 2040).empty());  // beyond the frame
    CHECK(p.make_writable(15, &copied).empty());        // no frame free
    CHECK(copied == 0);
    CHECK(bytes_in(p) == pattern(200, 0));
    CHECK(p.segment_count() == 20);
    p.clear();
    CHECK(frames.all_free());
}

TEST_CASE("a long packet that finds no spare block for its header is as it was") {
    plain_frames frames(40, 2048, {.segment_blocks = 3});
    {
        auto p = long_packet(frames, 24);  // three full blocks
        auto twin = packet(frames.pool, p.front());
        REQUIRE(frames.pool.share(p.front().frame));
        std::uint64_t copied = 0;
        CHECK(p.make_writable(5, &copied).empty());
        CHECK(bytes_in(p) == pattern(240, 0));
        CHECK(copied == 0);
    }
    CHECK(frames.all_free());
}
