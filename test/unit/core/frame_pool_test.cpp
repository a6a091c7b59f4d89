// SPDX-License-Identifier: Apache-2.0
// References, holders, and what the kernel may and may not make the pool believe.
#include <algorithm>
#include <array>

#include "support/catch.hpp"
#include "support/plain_frames.hpp"
#include "support/seed.hpp"

using namespace skein;
using skein::test::plain_frames;

namespace {

constexpr lender_id left = 0;
constexpr lender_id right = 1;

frame_id lend_one(plain_frames& frames, lender_id port) {
    std::uint64_t address = 0;
    REQUIRE(frames.pool.lend_to_rx({&address, 1}, port) == 1);
    const auto frame = frames.area().frame_at(address);
    REQUIRE(frame);
    CHECK(frames.area().address_of(*frame) == address);
    return *frame;
}

}  // namespace

TEST_CASE("a pool gives every frame once, then none") {
    plain_frames frames(4);
    std::array<frame_id, 6> taken{};
    CHECK(frames.pool.take(taken) == 4);
    std::sort(taken.begin(), taken.begin() + 4);
    for (std::uint32_t i = 0; i < 4; ++i)
        CHECK(taken[i] == frame_id{i});
    CHECK(frames.pool.take(taken) == 0);
    CHECK(frames.pool.held_by(frame_holder::application) == 4);
    CHECK(frames.pool.audit());
    for (std::uint32_t i = 0; i < 4; ++i)
        frames.pool.give(frame_id{i});
    CHECK(frames.all_free());
}

TEST_CASE("a frame is free when its last reference is gone, whatever the order") {
    plain_frames frames;
    const auto frame = frames.take();
    CHECK(frames.pool.sole_holder(frame));
    REQUIRE(frames.pool.share(frame));
    REQUIRE(frames.pool.share(frame));
    CHECK_FALSE(frames.pool.sole_holder(frame));
    CHECK(frames.pool.references(frame) == 3);
    frames.pool.give(frame);
    frames.pool.give(frame);
    CHECK(frames.pool.sole_holder(frame));
    CHECK(frames.pool.holder(frame) == frame_holder::application);
    frames.pool.give(frame);
    CHECK(frames.all_free());
}

TEST_CASE("references end at 65535, and sharing says so") {
    plain_frames frames;
    const auto frame = frames.take();
    for (int i = 1; i < 65535; ++i)
        REQUIRE(frames.pool.share(frame));
    CHECK_FALSE(frames.pool.share(frame));
    CHECK(frames.pool.references(frame) == 65535);
    for (int i = 0; i < 65535; ++i)
        frames.pool.give(frame);
    CHECK(frames.all_free());
}

TEST_CASE("only a frame lent to a port's RX side can be received there, and once") {
    plain_frames frames;
    const auto frame = lend_one(frames, left);
    CHECK(frames.pool.lent_to_rx(left) == 1);
    CHECK_FALSE(frames.pool.receive(frame, right));
    CHECK(frames.pool.receive(frame, left));
    CHECK_FALSE(frames.pool.receive(frame, left));
    CHECK(frames.pool.holder(frame) == frame_holder::application);
    CHECK(frames.pool.references(frame) == 1);
    const auto other = frames.take();
    CHECK_FALSE(frames.pool.receive(other, left));
    frames.pool.give(frame);
    CHECK_FALSE(frames.pool.receive(frame, left));  // free
    frames.pool.give(other);
    CHECK(frames.all_free());
}

TEST_CASE("a descriptor under way takes a reference with it and brings it back") {
    plain_frames frames;
    const auto frame = frames.take();
    frames.pool.lend_to_tx(frame, left);
    CHECK(frames.pool.holder(frame) == frame_holder::tx);
    CHECK(frames.pool.references(frame) == 1);
    CHECK_FALSE(frames.pool.sole_holder(frame));
    CHECK_FALSE(frames.pool.complete(frame, right));
    CHECK(frames.pool.complete(frame, left));
    CHECK_FALSE(frames.pool.complete(frame, left));
    CHECK(frames.all_free());
}

TEST_CASE("a frame shared with TX is the application's again when TX is done, and written then") {
    plain_frames frames;
    const auto frame = frames.take();
    REQUIRE(frames.pool.share(frame));
    frames.pool.lend_to_tx(frame, left);
    CHECK_FALSE(frames.pool.sole_holder(frame));
    CHECK(frames.pool.complete(frame, left));
    CHECK(frames.pool.holder(frame) == frame_holder::application);
    CHECK(frames.pool.sole_holder(frame));
    frames.pool.give(frame);
    CHECK(frames.all_free());
}

TEST_CASE("a packet given up while its frame is under way does not free it") {
    plain_frames frames;
    const auto frame = frames.take();
    REQUIRE(frames.pool.share(frame));
    frames.pool.lend_to_tx(frame, left);
    frames.pool.give(frame);
    CHECK(frames.pool.holder(frame) == frame_holder::tx);
    CHECK(frames.pool.audit());
    CHECK(frames.pool.complete(frame, left));
    CHECK(frames.all_free());
}

TEST_CASE("two descriptors of one frame come back one by one, in one port or two") {
    for (const auto second : {left, right}) {
        plain_frames frames;
        const auto frame = frames.take();
        REQUIRE(frames.pool.share(frame));
        frames.pool.lend_to_tx(frame, left);
        frames.pool.lend_to_tx(frame, second);
        CHECK(frames.pool.complete(frame, second));
        CHECK(frames.pool.holder(frame) == frame_holder::tx);
        CHECK(frames.pool.audit());
        CHECK(frames.pool.complete(frame, left));
        CHECK_FALSE(frames.pool.complete(frame, left));
        CHECK(frames.all_free());
    }
}

