// SPDX-License-Identifier: Apache-2.0
// What a port sends, what it refuses to, and which system calls that takes.
#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::tx_refusal;
using xsk::tx_trouble;

namespace {

std::uint64_t count(const xsk::port& port, tx_refusal reason) {
    return port.counters().refused[static_cast<std::size_t>(reason)].value();
}
std::uint64_t count(const xsk::port& port, tx_trouble kind) {
    return port.counters().trouble[static_cast<std::size_t>(kind)].value();
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

TEST_CASE("a ring smaller than the flush threshold is flushed when it is full") {
    fake_port fake;  // 16 slots, threshold 512
    burst packets;
    fill_burst(fake.pool(), packets, 16);
    CHECK(fake.port->send(packets) == 16);
    CHECK(fake.kernel.calls(call::wake_tx) == 0);
    fill_burst(fake.pool(), packets, 4, 16);
    CHECK(fake.port->send(packets) == 4);
    CHECK(fake.socket().wire.size() == 16);
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 20);
    fake.close_and_check();
}

TEST_CASE(
    "send flushes by itself at the policy's threshold, and flush is free when nothing waits") {
    auto options = on("fake0");
    options.flush.flush_at_descriptors = 8;
    fake_port fake({}, options);
    burst packets;
    fill_burst(fake.pool(), packets, 7);
    fake.port->send(packets);
    CHECK(fake.kernel.calls(call::wake_tx) == 0);
    fill_burst(fake.pool(), packets, 1, 7);
    fake.port->send(packets);
    CHECK(fake.kernel.calls(call::wake_tx) == 1);
    for (int i = 0; i < 5; ++i)
        fake.port->flush();
    CHECK(fake.kernel.calls(call::wake_tx) == 1);
    fake.close_and_check();
}

TEST_CASE("flush calls again while the kernel sends 32 descriptors a call") {
    auto options = on("fake0");
    options.rings = {.fill = 16, .rx = 16, .tx = 128, .completion = 128};
    fake_port fake(linux_6_12(), options, {}, frames(256));
    burst packets;
    for (int i = 0; i < 2; ++i) {
        fill_burst(fake.pool(), packets, 50);
        fake.port->send(packets);
    }
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 100);
    CHECK(fake.kernel.calls(call::wake_tx) == 4);
    CHECK(fake.port->counters().tx_calls.value() == 4);
    CHECK(fake.port->counters().tx_again.value() == 3);
    fake.close_and_check();
}

TEST_CASE("a raised budget sends everything in one call") {
    auto options = on("fake0");
    options.rings = {.fill = 16, .rx = 16, .tx = 128, .completion = 128};
    fake_port fake(linux_6_18(), options, {}, frames(256));
    CHECK(fake.port->bound().tx_budget == 128);
    burst packets;
    fill_burst(fake.pool(), packets, 64);
    fake.port->send(packets);
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 64);
    CHECK(fake.kernel.calls(call::wake_tx) == 1);
    fake.close_and_check();
}

TEST_CASE("a busy device ends a flush after the policy's patience; the rest goes later") {
    fake_port fake;
    burst packets;
    fill_burst(fake.pool(), packets, 5);
    fake.port->send(packets);
    fake.kernel.fail(call::wake_tx, EAGAIN, 2);
    fake.port->flush();
    CHECK(fake.kernel.calls(call::wake_tx) == 2);
    CHECK(fake.socket().wire.empty());
    CHECK(fake.port->ledger().tx_ring == 5);
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 5);
    fake.close_and_check();
}

TEST_CASE("an exhausted send buffer is waited out, not fought") {
    auto options = on("fake0");
    options.tx_budget = 0;
    fake_port fake({.net_admin = false, .wmem_max_bytes = 500}, options);
    CHECK(fake.port->bound().send_buffer_bytes == 1000);
    CHECK(fake.port->bound().notes.size() == 1);
    fake.socket().hold_completions = true;
    burst packets;
    fill_burst(fake.pool(), packets, 8);
    fake.port->send(packets);
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 2);
    CHECK(fake.port->ledger().tx_ring == 6);
    fake.socket().hold_completions = false;
    fake.socket().complete_all();
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 8);
    fake.check();
    fake.close_and_check();
}

