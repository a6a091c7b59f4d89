// SPDX-License-Identifier: Apache-2.0
// What arrives at a port: packets whole and in pieces, over batches, with bad descriptors.
#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::port;

TEST_CASE("packets arrive in order, byte for byte, from a ring of any size and start") {
    for (const std::uint32_t size : {4u, 8u, 16u}) {
        for (const std::uint32_t start : {0u, 0xfffffffau, 0xffffffffu}) {
            auto options = on("fake0");
            options.rings = {.fill = size, .rx = size, .tx = size, .completion = size};
            fake_port fake({.first_index = start}, options);
            burst packets;
            for (unsigned round = 0; round < 50; ++round) {
                const auto n = round % size + 1;
                for (unsigned i = 0; i < n; ++i)
                    REQUIRE(fake.deliver(numbered(60 + i, round + i)));
                REQUIRE(fake.port->receive(packets) == n);
                for (unsigned i = 0; i < n; ++i)
                    REQUIRE(bytes_of(packets[i]) == numbered(60 + i, round + i));
                packets.clear();
                fake.port->refill();
            }
            fake.check();
            fake.close_and_check();
        }
    }
}

TEST_CASE("a jumbo frame arrives as one packet of several segments, 256 bytes into each frame") {
    fake_port fake({}, on("fake0"), {.mtu_bytes = 9000});
    const auto jumbo = numbered(9014, 1);
    REQUIRE(fake.deliver(jumbo));
    burst packets;
    REQUIRE(fake.port->receive(packets) == 1);
    const auto& p = packets[0];
    CHECK(p.segment_count() == 6);  // 5 times 1792, and 54
    for (const auto& piece : p)
        CHECK(piece.offset == 256);
    CHECK(bytes_of(p) == jumbo);
    CHECK(fake.port->received().packets.value() == 1);
    CHECK(fake.port->received().bytes.value() == 9014);
    fake.check();
    packets.clear();
    fake.close_and_check();
}

TEST_CASE("a packet whose rest is not published yet waits for it") {
    fake_port fake({}, on("fake0"), {.mtu_bytes = 9000});
    fake.socket().hold_received = 4;
    REQUIRE(fake.deliver(numbered(9014, 1)));
    burst packets;
    CHECK(fake.port->receive(packets) == 0);
    CHECK(fake.port->ledger().application == 2);  // the half is held, and on the ledger
    fake.check();
    fake.socket().publish_received();
    CHECK(fake.port->receive(packets) == 1);
    CHECK(bytes_of(packets[0]) == numbered(9014, 1));
    packets.clear();
    fake.close_and_check();
}

TEST_CASE("closing in the middle of a packet gives the half back") {
    fake_port fake({}, on("fake0"), {.mtu_bytes = 9000});
    fake.socket().hold_received = 2;
    REQUIRE(fake.deliver(numbered(9014, 1)));
    burst packets;
    CHECK(fake.port->receive(packets) == 0);
    const auto report = fake.close_and_check();
    CHECK(report.written_off.empty());
    CHECK(fake.pool().free_frames() == fake.pool().total());
}

TEST_CASE("a full burst leaves the rest in the ring") {
    auto options = on("fake0");
    options.rings = {.fill = 128, .rx = 128, .tx = 16, .completion = 16};
    fake_port fake({}, options);
    burst packets;
    for (std::size_t i = 0; i < 50; ++i)
        REQUIRE(fake.deliver(numbered(60, static_cast<unsigned>(i))));
    while (packets.room() > 10)
        packets.push_back(packet(fake.pool()));
    CHECK(fake.port->receive(packets) == 10);
    CHECK(packets.full());
    CHECK(fake.port->receive(packets) == 0);
    CHECK(bytes_of(packets[54]) == numbered(60, 0));
    packets.clear();
    CHECK(fake.port->receive(packets) == 40);
    CHECK(bytes_of(packets[0]) == numbered(60, 10));
    packets.clear();
    fake.check();
    fake.close_and_check();
}

TEST_CASE("receive takes no more packets than it is asked for") {
    fake_port fake({}, on("fake0"), {.mtu_bytes = 9000});
    for (unsigned i = 0; i < 4; ++i)
        REQUIRE(fake.deliver(numbered(i == 1 ? 4000 : 60, i)));
    burst packets;
    CHECK(fake.port->receive(packets, 0) == 0);
    CHECK(fake.port->receive(packets, 1) == 1);
    CHECK(fake.port->receive(packets, 2) == 2);
    CHECK(bytes_of(packets[1]) == numbered(4000, 1));
    CHECK(fake.port->receive(packets, 1000) == 1);
    CHECK(packets.size() == 4);
    packets.clear();
    fake.close_and_check();
}

