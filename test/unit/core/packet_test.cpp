// SPDX-License-Identifier: Apache-2.0
// Packets of one segment and of hundreds: order, bytes, references, the writing rule.
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

std::vector<segment> segments_of(const packet& p) {
    return {p.begin(), p.end()};
}

}  // namespace

TEST_CASE("a packet of one segment is its bytes and one frame") {
    plain_frames frames;
    {
        const auto content = pattern(60);
        const packet p(frames.pool, frames.piece(content));
        CHECK(p.size_bytes() == 60);
        CHECK(p.segment_count() == 1);
        CHECK(p.truesize_bytes() == 2048);
        CHECK(bytes_in(p) == content);
        CHECK(p.head().size() == 60);
        CHECK(frames.pool.free_frames() == 15);
    }
    CHECK(frames.all_free());
}

TEST_CASE("an empty packet is empty and costs nothing") {
    plain_frames frames;
    packet p;
    CHECK(p.empty());
    CHECK(p.begin() == p.end());
    CHECK(p.head().empty());
    CHECK(p.truesize_bytes() == 0);
    std::byte scratch{};
    CHECK(p.peek(0, 1, &scratch) == nullptr);
    p.clear();
    p = packet(frames.pool);
    CHECK(p.make_writable(1, nullptr).empty());
    CHECK(p.share().empty());
}

TEST_CASE("segments keep their order, from three inline ones to hundreds in blocks") {
    for (const std::size_t n : {1u, 2u, 3u, 4u, 9u, 10u, 11u, 17u, 18u, 362u, 400u}) {
        plain_frames frames(512);
        {
            const auto p = long_packet(frames, n);
            CHECK(p.segment_count() == n);
            CHECK(p.size_bytes() == n * 10);
            CHECK(p.truesize_bytes() == n * 2048);
            CHECK(segments_of(p).size() == n);
            CHECK(bytes_in(p) == pattern(n * 10, 0));
        }
        CHECK(frames.all_free());
    }
}

TEST_CASE("prepending puts segments in front, inline and across blocks") {
    plain_frames frames(64);
    {
        packet p(frames.pool);
        const auto content = pattern(400, 0);
        for (std::size_t i = 40; i > 0; --i) {
            REQUIRE(p.prepend(frames.piece(std::span(content).subspan((i - 1) * 10, 10))));
            REQUIRE(segments_of(p).size() == 41 - i);
        }
        CHECK(bytes_in(p) == content);
        CHECK(p.truesize_bytes() == 40 * 2048);
    }
    CHECK(frames.all_free());
}

TEST_CASE("bytes dropped at the front take their segments' frames with them") {
    for (const std::uint32_t drop : {0u, 1u, 10u, 29u, 30u, 31u, 99u, 100u, 105u, 399u, 400u}) {
        plain_frames frames(64);
        {
            auto p = long_packet(frames, 40);
            p.drop_front(drop);
            const auto whole = pattern(400, 0);
            CHECK(p.size_bytes() == 400 - drop);
            CHECK(bytes_in(p) == bytes(whole.begin() + drop, whole.end()));
            CHECK(p.segment_count() == 40 - drop / 10);
            CHECK(p.truesize_bytes() == (40 - drop / 10) * 2048u);
            CHECK(frames.pool.held_by(frame_holder::application) == 40 - drop / 10);
        }
        CHECK(frames.all_free());
    }
}

TEST_CASE("bytes dropped at the back take their segments' frames with them") {
    for (const std::uint32_t drop : {0u, 1u, 10u, 29u, 30u, 31u, 99u, 100u, 105u, 399u, 400u}) {
        plain_frames frames(64);
        {
            auto p = long_packet(frames, 40);
            p.drop_back(drop);
            const auto whole = pattern(400, 0);
            CHECK(bytes_in(p) == bytes(whole.begin(), whole.end() - drop));
            CHECK(p.segment_count() == 40 - drop / 10);
            CHECK(p.truesize_bytes() == (40 - drop / 10) * 2048u);
            REQUIRE(p.append(frames.piece(pattern(5))));  // and it can grow again
            CHECK(p.size_bytes() == 405 - drop);
        }
        CHECK(frames.all_free());
    }
}