TEST_CASE("reclaiming returns one port's RX frames and nobody else's") {
    plain_frames frames;
    std::array<std::uint64_t, 5> addresses{};
    REQUIRE(frames.pool.lend_to_rx(addresses, left) == 5);
    const auto of_right = lend_one(frames, right);
    const auto mine = frames.take();
    CHECK(frames.pool.reclaim_rx(left) == 5);
    CHECK(frames.pool.reclaim_rx(left) == 0);
    CHECK(frames.pool.lent_to_rx(left) == 0);
    CHECK(frames.pool.holder(of_right) == frame_holder::rx);
    CHECK(frames.pool.holder(mine) == frame_holder::application);
    CHECK(frames.pool.audit());
    frames.pool.give(mine);
    CHECK(frames.pool.reclaim_rx(right) == 1);
    CHECK(frames.all_free());
}

TEST_CASE("frames written off are named, never given again, and stay so whatever comes") {
    plain_frames frames(4);
    const auto lost = frames.take();
    const auto shared = frames.take();
    const auto other = frames.take();
    REQUIRE(frames.pool.share(shared));
    frames.pool.lend_to_tx(lost, left);
    frames.pool.lend_to_tx(shared, left);
    frames.pool.lend_to_tx(other, right);
    CHECK(frames.pool.write_off_tx(left, 2) ==
          std::vector{std::min(lost, shared), std::max(lost, shared)});
    CHECK(frames.pool.held_by(frame_holder::written_off) == 2);
    CHECK(frames.pool.audit());
    frames.pool.give(shared);                         // the packet that shared it goes
    CHECK_FALSE(frames.pool.complete(shared, left));  // and a late completion comes
    CHECK(frames.pool.holder(shared) == frame_holder::written_off);
    CHECK(frames.pool.audit());
    CHECK(frames.pool.complete(other, right));
    CHECK(frames.pool.free_frames() == 2);
    CHECK(frames.pool.write_off_tx(left, 0).empty());
}

TEST_CASE("a frame under way in two ports is written off only if the one closing still waits") {
    for (const bool waits : {false, true}) {
        plain_frames frames;
        const auto frame = frames.take();
        REQUIRE(frames.pool.share(frame));
        frames.pool.lend_to_tx(frame, left);
        frames.pool.lend_to_tx(frame, right);
        if (!waits) REQUIRE(frames.pool.complete(frame, left));
        const auto written_off = frames.pool.write_off_tx(left, waits ? 1 : 0);
        CHECK(written_off.size() == (waits ? 1u : 0u));
        CHECK(frames.pool.complete(frame, right));
        CHECK(frames.pool.held_by(frame_holder::written_off) == (waits ? 1u : 0u));
        CHECK(frames.pool.audit());
    }
}

TEST_CASE(
    "what is under way in another port too is spared where the one closing can name its own") {
    plain_frames frames;
    const auto both = frames.take();
    const auto own = frames.take();
    REQUIRE(frames.pool.share(both));
    frames.pool.lend_to_tx(both, left);
    frames.pool.lend_to_tx(both, right);
    frames.pool.lend_to_tx(own, left);
    REQUIRE(frames.pool.complete(both, left));
    CHECK(frames.pool.write_off_tx(left, 1) == std::vector{own});
    CHECK(frames.pool.complete(both, right));
    CHECK(frames.pool.holder(both) == frame_holder::free);
    CHECK(frames.pool.audit());
}

TEST_CASE("lenders are in use while frames are out under their name") {
    plain_frames frames;
    CHECK(frames.pool.lenders_in_use().none());
    const auto frame = frames.take();
    frames.pool.lend_to_tx(frame, 7);
    lend_one(frames, 9);
    CHECK(frames.pool.lenders_in_use().count() == 2);
    CHECK(frames.pool.lenders_in_use()[7]);
    CHECK(frames.pool.lenders_in_use()[9]);
    frames.pool.complete(frame, 7);
    frames.pool.reclaim_rx(9);
    CHECK(frames.pool.lenders_in_use().none());
}

TEST_CASE("blocks run out and come back") {
    plain_frames frames(4, 2048, {.segment_blocks = 2});
    const auto first = frames.pool.take_block();
    const auto second = frames.pool.take_block();
    CHECK(first != second);
    CHECK(frames.pool.take_block() == segment_block::none);
    frames.pool.give_block(first);
    CHECK(frames.pool.take_block() == first);
    frames.pool.give_block(first);
    frames.pool.give_block(second);
    CHECK(frames.all_free());
}

TEST_CASE("an area of one frame, and of none, works") {
    plain_frames one(1);
    const auto frame = one.take();
    frame_id more{};
    CHECK(one.pool.take({&more, 1}) == 0);
    one.pool.give(frame);
    CHECK(one.all_free());
    frame_pool none(frame_area(nullptr, 0, 2048));
    CHECK(none.take({&more, 1}) == 0);
    CHECK(none.audit());
}

TEST_CASE("bookkeeping costs at most 64 bytes a frame") {
    const auto bytes = frame_pool::bytes_per_frame;
    CHECK(bytes <= 64);
}