TEST_CASE("a port that only receives learns by asking that its link is down, up, or gone") {
    fake_port fake;
    CHECK(fake.port->probe() == xsk::port_status::ready);
    fake.kernel.device("fake0").up = false;
    CHECK(fake.port->status() == xsk::port_status::ready);
    CHECK(fake.port->probe() == xsk::port_status::link_down);
    fake.kernel.device("fake0").up = true;
    CHECK(fake.port->probe() == xsk::port_status::ready);
    fake.kernel.remove_device("fake0");
    CHECK(fake.port->probe() == xsk::port_status::device_gone);
    CHECK(to_string(fake.port->status()) == "device_gone");
    fake.port->close();
    CHECK(fake.port->probe() == xsk::port_status::closed);
}

TEST_CASE("an RX descriptor that lies is dropped and counted, whatever is wrong with it") {
    struct lie {
        const char* what;
        std::uint64_t address_change;
        std::uint32_t length;
        rx_drop reason;
    };
    const auto far = std::uint64_t{1} << 40;
    const lie lies[] = {
        {"length 0", 0, 0, rx_drop::bad_descriptor},
        {"length beyond the chunk", 0, 4000, rx_drop::bad_descriptor},
        {"length of all ones", 0, 0xffffffff, rx_drop::bad_descriptor},
        {"address beyond the area", far, 60, rx_drop::bad_descriptor},
        {"address of all ones", ~std::uint64_t{0} - 1000000, 60, rx_drop::bad_descriptor}};
    for (const auto& told : lies) {
        INFO(told.what);
        fake_port fake;
        fake.socket().corrupt = [&](descriptor& d) {
            d.address += told.address_change;
            d.length = told.length;
        };
        REQUIRE(fake.deliver(numbered(60, 1)));
        fake.socket().corrupt = {};
        REQUIRE(fake.deliver(numbered(60, 2)));
        burst packets;
        CHECK(fake.port->receive(packets) == 1);
        CHECK(bytes_of(packets[0]) == numbered(60, 2));
        CHECK(fake.port->received().dropped[static_cast<std::size_t>(told.reason)].value() == 1);
        packets.clear();
        fake.check();
        fake.close_and_check();
        CHECK(fake.pool().free_frames() == fake.pool().total());
    }
}

TEST_CASE("the same frame twice in the RX ring is believed once") {
    fake_port fake;
    REQUIRE(fake.deliver(numbered(60, 1)));
    burst packets;
    REQUIRE(fake.port->receive(packets) == 1);
    const auto address = fake.memory->area().address_of(packets[0].front());
    fake.socket().post_received({.address = address, .length = 60, .options = 0});
    CHECK(fake.port->receive(packets) == 0);
    CHECK(fake.port->received().dropped[std::size_t(rx_drop::frame_not_ours)].value() == 1);
    packets.clear();
    // The frame is free now, and still not the kernel's to give.
    fake.socket().post_received({.address = address, .length = 60, .options = 0});
    CHECK(fake.port->receive(packets) == 0);
    fake.check();
    fake.close_and_check();
}

TEST_CASE("an empty FILL ring makes the kernel drop, and the port says that it starved") {
    auto options = on("fake0");
    options.reserve_frames = 0;
    fake_port fake({}, options, {}, frames(16));
    burst packets;
    for (unsigned i = 0; i < 16; ++i)
        REQUIRE(fake.deliver(numbered(60, i)));
    CHECK(fake.port->receive(packets) == 16);
    CHECK_FALSE(fake.deliver(numbered(60, 99)));
    CHECK(fake.port->kernel_statistics().rx_dropped == 1);
    CHECK(fake.port->kernel_statistics().rx_fill_ring_empty == 1);
    for (unsigned calls = 1; calls <= 2; ++calls) {
        CHECK(fake.port->receive(packets) == 0);
        CHECK(fake.port->counters().fill_starved.value() == calls);
    }
    packets.clear();
    CHECK(fake.port->receive(packets) == 0);  // refills
    CHECK(fake.deliver(numbered(60, 100)));
    fake.check();
    fake.close_and_check();
}

TEST_CASE("what was received is made up for in FILL a batch at a time, and before waiting") {
    auto options = on("fake0");
    options.rings.fill = 16;
    fake_port fake({}, options, {}, frames(64));
    burst packets;
    const auto fill = [&] { return fake.port->ledger().fill; };
    REQUIRE(fill() == 16);
    for (unsigned i = 0; i < 3; ++i) {
        REQUIRE(fake.deliver(numbered(60, i)));
        CHECK(fake.port->receive(packets) == 1);
    }
    CHECK(fill() == 13);  // a quarter of the ring is a batch here
    REQUIRE(fake.deliver(numbered(60, 3)));
    CHECK(fake.port->receive(packets) == 1);
    CHECK(fake.port->receive(packets) == 0);
    CHECK(fill() == 16);
    REQUIRE(fake.deliver(numbered(60, 4)));
    CHECK(fake.port->receive(packets) == 1);
    CHECK(fill() == 15);
    fake.port->wait(std::chrono::milliseconds{1});
    CHECK(fill() == 16);
    packets.clear();
    fake.check();
    fake.close_and_check();
}

