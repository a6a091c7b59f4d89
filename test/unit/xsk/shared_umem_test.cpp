// SPDX-License-Identifier: Apache-2.0
// Several sockets over one memory: shared where the modes agree, registered anew where they do not.
#include <skein/xsk/error.hpp>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::choice;
namespace uapi = xsk::uapi;

TEST_CASE("a frame received on one device leaves on another without being copied") {
    fake_kernel kernel;
    kernel.add_device({.name = "left"});
    kernel.add_device({.name = "right"});
    auto memory = make_memory(128);
    {
        xsk::port left(on("left"), memory, nullptr);
        xsk::port right(on("right"), memory, nullptr);
        CHECK_FALSE(left.bound().shared_umem);
        CHECK(right.bound().shared_umem);
        CHECK(right.bound().scatter_gather);
        CHECK(right.bound().need_wakeup);
        CHECK(kernel.binds().back().flags == uapi::bind_shared_umem);
        burst packets;
        for (unsigned i = 0; i < 200; ++i) {
            REQUIRE(kernel.deliver("left", 0, numbered(60, i)));
            REQUIRE(left.receive(packets) == 1);
            const auto frame = packets[0].front();
            REQUIRE(right.send(packets) == 1);
            right.flush();
            REQUIRE(kernel.socket("right").wire.back() == numbered(60, i));
            CHECK(frame.offset == 256);
            right.recycle();
            ledger_check(kernel, *memory);
        }
        left.refill();
        CHECK(memory->ledger().fill == 32);
    }
    CHECK(memory->pool().free_frames() == 128);
    memory.reset();
}

TEST_CASE("several queues of one device share a memory, each with its own rings") {
    fake_kernel kernel;
    kernel.add_device({.name = "fake0", .queues = 4});
    auto memory = make_memory(128);
    {
        std::vector<std::unique_ptr<xsk::port>> ports;
        for (std::uint32_t queue = 0; queue < 4; ++queue) {
            ports.push_back(std::make_unique<xsk::port>(on("fake0", queue), memory, nullptr));
            CHECK(ports.back()->bound().shared_umem == (queue != 0));
        }
        burst packets;
        for (std::uint32_t queue = 0; queue < 4; ++queue) {
            REQUIRE(kernel.deliver("fake0", queue, numbered(60, queue)));
            REQUIRE(ports[queue]->receive(packets) == 1);
            CHECK(bytes_of(packets[0]) == numbered(60, queue));
            packets.clear();
        }
        ledger_check(kernel, *memory);
        // The first may go before the others; a new one then joins those that stay.
        ports[0].reset();
        CHECK(kernel.deliver("fake0", 1, numbered(60, 1)));
        ports[0] = std::make_unique<xsk::port>(on("fake0", 0), memory, nullptr);
        CHECK(ports[0]->bound().shared_umem);
        ledger_check(kernel, *memory);
    }
    CHECK(memory->pool().free_frames() == 128);
    memory.reset();
}

TEST_CASE("where sharing is refused the same memory is registered once more") {
    fake_kernel kernel;
    kernel.add_device({.name = "nic", .zero_copy = true});
    kernel.add_device({.name = "veth"});
    auto memory = make_memory(128);
    {
        xsk::port nic(on("nic"), memory, nullptr);
        REQUIRE(nic.bound().zero_copy);
        xsk::port veth(on("veth"), memory, nullptr);
        CHECK_FALSE(veth.bound().shared_umem);
        CHECK_FALSE(veth.bound().zero_copy);
        CHECK(nic.bound().zero_copy);
        burst packets;
        REQUIRE(kernel.deliver("nic", 0, numbered(60, 5)));
        REQUIRE(nic.receive(packets) == 1);
        REQUIRE(veth.send(packets) == 1);
        veth.flush();
        CHECK(kernel.socket("veth").wire.back() == numbered(60, 5));
        ledger_check(kernel, *memory);
    }
    CHECK(memory->pool().free_frames() == 128);
    memory.reset();
}

TEST_CASE("sharing is not tried where the first socket's mode is not the one asked for") {
    fake_kernel kernel;
    kernel.add_device({.name = "small"});
    kernel.add_device({.name = "jumbo", .mtu_bytes = 9000});
    kernel.add_device({.name = "nic", .zero_copy = true});
    auto memory = make_memory(128);
    {
        auto plain = on("small");
        plain.scatter_gather = choice::forbidden;
        xsk::port small(plain, memory, nullptr);
        REQUIRE_FALSE(small.bound().scatter_gather);
        // Shared, it would lose every jumbo frame without a word.
        xsk::port jumbo(on("jumbo"), memory, nullptr);
        CHECK_FALSE(jumbo.bound().shared_umem);
        CHECK(jumbo.bound().scatter_gather);
        auto wish = on("nic");
        wish.zero_copy = choice::required;
        xsk::port nic(wish, memory, nullptr);
        CHECK_FALSE(nic.bound().shared_umem);
        CHECK(nic.bound().zero_copy);
        burst packets;
        REQUIRE(kernel.deliver("jumbo", 0, numbered(9000, 1)));
        CHECK(jumbo.receive(packets) == 1);
        packets.clear();
        ledger_check(kernel, *memory);
    }
    CHECK(memory->pool().free_frames() == 128);
    memory.reset();
}

TEST_CASE("names of lenders are used again once nothing is out under them") {
    fake_kernel kernel;
    kernel.add_device({.name = "fake0", .queues = 300});
    auto memory = make_memory(2048);
    {
        std::vector<std::unique_ptr<xsk::socket>> sockets;
        const auto open = [&](std::uint32_t queue) {
            return std::make_unique<xsk::socket>(
                memory,
                xsk::socket_options{.interface = "fake0",
                                    .queue = queue,
                                    .rings = {.fill = 4, .rx = 4, .tx = 4, .completion = 4}});
        };
        for (std::uint32_t queue = 0; queue < max_lenders; ++queue)
            sockets.push_back(open(queue));
        CHECK_THROWS_AS(open(max_lenders), xsk::setup_error);
        sockets[17].reset();
        auto late = open(max_lenders);
        CHECK(late->lender() == 17);
    }
    CHECK(memory->pool().free_frames() == 2048);
    memory.reset();
}
