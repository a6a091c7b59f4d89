// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>

#include "support/asio_bench.hpp"
#include "support/catch.hpp"

using namespace skein;
using namespace std::chrono_literals;
using test::asio_bench;
using test::outcome;
using xsk::port_event;
namespace asio = boost::asio;

namespace {

// All three kinds, pending: the send because COMPLETION is full.
struct pending {
    explicit pending(asio_bench& bench) {
        bench.socket().hold_completions = true;
        test::fill_burst(bench.pool(), packets, 36);
        bench.port->async_receive(received, receiving.take());
        bench.port->async_send(packets, sending.take());
        bench.port->async_wait(port_event::drained, waiting.take_event());
        bench.settle();
        REQUIRE(calls() == 0);
        REQUIRE(packets.size() == 4);
    }
    int calls() const { return receiving.calls + sending.calls + waiting.calls; }

    burst received;
    burst packets;
    outcome receiving;
    outcome sending;
    outcome waiting;
};

}  // namespace

TEST_CASE("cancel ends what is pending, by way of the loop, and says how much was sent") {
    asio_bench bench;
    pending operations(bench);
    bench.port->cancel();
    CHECK(operations.calls() == 0);
    bench.settle();
    CHECK(operations.receiving.error == asio::error::operation_aborted);
    CHECK(operations.sending.error == asio::error::operation_aborted);
    CHECK(operations.waiting.error == asio::error::operation_aborted);
    CHECK(operations.calls() == 3);
    CHECK(operations.sending.packets == 32);
    CHECK(operations.packets.size() == 4);
    CHECK(bench.idle());
    bench.port->cancel();  // of nothing
    CHECK(bench.idle());
    operations.packets.clear();
    bench.socket().complete_all();
    bench.check();
}

TEST_CASE("after cancel the next operations work, also before the cancelled ones are told") {
    asio_bench bench;
    burst packets;
    outcome cancelled;
    outcome received;
    bench.port->async_receive(packets, cancelled.take());
    bench.settle();
    bench.port->cancel();
    bench.port->async_receive(packets, received.take());
    bench.settle();
    CHECK(cancelled.error == asio::error::operation_aborted);
    CHECK(received.calls == 0);
    bench.deliver(test::numbered(60, 1));
    REQUIRE(bench.run_until([&] { return received.calls == 1; }));
    CHECK(received.packets == 1);
    CHECK(bench.idle());
}

TEST_CASE("closing cancels, gives the frames back, and later operations fail") {
    asio_bench bench;
    pending operations(bench);
    bench.socket().complete_all();
    bench.socket().hold_completions = false;
    const auto report = bench.port->close();
    CHECK(report.written_off.empty());
    CHECK(operations.calls() == 0);
    bench.settle();
    CHECK(operations.calls() == 3);
    CHECK(operations.sending.error == asio::error::operation_aborted);

    outcome late;
    burst none;
    bench.port->async_receive(none, late.take());
    bench.settle();
    CHECK(late.error == asio::error::bad_descriptor);
    bench.port->async_send(none, late.take());
    bench.settle();
    CHECK(late.error == asio::error::bad_descriptor);
    bench.port->async_wait(port_event::packets, late.take_event());
    bench.settle();
    CHECK(late.error == asio::error::bad_descriptor);
    CHECK(late.calls == 3);
    CHECK(bench.idle());
    CHECK(bench.kernel.open_sockets() == 0);
    operations.packets.clear();
    bench.check();
}

TEST_CASE("destroying a port cancels what is pending") {
    asio_bench bench;
    pending operations(bench);
    bench.socket().complete_all();
    bench.socket().hold_completions = false;
    bench.port.reset();
    CHECK(bench.kernel.open_sockets() == 0);
    CHECK(operations.calls() == 0);
    CHECK(bench.idle());
    CHECK(operations.calls() == 3);
    CHECK(operations.receiving.error == asio::error::operation_aborted);
}

TEST_CASE("a handler may destroy its port") {
    asio_bench bench;
    burst packets;
    int calls = 0;
    bench.port->async_wait(port_event::drained, [&](auto) { ++calls; });
    bench.port->async_receive(packets, [&](auto, auto) {
        ++calls;
        packets.clear();
        bench.port.reset();
    });
    bench.settle();
    bench.deliver(test::numbered(60, 1));
    REQUIRE(bench.run_until([&] { return calls == 2; }));
    CHECK(bench.idle());
    CHECK(bench.kernel.open_sockets() == 0);
}

TEST_CASE("a port may be moved while operations are pending") {
    asio_bench bench;
    burst packets;
    outcome received;
    bench.port->async_receive(packets, received.take());
    auto moved = std::move(*bench.port);
    bench.port.reset();
    bench.settle();
    bench.deliver(test::numbered(60, 1));
    REQUIRE(bench.run_until([&] { return received.calls == 1; }));
    CHECK(received.packets == 1);

    bench.kernel.add_device({.name = "fake1"});
    outcome aborted;
    packets.clear();
    moved.async_receive(packets, aborted.take());
    moved = xsk::asio_port(bench.context, bench.open(test::on("fake1")));
    bench.settle();
    CHECK(aborted.error == asio::error::operation_aborted);
    CHECK(bench.kernel.open_sockets() == 1);
}

TEST_CASE("a context that goes down destroys pending handlers without calling them") {
    test::fake_kernel kernel;
    kernel.give_real_descriptors();
    kernel.add_device({.name = "fake0"});
    const auto memory = test::make_memory();
    const auto token = std::make_shared<int>(0);
    burst packets;
    {
        asio::io_context context;
        auto port = std::make_shared<xsk::asio_port>(context, test::on("fake0"), memory, nullptr);
        auto& p = *port;
        // The handler owns the port, and the port its handler: a circle.
        p.async_receive(packets, [token, port](auto, auto) { FAIL("called"); });
        port.reset();
        context.poll();
        CHECK(token.use_count() == 2);
    }
    CHECK(token.use_count() == 1);
    CHECK(kernel.open_sockets() == 0);
}

TEST_CASE("a future whose operation was cancelled says so") {
    asio_bench bench;
    burst packets;
    auto received = bench.port->async_receive(packets, asio::use_future);
    bench.settle();
    bench.port->cancel();
    bench.settle();
    try {
        received.get();
        FAIL("no error");
    } catch (const boost::system::system_error& error) {
        CHECK(error.code() == asio::error::operation_aborted);
    }
}
