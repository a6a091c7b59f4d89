// SPDX-License-Identifier: Apache-2.0
// Cancellation of one operation, from Boost 1.77 on; before, there is nothing to test.
#include <boost/asio/version.hpp>

#if BOOST_ASIO_VERSION >= 102000

#include <array>
#include <exception>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "support/asio_bench.hpp"
#include "support/catch.hpp"

using namespace skein;
using namespace std::chrono_literals;
using namespace boost::asio::experimental::awaitable_operators;
using test::asio_bench;
using test::outcome;
using xsk::port_event;
namespace asio = boost::asio;
using asio::cancellation_type;

namespace {

void rethrow(std::exception_ptr error) {
    if (error) std::rethrow_exception(error);
}

}  // namespace

TEST_CASE("a signal ends its own operation and no other") {
    asio_bench bench;
    asio::cancellation_signal signal;
    burst packets;
    outcome received;
    outcome waited;
    bench.port->async_receive(packets,
                              asio::bind_cancellation_slot(signal.slot(), received.take()));
    bench.port->async_wait(port_event::packets, waited.take_event());
    bench.settle();
    signal.emit(cancellation_type::total);
    CHECK(received.calls == 0);
    bench.settle();
    CHECK(received.calls == 1);
    CHECK(received.error == asio::error::operation_aborted);
    CHECK(waited.calls == 0);

    signal.emit(cancellation_type::all);  // of what is over
    bench.port->async_receive(packets, received.take());
    signal.emit(cancellation_type::all);  // of what never was its own
    bench.settle();
    CHECK(received.calls == 1);
    bench.deliver(test::numbered(60, 1));
    CHECK(bench.run_until([&] { return received.calls == 2; }));
    CHECK_FALSE(received.error);
}

TEST_CASE("a send half done cannot be cancelled as if it had not been") {
    asio_bench bench;
    bench.socket().hold_completions = true;
    asio::cancellation_signal signal;
    burst packets;
    outcome sent;
    test::fill_burst(bench.pool(), packets, 36);
    bench.port->async_send(packets, asio::bind_cancellation_slot(signal.slot(), sent.take()));
    bench.settle();
    signal.emit(cancellation_type::total);
    bench.settle();
    CHECK(sent.calls == 0);
    signal.emit(cancellation_type::partial);
    bench.settle();
    CHECK(sent.error == asio::error::operation_aborted);
    CHECK(sent.packets == 32);
    CHECK(packets.size() == 4);
    CHECK(bench.idle());
}

TEST_CASE("a signal may fire after its port is gone") {
    asio_bench bench;
    asio::cancellation_signal signal;
    burst packets;
    outcome received;
    bench.port->async_receive(packets,
                              asio::bind_cancellation_slot(signal.slot(), received.take()));
    bench.settle();
    bench.port.reset();
    signal.emit(cancellation_type::terminal);
    bench.settle();
    signal.emit(cancellation_type::terminal);
    CHECK(received.calls == 1);
}

TEST_CASE("receive or timer: the first one wins and ends the other") {
    asio_bench bench;
    std::array<std::size_t, 2> winner{9, 9};
    asio::co_spawn(
        bench.context,
        [&]() -> asio::awaitable<void> {
            burst packets;
            asio::steady_timer timer(bench.context, 5ms);
            winner[0] = (co_await (bench.port->async_receive(packets, asio::use_awaitable) ||
                                   timer.async_wait(asio::use_awaitable)))
                            .index();
            timer.expires_after(1h);
            winner[1] = (co_await (bench.port->async_receive(packets, asio::use_awaitable) ||
                                   timer.async_wait(asio::use_awaitable)))
                            .index();
        },
        rethrow);
    REQUIRE(bench.run_until([&] { return winner[0] != 9; }));
    CHECK(winner[0] == 1);
    bench.deliver(test::numbered(60, 1));
    REQUIRE(bench.run_until([&] { return winner[1] != 9; }));
    CHECK(winner[1] == 0);
    CHECK(bench.idle());
}

TEST_CASE("an operation may be put off and started later") {
    asio_bench bench;
    burst packets;
    outcome received;
    auto later = bench.port->async_receive(packets, asio::deferred);
    bench.deliver(test::numbered(60, 1));
    bench.settle();
    CHECK(packets.empty());
    std::move(later)(received.take());
    bench.deliver(test::numbered(60, 1));
    CHECK(bench.run_until([&] { return received.calls == 1; }));
    CHECK(packets.size() == 1);
}

#endif
