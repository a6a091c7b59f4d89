// SPDX-License-Identifier: Apache-2.0
// The judge judged: the fake kernel notices broken rules, and treats descriptors as kernels do.
#include <skein/xsk/socket.hpp>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
namespace uapi = xsk::uapi;

namespace {

// A socket whose rings the test writes itself, past the pool.
struct raw_socket {
    explicit raw_socket(kernel_profile profile = {}, std::uint32_t tx = 32) : kernel(profile) {
        kernel.add_device({.name = "fake0"});
        memory = make_memory();
        socket = std::make_unique<xsk::socket>(
            memory,
            xsk::socket_options{.interface = "fake0",
                                .rings = {.fill = 16, .rx = 16, .tx = tx, .completion = 64}});
    }

    void put_tx(std::initializer_list<descriptor> descriptors) {
        const auto slots = socket->tx().reserve(static_cast<std::uint32_t>(descriptors.size()));
        REQUIRE(slots.size() == descriptors.size());
        std::size_t i = 0;
        for (const auto& d : descriptors)
            slots[i++] = d;
        socket->tx().submit(static_cast<std::uint32_t>(descriptors.size()));
    }
    void put_fill(std::uint64_t address) {
        socket->fill().reserve(1)[0] = address;
        socket->fill().submit(1);
    }
    fake_socket& fake() { return kernel.socket("fake0"); }
    int kick() { return kernel.sys_wake(socket->fd(), true); }
    std::vector<std::uint64_t> completed() {
        std::vector<std::uint64_t> addresses;
        const auto found = socket->completion().peek(64);
        for (std::size_t i = 0; i < found.size(); ++i)
            addresses.push_back(found[i]);
        socket->completion().release(static_cast<std::uint32_t>(found.size()));
        return addresses;
    }
    // The one violation there is, taken.
    std::string violation() {
        kernel.observe();
        const auto all = kernel.take_violations();
        REQUIRE(all.size() == 1);
        return all.front();
    }

    fake_kernel kernel;
    std::shared_ptr<xsk::umem> memory;
    std::unique_ptr<xsk::socket> socket;
};

constexpr std::uint64_t free_frame = 40 * 2048;  // priming takes the lowest 16 of 64
constexpr std::uint32_t more = descriptor_continues;

using addresses = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a frame put into FILL twice is noticed") {
    raw_socket raw;
    raw.kernel.deliver("fake0", 0, numbered(60, 1));
    raw.put_fill(2048);  // still in FILL
    CHECK(raw.violation() == "FILL: frame 1 is in FILL");
}

TEST_CASE("a frame sent while it is the kernel's to receive into is noticed") {
    raw_socket raw;
    raw.put_tx({{2048, 60, 0}});
    CHECK(raw.violation() == "TX: frame 1 is in FILL");
}

TEST_CASE("a frame given to FILL before RX released it or TX completed it is noticed") {
    raw_socket raw;
    raw.kernel.deliver("fake0", 0, numbered(60, 1));
    raw.put_fill(0);
    CHECK(raw.violation() == "FILL: frame 0 is in RX");
    raw.fake().hold_completions = true;
    raw.put_tx({{free_frame, 60, 0}});
    raw.kick();
    raw.socket->rx().release(1);
    raw.kernel.deliver("fake0", 0, numbered(60, 1));
    raw.put_fill(free_frame);
    CHECK(raw.violation() == "FILL: frame 40 is under way in TX");
}

TEST_CASE("an address in FILL that is no frame's start is noticed") {
    raw_socket raw;
    raw.kernel.deliver("fake0", 0, numbered(60, 1));
    raw.put_fill(free_frame + 256);
    CHECK(raw.violation().find("no frame's start") != std::string::npos);
}

TEST_CASE("a consumer index beyond the producer is noticed") {
    raw_socket raw;
    raw.socket->rx().release(1);
    CHECK(raw.violation() == "RX: indices out of step");
    raw.socket.reset();
    CHECK_FALSE(raw.kernel.take_violations().empty());  // seen again at each call
}

