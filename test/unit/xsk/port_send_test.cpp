// SPDX-License-Identifier: Apache-2.0
// What a port sends, what it refuses to, and in which order.
#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::tx_refusal;

namespace {

std::uint64_t count(const xsk::port& port, tx_refusal reason) {
    return port.counters().refused[static_cast<std::size_t>(reason)].value();
}

}  // namespace

TEST_CASE("packets leave in order, byte for byte, and their frames come back") {
    for (const std::uint32_t start : {0u, 0xfffffffbu}) {
        fake_port fake({.first_index = start});
        burst packets;
        for (unsigned round = 0; round < 20; ++round) {
            fill_burst(fake.pool(), packets, 10, round);
            REQUIRE(fake.port->send(packets) == 10);
            REQUIRE(packets.empty());
            fake.port->flush();
        }
        REQUIRE(fake.socket().wire.size() == 200);
        for (unsigned i = 0; i < 200; ++i)
            CHECK(fake.socket().wire[i] == numbered(60, i / 10 + i % 10));
        fake.port->recycle();
        CHECK(fake.port->under_way() == 0);
        CHECK(fake.port->counters().completed.value() == 200);
        CHECK(fake.port->counters().tx_packets.value() == 200);
        CHECK(fake.port->counters().tx_bytes.value() == 200 * 60);
        fake.check();
        fake.close_and_check();
    }
}

TEST_CASE("a packet of several segments leaves as one, each descriptor completed on its own") {
    fake_port fake({}, on("fake0"), {.mtu_bytes = 9000});
    burst packets;
    packets.push_back(packet_of(fake.pool(), numbered(9014, 3), 900));
    REQUIRE(packets[0].segment_count() == 11);
    REQUIRE(fake.port->send(packets) == 1);
    CHECK(fake.port->ledger().tx_ring == 11);
    fake.port->flush();
    REQUIRE(fake.socket().wire.size() == 1);
    CHECK(fake.socket().wire[0] == numbered(9014, 3));
    CHECK(fake.port->counters().completed.value() == 11);
    fake.check();
    fake.close_and_check();
}

TEST_CASE("two segments of one frame are completed one by one") {
    fake_port fake;
    frame_id frame{};
    REQUIRE(fake.pool().take({&frame, 1}) == 1);
    REQUIRE(fake.pool().share(frame));
    burst packets;
    packets.push_back(packet(fake.pool(), segment{frame, 256, 60}));
    packets.push_back(packet(fake.pool(), segment{frame, 512, 60}));
    fake.socket().hold_completions = true;
    REQUIRE(fake.port->send(packets) == 2);
    fake.port->flush();
    fake.socket().complete_nth(1);
    CHECK(fake.port->recycle() == 1);
    CHECK(fake.pool().holder(frame) == frame_holder::tx);
    fake.check();
    fake.socket().complete_nth(0);
    CHECK(fake.port->recycle() == 1);
    CHECK(fake.pool().holder(frame) == frame_holder::free);
    fake.close_and_check();
}

TEST_CASE("a full TX ring leaves the rest with the caller, in order, and counts it") {
    auto options = on("fake0");
    options.flush.flush_at_descriptors = 0;
    fake_port fake({}, options);
    burst packets;
    fill_burst(fake.pool(), packets, 20);
    CHECK(fake.port->send(packets) == 16);
    CHECK(packets.size() == 4);
    CHECK(fake.port->counters().tx_ring_full.value() == 4);
    CHECK(fake.kernel.calls(call::wake_tx) == 0);
    fake.port->flush();
    CHECK(fake.port->send(packets) == 4);
    fake.port->flush();
    for (unsigned i = 0; i < 20; ++i)
        CHECK(fake.socket().wire[i] == numbered(60, i));
    fake.close_and_check();
}

