// SPDX-License-Identifier: Apache-2.0
// How ports come and go: drained or not, by the thousand, with the link down, over one memory.
#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using std::chrono::milliseconds;

TEST_CASE("closing waits for the kernel to complete what is under way") {
    fake_port fake;
    burst packets;
    fill_burst(fake.pool(), packets, 5);
    fake.port->send(packets);
    const auto report = fake.close_and_check();
    CHECK(report.written_off.empty());
    CHECK(report.unsent_descriptors == 0);
    CHECK(report.reclaimed_rx_frames == 16);
    CHECK(fake.pool().free_frames() == fake.pool().total());
    CHECK(to_string(report) == "closed: 16 frames back from FILL and RX, nothing under way");
    CHECK(fake.port->status() == xsk::port_status::closed);
}

TEST_CASE("frames that never complete are named and written off when the deadline has passed") {
    fake_port fake;
    fake.socket().hold_completions = true;
    burst packets;
    fill_burst(fake.pool(), packets, 3);
    std::vector<frame_id> sent;
    for (const auto& p : packets)
        sent.push_back(p.front().frame);
    fake.port->send(packets);
    fake.port->flush();
    const auto start = fake.kernel.now_ns();
    const auto report = fake.port->close(milliseconds{50});
    CHECK(fake.kernel.now_ns() - start >= 50'000'000);
    CHECK(fake.kernel.now_ns() - start < 60'000'000);
    CHECK(report.drained_for >= milliseconds{50});
    std::sort(sent.begin(), sent.end());
    auto named = report.written_off;
    std::sort(named.begin(), named.end());
    CHECK(named == sent);
    CHECK(fake.port->ledger().written_off == 3);
    const auto text = to_string(report);
    for (const auto frame : sent)
        CHECK(text.find(std::to_string(index_of(frame))) != std::string::npos);
    CHECK(text.find("3 frames never completed within 50 ms") != std::string::npos);
    fake.check();
    // Nobody gets a frame that the kernel may still read.
    std::vector<frame_id> all(fake.pool().total());
    CHECK(fake.pool().take(all) == fake.pool().total() - 3);
    for (const auto frame : sent)
        CHECK(std::find(all.begin(), all.end(), frame) == all.begin() + fake.pool().total());
    for (std::size_t i = 0; i < fake.pool().total() - 3; ++i)
        fake.pool().give(all[i]);
}

TEST_CASE("a long list of frames written off is cut short") {
    xsk::teardown_report report;
    for (std::uint32_t i = 0; i < 40; ++i)
        report.written_off.push_back(frame_id{100 + i});
    report.unread_descriptors = 2;
    report.unsent_descriptors = 3;
    const auto text = to_string(report);
    CHECK(text.find("40 frames never completed") != std::string::npos);
    CHECK(text.find("115, …") != std::string::npos);
    CHECK(text.find("116") == std::string::npos);
    CHECK(text.find("2 received and not read") != std::string::npos);
    CHECK(text.find("3 never sent") != std::string::npos);
}

TEST_CASE("what a link that is down never took is taken back") {
    fake_port fake;
    fake.kernel.device("fake0").up = false;
    burst packets;
    fill_burst(fake.pool(), packets, 6);
    fake.port->send(packets);
    const auto report = fake.port->close(milliseconds{10});
    CHECK(report.unsent_descriptors == 6);
    CHECK(report.written_off.empty());
    CHECK(fake.pool().free_frames() == fake.pool().total());
    fake.check();
}

TEST_CASE("a link that goes down with frames in flight: taken back, completed or written off") {
    fake_port fake;
    fake.socket().hold_completions = true;
    burst packets;
    fill_burst(fake.pool(), packets, 2);
    fake.port->send(packets);
    fake.port->flush();
    fake.kernel.device("fake0").up = false;
    fill_burst(fake.pool(), packets, 3);
    fake.port->send(packets);
    fake.socket().complete_nth(1);
    const auto report = fake.port->close(milliseconds{10});
    CHECK(report.unsent_descriptors == 3);
    CHECK(report.written_off.size() == 1);
    fake.check();
    CHECK(fake.pool().free_frames() == fake.pool().total() - 1);
}

TEST_CASE("a kernel that swallows descriptors leaves them to be written off") {
    fake_port fake(linux_6_12());
    fake.socket().hold_completions = true;
    burst packets;
    fill_burst(fake.pool(), packets, 4);
    fake.port->send(packets);
    fake.port->flush();
    fake.socket().forget_all();
    CHECK(fake.port->ledger().kernel_tx == 4);
    CHECK(fake.port->close(milliseconds{5}).written_off.size() == 4);
    fake.check();
}

