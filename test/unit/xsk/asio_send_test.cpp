// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "support/asio_bench.hpp"
#include "support/catch.hpp"

using namespace skein;
using namespace std::chrono_literals;
using test::asio_bench;
using test::fill_burst;
using test::outcome;
using xsk::port_event;
namespace asio = boost::asio;

namespace {

std::chrono::duration<double> cpu_time() {
    timespec spent{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return std::chrono::seconds{spent.tv_sec} + std::chrono::nanoseconds{spent.tv_nsec};
}

// COMPLETION is promised to 16 packets in flight: the kernel takes no more.
void fill_completion(asio_bench& bench) {
    burst packets;
    bench.socket().hold_completions = true;
    fill_burst(bench.pool(), packets, 16);
    bench.port->next_layer().send(packets);
    bench.port->next_layer().flush();
    REQUIRE(bench.socket().in_flight() == 16);
    REQUIRE(bench.socket().completion_room() == 0);
}

}  // namespace

TEST_CASE("what finds room is sent at once, flushed, and its handler posted") {
    asio_bench bench;
    burst packets;
    outcome sent;
    fill_burst(bench.pool(), packets, 5);
    bench.port->async_send(packets, sent.take());
    CHECK(sent.calls == 0);
    CHECK(packets.empty());
    CHECK(bench.socket().wire.size() == 5);
    bench.settle();
    CHECK(sent.calls == 1);
    CHECK_FALSE(sent.error);
    CHECK(sent.packets == 5);
    CHECK(bench.idle());
}

TEST_CASE("a send of nothing completes, and one of refused packets says how many went") {
    asio_bench bench;
    burst packets;
    outcome sent;
    bench.port->async_send(packets, sent.take());
    bench.settle();
    CHECK(sent.calls == 1);

    packets.push_back(test::packet_of(bench.pool(), test::numbered(10, 0)));
    fill_burst(bench.pool(), packets, 2);
    bench.port->async_send(packets, sent.take());
    bench.settle();
    CHECK_FALSE(sent.error);
    CHECK(sent.packets == 2);
    CHECK(packets.empty());
    auto counted = bench.port->next_layer().counters();
    CHECK(counted.refusals(xsk::tx_refusal::too_short).value() == 1);
}

TEST_CASE("a send of more than the ring holds waits for room and loses nothing") {
    asio_bench bench;
    bench.socket().hold_completions = true;
    burst packets;
    outcome sent;
    fill_burst(bench.pool(), packets, 40);
    bench.port->async_send(packets, sent.take());
    bench.settle();
    CHECK(sent.calls == 0);
    CHECK(packets.size() == 8);  // 16 in flight, 16 on the ring
    REQUIRE(bench.run_until([&] {
        bench.socket().complete_all();
        return sent.calls == 1;
    }));
    CHECK_FALSE(sent.error);
    CHECK(sent.packets == 40);
    REQUIRE(bench.socket().wire.size() == 40);
    for (unsigned i = 0; i < 40; ++i)
        CHECK(bench.socket().wire[i] == test::numbered(60, i));
    bench.socket().complete_all();
    bench.port->next_layer().recycle();
    CHECK(bench.idle());
    bench.check();
}

TEST_CASE("a second send fails and keeps its packets, the first goes on") {
    asio_bench bench;
    fill_completion(bench);
    burst packets;
    burst others;
    outcome first;
    outcome second;
    fill_burst(bench.pool(), packets, 1);
    fill_burst(bench.pool(), others, 1);
    bench.port->async_send(packets, first.take());
    bench.port->async_send(others, second.take());
    bench.settle();
    CHECK(second.error == asio::error::already_started);
    CHECK(others.size() == 1);
    CHECK(first.calls == 0);
    bench.socket().complete_all();
    REQUIRE(bench.run_until([&] { return first.calls == 1; }));
    CHECK_FALSE(first.error);
}

TEST_CASE("a send waits while the link is down, and ends when the device is removed") {
    asio_bench bench;
    bench.kernel.device("fake0").up = false;
    burst packets;
    outcome sent;
    fill_burst(bench.pool(), packets, 1);
    bench.port->async_send(packets, sent.take());
    asio::steady_timer later(bench.context, 30ms);
    bool up = false;
    later.async_wait([&](auto) {
        CHECK(sent.calls == 0);
        up = bench.kernel.device("fake0").up = true;
    });
    REQUIRE(bench.run_until([&] { return sent.calls == 1; }));
    CHECK(up);
    CHECK_FALSE(sent.error);
    CHECK(bench.socket().wire.size() == 1);

    bench.kernel.device("fake0").up = false;
    fill_burst(bench.pool(), packets, 1);
    bench.port->async_send(packets, sent.take());
    bench.settle();
    bench.kernel.remove_device("fake0");
    REQUIRE(bench.run_until([&] { return sent.calls == 2; }));
    CHECK(sent.error == boost::system::errc::no_such_device_or_address);
}

// The kernel has no event for a completion: the loop must neither spin nor sleep too long.
TEST_CASE("a full COMPLETION ring and no traffic: idle, and done within 10 ms of the completion") {
    asio_bench bench;
    std::vector<std::chrono::duration<double>> delays;
    std::vector<double> loads;
    for (int round = 0; round < 5; ++round) {
        fill_completion(bench);
        burst packets;
        outcome sent;
        fill_burst(bench.pool(), packets, 4);
        std::chrono::steady_clock::time_point done;
        bench.port->async_send(packets, [&](test::error_code error, std::size_t n) {
            done = std::chrono::steady_clock::now();
            sent.take()(error, n);
        });
        const auto cpu_before = cpu_time();
        const auto start = std::chrono::steady_clock::now();
        bench.context.restart();
        bench.context.run_for(300ms);
        const auto end = std::chrono::steady_clock::now();
        loads.push_back((cpu_time() - cpu_before) / (end - start));
        REQUIRE(sent.calls == 0);

        const auto completed = std::chrono::steady_clock::now();
        bench.socket().complete_all();
        bench.context.run();  // ends by itself: nothing else is pending
        REQUIRE(sent.calls == 1);
        CHECK(sent.packets == 4);
        delays.push_back(done - completed);
        bench.socket().complete_all();
        bench.port->next_layer().recycle();
    }
    // A machine that is busy with other things may be late once or twice.
    std::sort(delays.begin(), delays.end());
    std::sort(loads.begin(), loads.end());
    CHECK(delays[2] < 10ms);
    CHECK(loads[2] < 0.05);
    bench.check();
}

TEST_CASE("one may wait for packets, room, frames, and for everything to be completed") {
    asio_bench bench;
    auto& port = bench.port->next_layer();
    outcome waited;
    const auto wait = [&](port_event event) {
        waited = {};
        bench.port->async_wait(event, waited.take_event());
        bench.settle();
        return waited.calls == 1;
    };
    CHECK(wait(port_event::room));
    CHECK(wait(port_event::frames));
    CHECK(wait(port_event::drained));

    CHECK_FALSE(wait(port_event::packets));
    bench.deliver(test::numbered(60, 1));
    CHECK(bench.run_until([&] { return waited.calls == 1; }));
    CHECK(port.has_packets());
    CHECK(wait(port_event::packets));

    fill_completion(bench);
    burst packets;
    fill_burst(bench.pool(), packets, 16);
    port.send(packets);
    CHECK_FALSE(wait(port_event::room));
    outcome second;
    bench.port->async_wait(port_event::frames, second.take_event());
    bench.settle();
    CHECK(second.error == asio::error::already_started);
    bench.socket().complete_all();
    CHECK(bench.run_until([&] { return waited.calls == 1; }));
    CHECK(port.has_room());

    CHECK_FALSE(wait(port_event::drained));
    CHECK(bench.run_until([&] {
        bench.socket().complete_all();
        return waited.calls == 1;
    }));
    CHECK(port.under_way() == 0);

    burst held;
    while (port.pool().free_frames() != 0)
        held.push_back(test::packet_of(bench.pool(), test::numbered(60, 0)));
    CHECK_FALSE(wait(port_event::frames));
    held.clear();
    CHECK(bench.run_until([&] { return waited.calls == 1; }));
    CHECK(bench.idle());
}

TEST_CASE("with a zero-copy driver a send ends when it is on the ring") {
    test::fake_kernel kernel;
    kernel.give_real_descriptors();
    kernel.add_device({.name = "fake0", .zero_copy = true});
    const auto memory = test::make_memory();
    asio::io_context context;
    xsk::asio_port port(context, test::on("fake0"), memory, nullptr);
    REQUIRE(port.next_layer().bound().zero_copy);
    burst packets;
    outcome sent;
    fill_burst(memory->pool(), packets, 3);
    port.async_send(packets, sent.take());
    context.run();
    CHECK(sent.calls == 1);
    CHECK(sent.packets == 3);
}
