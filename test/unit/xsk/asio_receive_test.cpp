// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <future>

#include <boost/asio/use_future.hpp>

#include "support/asio_bench.hpp"
#include "support/catch.hpp"

using namespace skein;
using test::asio_bench;
using test::numbered;
using test::outcome;
namespace asio = boost::asio;

TEST_CASE("packets that are there are received at once, and the handler is posted") {
    asio_bench bench;
    burst packets;
    outcome received;
    bench.port->next_layer().refill();
    bench.deliver(numbered(60, 1));
    bench.deliver(numbered(60, 2));
    const auto calls = bench.kernel.calls();

    bench.port->async_receive(packets, received.take());
    CHECK(received.calls == 0);
    CHECK(packets.size() == 2);
    CHECK(bench.kernel.calls() == calls);
    bench.settle();
    CHECK(received.calls == 1);
    CHECK_FALSE(received.error);
    CHECK(received.packets == 2);
    CHECK(bench.idle());
}

TEST_CASE("a receive waits for the descriptor, and lets go of the loop afterwards") {
    asio_bench bench;
    burst packets;
    outcome received;
    bench.port->async_receive(packets, received.take());
    bench.settle();
    CHECK(received.calls == 0);
    CHECK_FALSE(bench.context.stopped());

    bench.deliver(numbered(60, 7));
    REQUIRE(bench.run_until([&] { return received.calls == 1; }));
    CHECK_FALSE(received.error);
    CHECK(received.packets == 1);
    CHECK(test::bytes_of(packets[0]) == numbered(60, 7));
    CHECK(bench.idle());
    packets.clear();
    bench.check();
}

TEST_CASE("a receive appends to what a burst holds, up to its capacity") {
    asio_bench bench;
    burst packets;
    outcome received;
    for (std::size_t i = 0; i < burst::capacity; ++i)
        packets.push_back(packet(bench.pool()));
    bench.port->async_receive(packets, received.take());
    bench.settle();
    CHECK(received.error == asio::error::no_buffer_space);

    packets.clear();
    test::fill_burst(bench.pool(), packets, 1);
    bench.port->next_layer().refill();
    bench.deliver(numbered(60, 1));
    bench.port->async_receive(packets, received.take());
    bench.settle();
    CHECK(received.packets == 1);
    CHECK(packets.size() == 2);
}

TEST_CASE("a second receive fails, the first goes on") {
    asio_bench bench;
    burst packets;
    burst others;
    outcome first;
    outcome second;
    bench.port->async_receive(packets, first.take());
    bench.port->async_receive(others, second.take());
    bench.settle();
    CHECK(second.error == asio::error::already_started);
    CHECK(first.calls == 0);
    bench.deliver(numbered(60, 1));
    REQUIRE(bench.run_until([&] { return first.calls == 1; }));
    CHECK(first.packets == 1);
}

TEST_CASE("a receive may be awaited by a future") {
    asio_bench bench;
    burst packets;
    auto received = bench.port->async_receive(packets, asio::use_future);
    bench.settle();
    bench.deliver(numbered(60, 1));
    REQUIRE(bench.run_until(
        [&] { return received.wait_for(std::chrono::seconds{0}) == std::future_status::ready; }));
    CHECK(received.get() == 1);
}

TEST_CASE("a handler may start the next receive, for as long as there are packets") {
    asio_bench bench;
    burst packets;
    std::size_t count = 0;
    std::function<void(test::error_code, std::size_t)> again = [&](auto error, auto n) {
        REQUIRE_FALSE(error);
        count += n;
        packets.clear();
        if (count < 100) bench.port->async_receive(packets, again);
    };
    bench.port->async_receive(packets, again);
    for (unsigned sent = 0; sent < 100;) {
        if (bench.deliver(numbered(60, sent))) ++sent;
        bench.settle();
    }
    REQUIRE(bench.run_until([&] { return count == 100; }));
    CHECK(bench.idle());
    bench.check();
}

TEST_CASE("a receive ends with an error soon after its device was removed") {
    asio_bench bench;
    burst packets;
    outcome received;
    bench.port->async_receive(packets, received.take());
    bench.settle();
    bench.kernel.remove_device("fake0");
    REQUIRE(bench.run_until([&] { return received.calls == 1; }));
    CHECK(received.error == boost::system::errc::no_such_device_or_address);
    CHECK(bench.idle());

    bench.port->async_receive(packets, received.take());
    bench.settle();
    CHECK(received.calls == 2);
    CHECK(received.error == boost::system::errc::no_such_device_or_address);
}

TEST_CASE("a receive outlives a link that is down") {
    asio_bench bench;
    burst packets;
    outcome received;
    bench.port->async_receive(packets, received.take());
    bench.kernel.device("fake0").up = false;
    CHECK_FALSE(bench.run_until(
        [&, until = std::chrono::steady_clock::now() + std::chrono::milliseconds{1200}] {
            if (std::chrono::steady_clock::now() > until) bench.context.stop();
            return received.calls != 0;
        }));
    CHECK(bench.port->next_layer().status() == xsk::port_status::link_down);
    bench.kernel.device("fake0").up = true;
    bench.deliver(numbered(60, 1));
    REQUIRE(bench.run_until([&] { return received.calls == 1; }));
    CHECK(received.packets == 1);
}

TEST_CASE("frames under way come back while packets are awaited, so that FILL does not starve") {
    asio_bench bench({}, [] {
        auto options = test::on("fake0");
        options.reserve_frames = 0;
        return options;
    }());
    bench.socket().hold_completions = true;
    auto& port = bench.port->next_layer();
    burst packets;
    while (bench.pool().free_frames() != 0 && port.under_way() < 16) {
        test::fill_burst(bench.pool(), packets, 1);
        port.send(packets);
    }
    port.flush();
    port.refill();
    CHECK(port.under_way() == 16);

    outcome received;
    bench.port->async_receive(packets, received.take());
    bench.settle();
    const auto free_before = bench.pool().free_frames();
    bench.socket().complete_all();
    CHECK(bench.run_until([&] { return port.under_way() == 0; }));
    CHECK(bench.pool().free_frames() > free_before);
    CHECK(received.calls == 0);
}

TEST_CASE("a port without RX receives nothing, one without TX sends nothing") {
    auto only_tx = test::on("fake0");
    only_tx.receives = false;
    outcome refused;
    burst packets;
    {
        asio_bench bench({}, only_tx);
        bench.port->async_receive(packets, refused.take());
        bench.settle();
        CHECK(refused.error == asio::error::operation_not_supported);
    }
    auto only_rx = test::on("fake0");
    only_rx.transmits = false;
    asio_bench bench({}, only_rx);
    bench.port->async_send(packets, refused.take());
    bench.settle();
    CHECK(refused.calls == 2);
    CHECK(refused.error == asio::error::operation_not_supported);
}