TEST_CASE("a full COMPLETION ring is drained and the flush goes on, on every kernel") {
    for (const auto& profile : {linux_6_1(), linux_6_12(), linux_6_18()}) {
        auto options = on("fake0");
        options.rings.completion = 4;
        fake_port fake(profile, options);
        burst packets;
        fill_burst(fake.pool(), packets, 15);
        fake.port->send(packets);
        fake.port->flush();
        CHECK(fake.socket().wire.size() == 15);
        fake.check();
        fake.close_and_check();
    }
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

TEST_CASE("a receiver that is down costs the packets, and says so") {
    fake_port fake;
    fake.kernel.device("fake0").carrier = false;
    burst packets;
    fill_burst(fake.pool(), packets, 3);
    fake.port->send(packets);
    fake.port->flush();
    CHECK(count(*fake.port, tx_trouble::kernel_dropped) == 3);
    CHECK(fake.port->counters().completed.value() == 3);
    fake.check();
    fake.close_and_check();
}

TEST_CASE("packets wait while the link is down and leave when it is up") {
    fake_port fake;
    fake.kernel.device("fake0").up = false;
    burst packets;
    fill_burst(fake.pool(), packets, 3);
    fake.port->send(packets);
    fake.port->flush();
    CHECK(fake.port->status() == xsk::port_status::link_down);
    CHECK(count(*fake.port, tx_trouble::link_down) == 1);
    CHECK(fake.port->ledger().tx_ring == 3);
    fake.check();
    fake.kernel.device("fake0").up = true;
    fake.port->flush();
    CHECK(fake.port->status() == xsk::port_status::ready);
    CHECK(fake.socket().wire.size() == 3);
    fake.close_and_check();
}

TEST_CASE("a device that is removed is gone for good, and its frames come back at closing") {
    fake_port fake;
    burst packets;
    fill_burst(fake.pool(), packets, 3);
    fake.port->send(packets);
    fake.kernel.remove_device("fake0");
    fake.port->flush();
    CHECK(fake.port->status() == xsk::port_status::link_down);
    fake.port->flush();
    CHECK(fake.port->status() == xsk::port_status::device_gone);
    CHECK(count(*fake.port, tx_trouble::device_gone) == 1);
    const auto report = fake.close_and_check();
    CHECK(report.unsent_descriptors == 3);
    CHECK(fake.pool().free_frames() == fake.pool().total());
}

TEST_CASE("an unexpected error of a send call is counted and does not loop") {
    fake_port fake;
    burst packets;
    fill_burst(fake.pool(), packets, 3);
    fake.port->send(packets);
    fake.kernel.fail(call::wake_tx, EINVAL);
    fake.port->flush();
    CHECK(fake.kernel.calls(call::wake_tx) == 1);
    CHECK(count(*fake.port, tx_trouble::other) == 1);
    fake.port->flush();
    CHECK(fake.socket().wire.size() == 3);
    fake.close_and_check();
}

TEST_CASE("in zero-copy mode a call is made only where the driver asks to be woken") {
    fake_port fake({}, on("fake0"), {.zero_copy = true});
    REQUIRE(fake.port->bound().zero_copy);
    fake.socket().tx->set_flags(0);
    burst packets;
    fill_burst(fake.pool(), packets, 3);
    fake.port->send(packets);
    fake.port->flush();
    CHECK(fake.kernel.calls(call::wake_tx) == 0);
    fake.socket().tx->set_flags(xsk::uapi::ring_need_wakeup);
    fake.port->flush();
    CHECK(fake.kernel.calls(call::wake_tx) == 1);
    fake.port->flush();  // nothing waits any more
    CHECK(fake.kernel.calls(call::wake_tx) == 1);
    fake.close_and_check();
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
