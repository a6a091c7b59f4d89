// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "support/asio_bench.hpp"
#include "support/catch.hpp"

using namespace skein;
using test::asio_bench;
using test::numbered;
using xsk::port_event;
namespace asio = boost::asio;

namespace {

asio::awaitable<void> echo(xsk::asio_port& port, std::size_t& count, std::size_t most) {
    burst packets;
    while (count < most) {
        co_await port.async_receive(packets, asio::use_awaitable);
        count += co_await port.async_send(packets, asio::use_awaitable);
    }
    co_await port.async_wait(port_event::drained, asio::use_awaitable);
}

void rethrow(std::exception_ptr error) {
    if (error) std::rethrow_exception(error);
}

}  // namespace

TEST_CASE("a coroutine receives and sends") {
    asio_bench bench;
    std::size_t count = 0;
    asio::co_spawn(bench.context, echo(*bench.port, count, 100), rethrow);
    for (unsigned i = 0; i < 100;) {
        bench.settle();
        if (bench.deliver(numbered(60, i))) ++i;
    }
    REQUIRE(bench.run_until([&] { return count == 100; }));
    REQUIRE(bench.socket().wire.size() == 100);
    for (unsigned i = 0; i < 100; ++i)
        CHECK(bench.socket().wire[i] == numbered(60, i));
    CHECK(bench.idle());
    bench.check();
}

TEST_CASE("in a coroutine an error is an exception, or a value where it is asked for") {
    asio_bench bench;
    bool thrown = false;
    test::error_code seen;
    asio::co_spawn(
        bench.context,
        [&]() -> asio::awaitable<void> {
            burst packets;
            try {
                co_await bench.port->async_receive(packets, asio::use_awaitable);
            } catch (const boost::system::system_error& error) {
                thrown = error.code() == asio::error::operation_aborted;
            }
            co_await bench.port->async_receive(packets,
                                               asio::redirect_error(asio::use_awaitable, seen));
        },
        rethrow);
    bench.settle();
    bench.port->cancel();
    bench.settle();
    CHECK(thrown);
    bench.port->cancel();
    bench.settle();
    CHECK(seen == asio::error::operation_aborted);
    CHECK(bench.idle());
}

TEST_CASE("use_awaitable may be the default of a port") {
    using awaiting_port = asio::use_awaitable_t<>::as_default_on_t<xsk::asio_port>;
    asio_bench bench;
    bench.kernel.add_device({.name = "fake1"});
    awaiting_port port(bench.context, bench.open(test::on("fake1")));
    std::size_t received = 0;
    asio::co_spawn(
        bench.context,
        [&]() -> asio::awaitable<void> {
            burst packets;
            co_await port.async_wait(port_event::room);
            received = co_await port.async_receive(packets);
            co_await port.async_send(packets);
        },
        rethrow);
    bench.settle();
    bench.kernel.deliver("fake1", 0, numbered(60, 1));
    CHECK(bench.run_until([&] { return bench.kernel.socket("fake1").sent_packets == 1; }));
    CHECK(received == 1);
}

TEST_CASE("a coroutine that owns its port goes down with the context") {
    test::fake_kernel kernel;
    kernel.give_real_descriptors();
    kernel.add_device({.name = "fake0"});
    const auto memory = test::make_memory();
    const auto token = std::make_shared<int>(0);
    {
        asio::io_context context;
        xsk::asio_port port(context, test::on("fake0"), memory, nullptr);
        asio::co_spawn(
            context,
            [](xsk::asio_port own, std::shared_ptr<int>) -> asio::awaitable<void> {
                burst packets;
                co_await own.async_receive(packets, asio::use_awaitable);
            }(std::move(port), token),
            asio::detached);
        context.poll();
        CHECK(token.use_count() == 2);
    }
    CHECK(token.use_count() == 1);
    CHECK(kernel.open_sockets() == 0);
    test::ledger_check(kernel, *memory);
}
