// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <functional>
#include <thread>
#include <utility>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "support/allocation_count.hpp"
#include "support/asio_bench.hpp"
#include "support/catch.hpp"

using namespace skein;
using test::asio_bench;
using test::outcome;
namespace asio = boost::asio;

namespace {

// A handler with an allocator of its own, which counts.
struct tally {
    int allocated = 0;
    int freed = 0;
};
template <class T>
struct counting_allocator {
    using value_type = T;

    explicit counting_allocator(tally& of) : counts(&of) {}
    template <class Other>
    counting_allocator(const counting_allocator<Other>& other) : counts(other.counts) {}
    T* allocate(std::size_t n) {
        ++counts->allocated;
        return std::allocator<T>().allocate(n);
    }
    void deallocate(T* where, std::size_t n) {
        ++counts->freed;
        std::allocator<T>().deallocate(where, n);
    }
    bool operator==(const counting_allocator&) const = default;

    tally* counts;
};
struct allocating_handler {
    using allocator_type = counting_allocator<void>;

    allocator_type get_allocator() const noexcept { return allocator_type(*counts); }
    void operator()(test::error_code, std::size_t) {
        ++*calls;
        CHECK(counts->allocated == counts->freed);  // free before the handler runs
    }

    tally* counts;
    int* calls;
};

}  // namespace

TEST_CASE("a handler runs on the executor it is bound to, at once or after a wait") {
    asio_bench bench;
    asio::io_context elsewhere;
    burst packets;
    outcome received;
    const auto receive = [&] {
        bench.port->async_receive(packets,
                                  asio::bind_executor(elsewhere.get_executor(), received.take()));
    };
    receive();
    bench.settle();
    CHECK(elsewhere.poll() == 0);
    CHECK_FALSE(elsewhere.stopped());  // the pending operation is work there, too
    bench.deliver(test::numbered(60, 1));
    bench.run_until([&] { return !packets.empty(); });
    bench.settle();
    CHECK(received.calls == 0);
    CHECK(elsewhere.poll() == 1);
    CHECK(received.calls == 1);
    CHECK(elsewhere.stopped());

    bench.deliver(test::numbered(60, 2));
    receive();
    bench.settle();
    CHECK(received.calls == 1);
    elsewhere.restart();
    elsewhere.poll();
    CHECK(received.calls == 2);
    CHECK(packets.size() == 2);
}

TEST_CASE("a port on a strand is served by several threads, one at a time") {
    using strand = asio::strand<asio::io_context::executor_type>;
    asio_bench bench;
    bench.kernel.add_device({.name = "fake1"});
    auto memory = test::make_memory();
    xsk::basic_asio_port<strand> port(asio::make_strand(bench.context), test::on("fake1"), memory,
                                      nullptr);
    std::size_t sent = 0;
    burst packets;
    const strand& own = port.get_executor();
    std::function<void(test::error_code, std::size_t)> again = [&](auto error, auto n) {
        CHECK(own.running_in_this_thread());
        CHECK_FALSE(error);
        sent += n;
        if (sent == 1000) return;
        packets.push_back(test::packet_of(memory->pool(), test::numbered(60, 1)));
        port.async_send(packets, again);
    };
    asio::post(own, [&] { port.async_send(packets, again); });
    std::array<std::thread, 3> threads;
    for (auto& one : threads)
        one = std::thread([&] { bench.context.run(); });
    for (auto& one : threads)
        one.join();
    CHECK(sent == 1000);
    CHECK(bench.kernel.socket("fake1").sent_packets == 1000);
}

TEST_CASE("a handler's own allocator is used, and its memory is free before it runs") {
    asio_bench bench;
    bench.port.reset();
    xsk::basic_asio_port<asio::io_context::executor_type> port(bench.context,
                                                               bench.open(test::on("fake0")));
    burst packets;
    tally counts;
    int calls = 0;
    port.async_receive(packets, allocating_handler{&counts, &calls});
    CHECK(counts.allocated > 0);
    bench.settle();
    bench.deliver(test::numbered(60, 1));
    REQUIRE(bench.run_until([&] { return calls == 1; }));
    CHECK(counts.allocated == counts.freed);

    const auto before = counts.allocated;
    bench.deliver(test::numbered(60, 1));
    port.async_receive(packets, allocating_handler{&counts, &calls});
    bench.settle();
    CHECK(calls == 2);
    CHECK(counts.allocated > before);
    CHECK(counts.allocated == counts.freed);
}

TEST_CASE("an object is rebound to another executor, and knows its own") {
    using narrow = xsk::basic_asio_port<asio::io_context::executor_type>;
    using rebound = narrow::rebind_executor<asio::any_io_executor>::other;
    static_assert(std::is_same_v<rebound, xsk::asio_port>);
    asio_bench bench;
    bench.kernel.add_device({.name = "fake1"});
    const narrow port(bench.context, bench.open(test::on("fake1")));
    CHECK(port.get_executor() == bench.context.get_executor());
    CHECK(bench.port->get_executor() == asio::any_io_executor(bench.context.get_executor()));
    CHECK(port.next_layer().options().interface == "fake1");
}

namespace {

// Sends what it receives, by handlers alone. Each receive waits, each send is done at once.
struct echo_loop {
    void receive() {
        bench->port->async_receive(packets, [this](auto, auto) { send(); });
    }
    void send() {
        bench->port->async_send(packets, [this](auto, auto) {
            ++rounds;
            receive();
        });
    }

    asio_bench* bench;
    burst packets = {};
    std::size_t rounds = 0;
};

// Delivers a packet whenever the loop waits for one, and counts what is allocated in between, but
// for what the fake kernel allocates.
struct counted_feed {
    void operator()() {
        if (counting) allocations += test::allocation_count::stop();
        if (echo->rounds == 1100) return bench->context.stop();
        bench->kernel.observe();
        if (!bench->port->next_layer().has_packets()) bench->deliver(packet);
        counting = echo->rounds >= 100;
        if (counting) test::allocation_count::start();
        asio::post(bench->context, [this] { (*this)(); });
    }

    asio_bench* bench;
    echo_loop* echo;
    test::bytes packet = test::numbered(60, 1);
    bool counting = false;
    std::uint64_t allocations = 0;
};

}  // namespace

TEST_CASE("in the long run neither receiving nor sending nor waiting allocates anything") {
    asio_bench bench;
    bench.socket().record_wire = false;
    echo_loop echo{&bench};
    counted_feed feed{&bench, &echo};
    echo.receive();
    feed();
    bench.context.run();  // in one call, as a program does: what Asio keeps, it keeps for a thread
    CHECK(echo.rounds == 1100);
    CHECK(feed.allocations == 0);
}