TEST_CASE("neighbouring segments in one frame pin it once") {
    plain_frames frames;
    {
        packet p(frames.pool);
        const auto shared = frames.take();
        REQUIRE(frames.pool.share(shared));
        REQUIRE(p.append({shared, 0, 100}));
        REQUIRE(p.append({shared, 100, 100}));
        CHECK(p.truesize_bytes() == 2048);
        REQUIRE(p.append(frames.piece(pattern(10))));
        CHECK(p.truesize_bytes() == 4096);
        p.drop_front(100);
        CHECK(p.truesize_bytes() == 4096);
        p.drop_front(100);
        CHECK(p.truesize_bytes() == 2048);
    }
    CHECK(frames.all_free());
}

TEST_CASE("peek gives bytes in place where they lie together, else a copy, else nothing") {
    plain_frames frames(64);
    {
        const auto p = long_packet(frames, 40);
        const auto whole = pattern(400, 0);
        std::byte scratch[400];
        for (std::size_t offset = 0; offset <= 400; ++offset) {
            for (const std::size_t n : {0u, 1u, 9u, 10u, 11u, 45u, 200u}) {
                const auto* found = p.peek(offset, n, scratch);
                if (offset + n > 400) {
                    REQUIRE(found == nullptr);
                    continue;
                }
                REQUIRE(found != nullptr);
                REQUIRE(std::equal(found, found + n, whole.begin() + std::ptrdiff_t(offset)));
                const bool together = n != 0 && offset / 10 == (offset + n - 1) / 10;
                if (n != 0) REQUIRE((found != scratch) == together);
            }
        }
    }
    CHECK(frames.all_free());
}

TEST_CASE("an offset or length from a hostile header never reaches outside the packet") {
    plain_frames frames;
    {
        const packet p(frames.pool, frames.piece(pattern(60)));
        std::byte scratch[64];
        const auto huge = ~std::size_t{0};
        CHECK(p.peek(huge, 2, scratch) == nullptr);
        CHECK(p.peek(2, huge, scratch) == nullptr);
        CHECK(p.peek(huge, huge, scratch) == nullptr);
        CHECK(p.peek(60, 1, scratch) == nullptr);
        CHECK(p.peek(59, 2, scratch) == nullptr);
        CHECK(p.peek(59, 1, scratch) != nullptr);
        CHECK(p.copy_to(scratch, huge) == 0);
    }
    CHECK(frames.all_free());
}

TEST_CASE("a moved-from packet holds nothing, and assignment gives back what was held") {
    plain_frames frames;
    {
        packet a(frames.pool, frames.piece(pattern(60, 1)));
        packet b(frames.pool, frames.piece(pattern(60, 2)));
        b = std::move(a);
        CHECK(a.empty());
        CHECK(a.truesize_bytes() == 0);
        CHECK(bytes_in(b) == pattern(60, 1));
        CHECK(frames.pool.held_by(frame_holder::application) == 1);
        auto& same = b;
        b = std::move(same);
        CHECK(bytes_in(b) == pattern(60, 1));
        packet c(std::move(b));
        CHECK(b.empty());
        CHECK(c.size_bytes() == 60);
    }
    CHECK(frames.all_free());
}

TEST_CASE("moving a long packet moves its blocks") {
    plain_frames frames(64);
    {
        auto a = long_packet(frames, 40);
        auto b = long_packet(frames, 20);
        b = std::move(a);
        CHECK(b.segment_count() == 40);
        CHECK(bytes_in(b) == pattern(400, 0));
        REQUIRE(a.append(frames.piece(pattern(3))));  // reusable
    }
    CHECK(frames.all_free());
}