TEST_CASE("a written-off frame stays so when a packet that shared it goes") {
    fake_port fake;
    fake.socket().hold_completions = true;
    burst packets;
    fill_burst(fake.pool(), packets, 1);
    const auto frame = packets[0].front().frame;
    auto twin = packets[0].share();
    fake.port->send(packets);
    fake.port->flush();
    CHECK(fake.port->close(milliseconds{5}).written_off.size() == 1);
    twin.clear();
    CHECK(fake.pool().holder(frame) == frame_holder::written_off);
    fake.check();
}

TEST_CASE("packets may outlive their port") {
    fake_port fake;
    REQUIRE(fake.deliver(numbered(60, 7)));
    burst packets;
    REQUIRE(fake.port->receive(packets) == 1);
    fake.port->close();
    CHECK(bytes_of(packets[0]) == numbered(60, 7));
    CHECK(fake.port->ledger().application == 1);
    packets.clear();
    CHECK(fake.pool().free_frames() == fake.pool().total());
    fake.check();
}

TEST_CASE("a closed port does nothing, harmlessly") {
    fake_port fake;
    fake.port->close();
    burst packets;
    fill_burst(fake.pool(), packets, 2);
    const auto calls = fake.kernel.calls();
    CHECK(fake.port->send(packets) == 0);
    CHECK(packets.size() == 2);
    packets.clear();
    CHECK(fake.port->receive(packets) == 0);
    CHECK(fake.port->refill() == 0);
    CHECK(fake.port->recycle() == 0);
    CHECK_FALSE(fake.port->wait(milliseconds{10}));
    fake.port->flush();
    CHECK(fake.kernel.calls() == calls);
    CHECK(fake.port->kernel_statistics().rx_dropped == 0);
    const auto again = fake.port->close();
    CHECK(again.reclaimed_rx_frames == 0);
    CHECK(again.written_off.empty());
}

TEST_CASE("a thousand ports with traffic, one after another, over one memory, lose nothing") {
    fake_kernel kernel;
    kernel.add_device({.name = "fake0"});
    auto memory = make_memory();
    for (unsigned cycle = 0; cycle < 1000; ++cycle) {
        xsk::port port(on("fake0"), memory, nullptr);
        for (unsigned i = 0; i < cycle % 7; ++i)
            REQUIRE(kernel.deliver("fake0", 0, numbered(60, i)));
        burst packets;
        if (cycle % 2 == 0) port.receive(packets);
        port.send(packets);
        if (cycle % 3 == 0) port.flush();
        if (cycle % 5 == 0) port.close();
    }
    ledger_check(kernel, *memory);
    CHECK(memory->pool().free_frames() == memory->pool().total());
    CHECK(kernel.open_sockets() == 0);
    memory.reset();
    CHECK(kernel.mappings() == 0);
}

TEST_CASE("a port that only sends fills no FILL ring, except where the driver needs it") {
    for (const char* driver : {"veth", "ixgbe"}) {
        auto options = on("fake0");
        options.receives = false;
        fake_port fake({}, options, {.driver = driver});
        const bool primed = std::string(driver) == "ixgbe";
        CHECK(fake.pool().held_by(frame_holder::rx) == (primed ? 16u : 0u));
        burst packets;
        CHECK(fake.port->receive(packets) == 0);
        CHECK(fake.port->refill() == 0);
        fill_burst(fake.pool(), packets, 4);
        CHECK(fake.port->send(packets) == 4);
        fake.port->flush();
        CHECK(fake.socket().wire.size() == 4);
        fake.check();
        fake.close_and_check();
        CHECK(fake.pool().free_frames() == fake.pool().total());
    }
}

TEST_CASE("a port that only receives takes nothing to send") {
    auto options = on("fake0");
    options.transmits = false;
    fake_port fake({}, options);
    burst packets;
    fill_burst(fake.pool(), packets, 1);
    burst refused;
    CHECK(fake.port->send(packets, &refused) == 0);
    CHECK(refused.size() + packets.size() == 1);
    refused.clear();
    packets.clear();
    REQUIRE(fake.deliver(numbered(60, 1)));
    CHECK(fake.port->receive(packets) == 1);
    packets.clear();
    fake.close_and_check();
}

TEST_CASE("a port says in one line what it is") {
    fake_port fake;
    CHECK(fake.port->description() == "fake0 queue 0: " + to_string(fake.port->bound()) +
                                          ", 64 frames of 2048 bytes on 4 KiB pages");
    fake.close_and_check();
}