TEST_CASE("what must not go to the kernel is refused by reason and handed back") {
    fake_port fake;
    burst packets;
    burst refused;
    const auto strangers = make_memory(4);
    packets.push_back(packet_of(fake.pool(), numbered(60, 0)));
    packets.push_back(packet_of(fake.pool(), numbered(13, 1)));
    packets.push_back(packet_of(strangers->pool(), numbered(60, 2)));
    packets.push_back(packet_of(fake.pool(), numbered(170, 3), 10));  // 17 pieces, ring of 16
    packets.push_back(packet(fake.pool()));
    packets.push_back(packet_of(fake.pool(), numbered(60, 5)));
    CHECK(fake.port->send(packets, &refused) == 2);
    CHECK(packets.empty());
    REQUIRE(refused.size() == 4);
    CHECK(bytes_of(refused[1]) == numbered(60, 2));
    CHECK(count(*fake.port, tx_refusal::too_short) == 2);
    CHECK(count(*fake.port, tx_refusal::not_our_frames) == 1);
    CHECK(count(*fake.port, tx_refusal::too_many_pieces) == 1);
    refused.clear();
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 2);
    fake.close_and_check();
    ledger_check(strangers->pool());
    CHECK(strangers->pool().free_frames() == 4);
}

TEST_CASE("refused packets nobody wants are dropped and their frames come back") {
    fake_port fake;
    burst packets;
    packets.push_back(packet_of(fake.pool(), numbered(13, 1)));
    CHECK(fake.port->send(packets) == 0);
    CHECK(packets.empty());
    fake.check();
    fake.close_and_check();
    CHECK(fake.pool().free_frames() == fake.pool().total());
}

TEST_CASE("18 descriptors a packet are sent, 19 are not put on the ring") {
    auto options = on("fake0");
    options.rings.tx = options.rings.completion = 32;
    fake_port fake({}, options);
    burst packets;
    packets.push_back(packet_of(fake.pool(), numbered(180, 1), 10));
    packets.push_back(packet_of(fake.pool(), numbered(190, 2), 10));
    CHECK(fake.port->send(packets) == 1);
    CHECK(count(*fake.port, tx_refusal::too_many_pieces) == 1);
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 1);
    CHECK(fake.port->kernel_statistics().tx_invalid_descriptors == 0);
    fake.close_and_check();
}

TEST_CASE("a kernel without multi-buffer is never given a packet of two pieces") {
    fake_port fake(linux_6_1());
    CHECK_FALSE(fake.port->bound().scatter_gather);
    CHECK(fake.port->max_tx_segments() == 1);
    burst packets;
    packets.push_back(packet_of(fake.pool(), numbered(200, 1), 100));
    packets.push_back(packet_of(fake.pool(), numbered(60, 2)));
    CHECK(fake.port->send(packets) == 1);
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 1);
    CHECK(fake.port->kernel_statistics().tx_invalid_descriptors == 0);
    fake.check();
    CHECK(fake.close_and_check().written_off.empty());
}

TEST_CASE("what one port sends its peer receives, and sends back") {
    fake_kernel kernel;
    kernel.add_device({.name = "left", .mtu_bytes = 9000});
    kernel.add_device({.name = "right", .mtu_bytes = 9000});
    kernel.connect("left", "right");
    auto near_memory = make_memory(128);
    auto far_memory = make_memory(128);
    {
        xsk::port near(on("left"), near_memory, nullptr);
        xsk::port far(on("right"), far_memory, nullptr);
        burst packets;
        for (unsigned round = 0; round < 100; ++round) {
            packets.push_back(packet_of(near_memory->pool(), numbered(60 + round * 50, round)));
            REQUIRE(near.send(packets) == 1);
            near.flush();
            burst over;
            REQUIRE(far.receive(over) == 1);
            REQUIRE(far.send(over) == 1);
            far.flush();
            REQUIRE(near.receive(packets) == 1);
            REQUIRE(bytes_of(packets[0]) == numbered(60 + round * 50, round));
            packets.clear();
            near.recycle();
            far.recycle();
            ledger_check(kernel, *near_memory);
            ledger_check(kernel, *far_memory);
        }
    }
    CHECK(near_memory->pool().free_frames() == 128);
    CHECK(far_memory->pool().free_frames() == 128);
    near_memory.reset();
    far_memory.reset();
}
