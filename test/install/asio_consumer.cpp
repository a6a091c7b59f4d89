// SPDX-License-Identifier: Apache-2.0
// A program as others write them over skein::asio: a coroutine on a port that cannot be opened.
#include <cstdio>
#include <exception>

#include <skein/xsk/asio.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace {

boost::asio::awaitable<void> reflect(boost::asio::io_context& context) {
    skein::xsk::asio_port port(context, skein::xsk::port_options{.interface = "no-such-dev"});
    for (skein::burst packets;;) {
        co_await port.async_receive(packets, boost::asio::use_awaitable);
        co_await port.async_send(packets, boost::asio::use_awaitable);
    }
}

}  // namespace

int main() {
    bool refused = false;
    boost::asio::io_context context;
    boost::asio::co_spawn(context, reflect(context), [&](std::exception_ptr failure) {
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (const skein::xsk::setup_error& error) {
            refused = error.interface() == "no-such-dev";
        }
    });
    context.run();
    if (!refused) std::puts("not so: a port on a device that does not exist refused");
    return refused ? 0 : 1;
}