TEST_CASE("an invalid descriptor stops the call, comes back, and spoils nothing else") {
    const auto size = std::uint64_t{64} * 2048;
    const descriptor invalid[] = {{free_frame, 0, 0},
                                  {free_frame, 2049, 0},
                                  {free_frame + 2000, 60, 0},
                                  {size, 60, 0},
                                  {free_frame, 60, 1u << 5}};
    for (const auto& bad : invalid) {
        raw_socket raw;
        raw.put_tx({bad, {free_frame + 2048, 60, 0}});
        CHECK(raw.kick() == 0);
        CHECK(raw.fake().statistics.tx_invalid_descriptors == 1);
        CHECK(raw.fake().wire.empty());
        CHECK(raw.completed() == addresses{bad.address});
        CHECK(raw.kick() == 0);
        CHECK(raw.fake().wire.size() == 1);
        CHECK(raw.completed() == addresses{free_frame + 2048});
    }
}

TEST_CASE("an older kernel swallows an invalid descriptor") {
    raw_socket raw(linux_6_1());
    raw.put_tx({{free_frame, 0, 0}});
    CHECK(raw.kick() == 0);
    CHECK(raw.completed().empty());
    CHECK(raw.fake().statistics.tx_invalid_descriptors == 1);
}

TEST_CASE("a bad descriptor inside a chain takes the whole packet, over two calls") {
    raw_socket raw;
    raw.put_tx({{free_frame, 60, more},
                {free_frame + 2048, 0, more},
                {free_frame + 4096, 60, 0},
                {free_frame + 6144, 60, 0}});
    CHECK(raw.kick() == 0);
    CHECK(raw.completed() == addresses{free_frame, free_frame + 2048});
    CHECK(raw.kick() == 0);
    CHECK(raw.completed() == addresses{free_frame + 4096, free_frame + 6144});
    CHECK(raw.fake().statistics.tx_invalid_descriptors == 2);
    CHECK(raw.fake().wire.size() == 1);
}

TEST_CASE("19 descriptors are dropped whole and completed, 18 are sent") {
    for (const std::uint32_t n : {18u, 19u}) {
        raw_socket raw;
        for (std::uint32_t i = 0; i < n; ++i)
            raw.put_tx({{free_frame + i * 2048, 60, i + 1 < n ? more : 0}});
        raw.put_tx({{free_frame + 20 * 2048, 60, 0}});
        CHECK(raw.kick() == 0);
        CHECK(raw.completed().size() == n + 1);
        CHECK(raw.fake().wire.size() == (n == 18 ? 2u : 1u));
        CHECK(raw.fake().statistics.tx_invalid_descriptors == (n == 18 ? 0u : 19u));
    }
}

TEST_CASE("a packet without its end waits in the kernel for the next call") {
    raw_socket raw;
    raw.put_tx({{free_frame, 60, more}});
    CHECK(raw.kick() == 0);
    CHECK(raw.completed().empty());
    CHECK(raw.socket->tx().pending() == 0);
    raw.put_tx({{free_frame + 2048, 40, 0}});
    CHECK(raw.kick() == 0);
    CHECK(raw.completed().size() == 2);
    CHECK(raw.fake().wire.at(0).size() == 100);
}

TEST_CASE("the device takes MTU + 18 bytes, and at least an Ethernet header") {
    raw_socket raw;
    raw.put_tx({{free_frame, 1518, 0}});
    CHECK(raw.kick() == 0);
    raw.put_tx({{free_frame + 2048, 1519, 0}});
    CHECK(raw.kick() == -EBUSY);
    raw.put_tx({{free_frame + 4096, 13, 0}});
    CHECK(raw.kick() == -EBUSY);
    CHECK(raw.completed().size() == 3);
    CHECK(raw.fake().wire.size() == 1);
}

TEST_CASE("a call sends its budget and says EAGAIN only where more waits") {
    raw_socket raw(linux_6_12(), 64);
    for (std::uint32_t i = 0; i < 40; ++i)
        raw.put_tx({{free_frame + i % 20 * 2048, 60, 0}});
    CHECK(raw.kick() == -EAGAIN);
    CHECK(raw.fake().wire.size() == 32);
    CHECK(raw.kick() == 0);
    CHECK(raw.fake().wire.size() == 40);
    raw.completed();
}

TEST_CASE("ring indices start where the profile says") {
    raw_socket raw({.first_index = 0xfffffff0});
    CHECK(raw.fake().tx->producer() == 0xfffffff0);
    CHECK(raw.fake().fill->producer() == 0);  // 16 primed
    CHECK(raw.fake().fill->waiting() == 16);
}
