// SPDX-License-Identifier: Apache-2.0
// When a port calls the kernel to send, and what it makes of the answer.
#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::tx_trouble;

namespace {

std::uint64_t count(const xsk::port& port, tx_trouble kind) {
    return port.counters().trouble[static_cast<std::size_t>(kind)].value();
}

}  // namespace

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