TEST_CASE("refilling leaves the reserve for sending") {
    auto options = on("fake0");
    options.rings.fill = 64;
    options.reserve_frames = 10;
    fake_port fake({}, options, {}, frames(32));
    CHECK(fake.pool().free_frames() == 10);
    CHECK(fake.port->refill() == 0);
    CHECK(fake.pool().held_by(frame_holder::rx) == 22);
    fake.close_and_check();
}

TEST_CASE("a full RX ring makes the kernel drop; the frames stay in FILL") {
    auto options = on("fake0");
    options.rings.rx = 4;
    fake_port fake({}, options);
    for (unsigned i = 0; i < 4; ++i)
        REQUIRE(fake.deliver(numbered(60, i)));
    CHECK_FALSE(fake.deliver(numbered(60, 4)));
    CHECK(fake.port->kernel_statistics().rx_ring_full == 1);
    fake.check();
    const auto report = fake.close_and_check();
    CHECK(report.unread_descriptors == 4);
    CHECK(report.reclaimed_rx_frames == 16);
}

TEST_CASE("frames a driver takes out of FILL early are the kernel's on the ledger") {
    fake_port fake;
    CHECK(fake.socket().take_fill(5) == 5);
    const auto rows = fake.port->ledger();
    CHECK(rows.kernel_rx == 5);
    CHECK(rows.fill == 11);
    fake.check();
    CHECK(fake.close_and_check().reclaimed_rx_frames == 16);
}

TEST_CASE("a zero-copy driver is woken through recvfrom where it asks for it, and only there") {
    fake_port fake({}, on("fake0"), {.zero_copy = true});
    burst packets;
    fake.port->receive(packets);
    CHECK(fake.kernel.calls(call::wake_rx) == 0);
    fake.socket().fill->set_flags(xsk::uapi::ring_need_wakeup);
    fake.port->receive(packets);
    CHECK(fake.kernel.calls(call::wake_rx) == 1);
    CHECK(fake.port->counters().rx_calls.value() == 1);
    fake.close_and_check();
}

TEST_CASE("a port over frames of 2048 or 4096 bytes gives chunk - 256 bytes a frame") {
    for (const std::uint32_t chunk : {2048u, 4096u}) {
        fake_port fake({}, on("fake0"), {.mtu_bytes = 9000}, frames(32, chunk));
        REQUIRE(fake.deliver(numbered(chunk - 256, 1)));
        REQUIRE(fake.deliver(numbered(chunk - 255, 2)));
        burst packets;
        REQUIRE(fake.port->receive(packets) == 2);
        CHECK(packets[0].segment_count() == 1);
        CHECK(packets[1].segment_count() == 2);
        CHECK(bytes_of(packets[1]) == numbered(chunk - 255, 2));
        packets.clear();
        fake.close_and_check();
    }
}

TEST_CASE("wait returns at once where packets are, and after the time where none come") {
    fake_port fake;
    CHECK_FALSE(fake.port->wait(std::chrono::milliseconds{5}));
    CHECK(fake.kernel.calls(call::poll) == 1);
    fake.kernel.during_poll = [&] { fake.deliver(numbered(60, 1)); };
    CHECK(fake.port->wait(std::chrono::milliseconds{5}));
    fake.kernel.during_poll = {};
    CHECK(fake.port->wait(std::chrono::milliseconds{5}));
    CHECK(fake.kernel.calls(call::poll) == 2);  // no third: they were there
    fake.close_and_check();
}

TEST_CASE("a signal ends wait early without harm") {
    fake_port fake;
    fake.kernel.fail(call::poll, EINTR);
    CHECK_FALSE(fake.port->wait(std::chrono::milliseconds{1000}));
    CHECK(fake.port->status() == xsk::port_status::ready);
    fake.close_and_check();
}

TEST_CASE("wait gives the kernel frames to receive into, also those that TX just returned") {
    auto options = on("fake0");
    options.reserve_frames = 0;
    fake_port fake({}, options, {}, frames(16));
    burst packets;
    for (unsigned i = 0; i < 16; ++i)
        REQUIRE(fake.deliver(numbered(60, i)));
    REQUIRE(fake.port->receive(packets) == 16);
    fake.socket().hold_completions = true;
    REQUIRE(fake.port->send(packets) == 16);
    fake.port->flush();
    fake.socket().complete_all();
    REQUIRE(fake.pool().free_frames() == 0);
    fake.kernel.during_poll = [&] { fake.deliver(numbered(60, 77)); };
    CHECK(fake.port->wait(std::chrono::milliseconds{5}));
    fake.check();
    fake.close_and_check();
}
