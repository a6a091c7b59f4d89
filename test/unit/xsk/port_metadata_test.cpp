// SPDX-License-Identifier: Apache-2.0
// Times of sent packets, and a kernel that rejects a request for good.
#include <array>
#include <cstring>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::port_status;
using xsk::tx_timestamp;

namespace {

xsk::port_options asking(std::size_t times = 8) {
    auto options = on("fake0");
    options.tx_metadata = xsk::choice::required;
    options.tx_timestamps = times;
    return options;
}

packet stamped(fake_port& fake, unsigned number) {
    auto p = packet_of(fake.pool(), numbered(60, number));
    p.request_timestamp();
    p.timestamp_ns = number;
    return p;
}

std::uint64_t trouble(const xsk::port& port, xsk::tx_trouble kind) {
    return port.counters().trouble[static_cast<std::size_t>(kind)].value();
}

// A port whose second of three packets the kernel rejects: somebody spoilt its metadata in between.
void send_one_that_sticks(fake_port& fake) {
    burst packets;
    for (unsigned i = 0; i < 3; ++i)
        packets.push_back(stamped(fake, i));
    const auto second = packets[1].front();
    REQUIRE(fake.port->send(packets) == 3);
    std::memset(fake.pool().area().bytes(second).data() - 24, 0xff, 8);
    fake.port->flush();
}

}  // namespace

TEST_CASE("times come with completions, in their order, whatever order packets were sent in") {
    fake_port fake({}, asking());
    fake.socket().hold_completions = true;
    burst packets;
    for (unsigned i = 1; i <= 3; ++i)
        packets.push_back(stamped(fake, i));
    fill_burst(fake.pool(), packets, 2);  // and two that ask for nothing
    REQUIRE(fake.port->send(packets) == 5);
    fake.port->flush();
    std::array<tx_timestamp, 8> times{};
    CHECK(fake.port->take_timestamps(times) == 0);
    fake.socket().complete_nth(2);
    fake.socket().clock_tai_ns += 10;
    fake.socket().complete_all();
    fake.port->recycle();
    REQUIRE(fake.port->take_timestamps(times) == 3);
    CHECK(times[0].packet_ns == 3);
    CHECK(times[1].packet_ns == 1);
    CHECK(times[2].packet_ns == 2);
    CHECK(times[2].sent_ns == times[0].sent_ns + 10);
    CHECK(fake.port->take_timestamps(times) == 0);
    CHECK(fake.port->counters().timestamps_lost.value() == 0);
    fake.close_and_check();
}

TEST_CASE("times that find no room are counted, and there is room again once some were taken") {
    fake_port fake({}, asking(2));
    std::array<tx_timestamp, 1> one{};
    for (unsigned i = 0; i < 3; ++i) {
        burst packets;
        packets.push_back(stamped(fake, i));
        REQUIRE(fake.port->send(packets) == 1);
        fake.port->flush();
    }
    CHECK(fake.port->counters().timestamps_lost.value() == 1);
    for (unsigned i = 3; i < 9; ++i) {
        REQUIRE(fake.port->take_timestamps(one) == 1);
        burst packets;
        packets.push_back(stamped(fake, i));
        REQUIRE(fake.port->send(packets) == 1);
        fake.port->flush();
    }
    CHECK(fake.port->counters().timestamps_lost.value() == 1);
    REQUIRE(fake.port->take_timestamps(one) == 1);
    CHECK(one[0].packet_ns == 7);
    fake.close_and_check();
}

TEST_CASE("a time the kernel did not write is none, also beside a checksum request") {
    fake_port fake({}, asking());
    fake.socket().hold_completions = true;
    auto p = stamped(fake, 1);
    p.request_checksum(34, 16);
    const auto address = fake.pool().area().address_of(p.front());
    burst packets;
    packets.push_back(std::move(p));
    REQUIRE(fake.port->send(packets) == 1);
    fake.port->flush();
    fake.socket().forget_all();  // it never comes back by itself
    fake.socket().post_completion(address);
    fake.port->recycle();
    std::array<tx_timestamp, 1> one{};
    CHECK(fake.port->take_timestamps(one) == 0);
    CHECK(fake.port->counters().timestamps_lost.value() == 1);
    fake.port->close();
}

TEST_CASE("a port without metadata has no times") {
    fake_port fake;
    std::array<tx_timestamp, 1> one{};
    CHECK(fake.port->take_timestamps(one) == 0);
}

TEST_CASE("a descriptor the kernel rejects for good makes the port stuck, not busy for ever") {
    fake_port fake({}, asking());
    send_one_that_sticks(fake);
    CHECK(fake.port->status() == port_status::tx_stuck);
    CHECK(trouble(*fake.port, xsk::tx_trouble::rejected) == 1);
    CHECK(fake.socket().sent_packets == 1);
    const auto calls = fake.kernel.calls(call::wake_tx);
    for (int i = 0; i < 10; ++i)
        fake.port->flush();
    CHECK(fake.kernel.calls(call::wake_tx) == calls);
    CHECK(fake.port->probe() == port_status::tx_stuck);
    // It still receives.
    CHECK(fake.deliver(numbered(60, 9)));
    burst packets;
    CHECK(fake.port->receive(packets) == 1);
    packets.clear();
    fake.port->close();
}

TEST_CASE("what the kernel completes though it is stuck on the ring is not believed") {
    fake_port fake({}, asking());
    send_one_that_sticks(fake);
    CHECK(fake.port->under_way() == 2);  // the first came back
    CHECK(fake.port->counters().completion_refused.value() == 1);
    const auto free_before = fake.pool().free_frames();
    for (int i = 0; i < 3; ++i) {
        fake.socket().transmit();  // as poll() does: one more of the same address each time
        fake.port->recycle();
    }
    CHECK(fake.pool().free_frames() == free_before);
    CHECK(fake.port->counters().completion_refused.value() == 4);
    CHECK(fake.port->under_way() == 2);
    fake.port->close();
}

TEST_CASE("closing a stuck port waits for nothing and gives every frame back") {
    fake_port fake({}, asking());
    send_one_that_sticks(fake);
    const auto before = fake.kernel.now_ns();
    const auto report = fake.close_and_check();
    CHECK(fake.kernel.now_ns() - before < 1'000'000);
    CHECK(report.unsent_descriptors == 2);
    CHECK(report.written_off.empty());
    CHECK(fake.pool().free_frames() == fake.pool().total());
}