TEST_CASE("a cleared packet knows nothing of the one before") {
    plain_frames frames;
    packet p(frames.pool, frames.piece(pattern(60)));
    p.original_bytes = 1500;
    p.timestamp_ns = 7;
    CHECK(p.snapped());
    auto q = std::move(p);
    CHECK(q.snapped());
    CHECK(q.timestamp_ns == 7);
    q.clear();
    CHECK(q.empty());
    CHECK_FALSE(q.snapped());
    CHECK(q.timestamp_ns == 0);
    CHECK(frames.all_free());
}

TEST_CASE("twins name the same frames, which are free when both are gone") {
    plain_frames frames(64);
    {
        const auto p = long_packet(frames, 20);
        const auto free_before = frames.pool.free_frames();
        const auto twin = p.share();
        CHECK(frames.pool.free_frames() == free_before);
        CHECK(segments_of(twin) == segments_of(p));
        CHECK(bytes_in(twin) == bytes_in(p));
    }
    CHECK(frames.all_free());
}

TEST_CASE("a twin that finds no block for its segments is empty, and takes nothing") {
    plain_frames frames(64, 2048, {.segment_blocks = 3});
    {
        const auto p = long_packet(frames, 17);  // two blocks
        const auto twin = p.share();
        CHECK(twin.empty());
        for (const auto& piece : p)
            CHECK(frames.pool.references(piece.frame) == 1);
    }
    CHECK(frames.all_free());
}

TEST_CASE("appending without a free block fails and takes nothing") {
    plain_frames frames(64, 2048, {.segment_blocks = 1});
    {
        auto p = long_packet(frames, 10);
        const auto piece = frames.piece(pattern(5));
        CHECK_FALSE(p.append(piece));
        const packet owner(frames.pool, piece);  // still ours: to be given back
        CHECK(p.size_bytes() == 100);
        CHECK(bytes_in(p) == pattern(100, 0));
    }
    CHECK(frames.all_free());
}

TEST_CASE("a packet ends at 65535 segments, and is as it was after that") {
    plain_frames frames(4, 2048, {.segment_blocks = 9400});
    {
        packet p(frames.pool);
        const auto frame = frames.take();
        REQUIRE(p.append({frame, 0, 10}));
        for (std::size_t i = 1; i < packet::max_segments; ++i) {
            REQUIRE(frames.pool.share(frame));
            REQUIRE(p.append({frame, 0, 10}));
        }
        const auto one_more = frames.piece(pattern(5));
        CHECK_FALSE(p.append(one_more));
        CHECK_FALSE(p.prepend(one_more));
        frames.pool.give(one_more.frame);
        std::uint64_t copied = 0;
        CHECK(p.make_writable(5, &copied).empty());
        CHECK(copied == 0);
        CHECK(p.size_bytes() == 655350);
        CHECK(p.truesize_bytes() == 2048);
        CHECK(frames.pool.free_frames() == 3);
    }
    CHECK(frames.all_free());
}

TEST_CASE("what a packet releases is handed over in order") {
    plain_frames frames(64);
    auto p = long_packet(frames, 25);
    const auto expected = segments_of(p);
    std::vector<segment> handed;
    p.release_into([&](segment s) { handed.push_back(s); });
    CHECK(handed == expected);
    CHECK(p.empty());
    for (const auto& piece : handed)
        frames.pool.give(piece.frame);
    CHECK(frames.all_free());
}

TEST_CASE("64 KiB in one packet") {
    plain_frames frames(64, 2048);
    {
        packet p(frames.pool);
        const auto whole = pattern(65536, 3);
        for (std::size_t at = 0; at < whole.size(); at += 1792) {
            const auto n = std::min<std::size_t>(1792, whole.size() - at);
            REQUIRE(p.append(frames.piece(std::span(whole).subspan(at, n))));
        }
        CHECK(p.segment_count() == 37);
        CHECK(bytes_in(p) == whole);
        p.drop_front(14);
        CHECK(p.size_bytes() == 65522);
    }
    CHECK(frames.all_free());
}
