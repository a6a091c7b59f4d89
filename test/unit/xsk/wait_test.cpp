// SPDX-License-Identifier: Apache-2.0
// What waiting costs: which calls each strategy makes, and for how long it sleeps.
#include <skein/xsk/wait.hpp>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using std::chrono::milliseconds;
using xsk::wait_options;
using xsk::wait_strategy;
using xsk::waiter;

namespace {

// A port and a waiter for it.
struct waiting {
    explicit waiting(wait_options options, kernel_profile profile = {}, fake_device device = {})
        : fake(profile, on("fake0"), std::move(device)),
          ports{fake.port.get()},
          w(options, ports) {}

    std::uint64_t slept_ms(std::uint64_t since_ns) const {
        return (fake.kernel.now_ns() - since_ns) / 1'000'000;
    }

    fake_port fake;
    xsk::port* ports[1];
    waiter w;
};

}  // namespace

TEST_CASE("spinning makes no system call") {
    waiting spin({.strategy = wait_strategy::spin});
    const auto calls = spin.fake.kernel.calls();
    for (int i = 0; i < 100; ++i)
        spin.w.idle();
    CHECK(spin.fake.kernel.calls() == calls);
}

TEST_CASE("polling sleeps at once, for the longest time allowed where nothing comes") {
    waiting poll({.strategy = wait_strategy::poll, .longest = milliseconds{30}});
    const auto start = poll.fake.kernel.now_ns();
    poll.w.idle();
    CHECK(poll.fake.kernel.calls(call::poll) == 1);
    CHECK(poll.slept_ms(start) == 30);
}

TEST_CASE("an arriving packet ends the sleep, one that is there prevents it") {
    waiting poll({.strategy = wait_strategy::poll, .longest = milliseconds{30}});
    const auto start = poll.fake.kernel.now_ns();
    poll.fake.kernel.during_poll = [&] { poll.fake.deliver(numbered(60, 1)); };
    poll.w.idle();
    CHECK(poll.slept_ms(start) == 0);
    CHECK(poll.fake.kernel.calls(call::poll) == 1);
    poll.w.idle();
    CHECK(poll.fake.kernel.calls(call::poll) == 1);
}

TEST_CASE("the adaptive strategy yields first, and again after work") {
    waiting adaptive({.strategy = wait_strategy::adaptive, .adaptive_yields = 5});
    for (int i = 0; i < 5; ++i)
        adaptive.w.idle();
    CHECK(adaptive.fake.kernel.calls(call::yield) == 5);
    CHECK(adaptive.fake.kernel.calls(call::poll) == 0);
    adaptive.w.idle();
    CHECK(adaptive.fake.kernel.calls(call::poll) == 1);
    adaptive.w.worked();
    adaptive.w.idle();
    CHECK(adaptive.fake.kernel.calls(call::yield) == 6);
}

TEST_CASE("while frames are under way a sleep is short") {
    waiting poll({.strategy = wait_strategy::poll, .longest = milliseconds{100}});
    poll.fake.socket().hold_completions = true;
    burst packets;
    fill_burst(poll.fake.pool(), packets, 1);
    poll.fake.port->send(packets);
    poll.fake.port->flush();
    const auto start = poll.fake.kernel.now_ns();
    poll.w.idle();
    CHECK(poll.slept_ms(start) == 1);
}

TEST_CASE("packets that wait while nothing moves do not make a busy loop") {
    waiting poll({.strategy = wait_strategy::poll});
    REQUIRE(poll.fake.deliver(numbered(60, 1)));
    const auto start = poll.fake.kernel.now_ns();
    for (int i = 0; i < 100; ++i)
        poll.w.idle();
    CHECK(poll.slept_ms(start) > 80);
    CHECK(poll.fake.kernel.calls(call::poll) == 0);
}

TEST_CASE("busy polling asks the kernel for it and polls through recvfrom") {
    waiting busy({.strategy = wait_strategy::busy}, {}, {.driver = "veth", .napi_id = 17});
    CHECK(busy.w.notes().empty());
    busy.w.idle();
    CHECK(busy.fake.kernel.calls(call::wake_rx) == 1);
}

TEST_CASE("busy polling that cannot be had is noted with the reason") {
    waiting inert({.strategy = wait_strategy::busy});
    REQUIRE(inert.w.notes().size() == 1);
    CHECK(inert.w.notes()[0].find("no NAPI id") != std::string::npos);
}

TEST_CASE("busy polling that is not allowed is noted with the errno") {
    waiting refused({.strategy = wait_strategy::busy}, {.net_admin = false}, {.napi_id = 17});
    REQUIRE(refused.w.notes().size() == 1);
    CHECK(refused.w.notes()[0].find("EPERM") != std::string::npos);
}

TEST_CASE("closed ports are not polled") {
    waiting poll({.strategy = wait_strategy::poll, .longest = milliseconds{5}});
    poll.fake.port->close();
    const auto start = poll.fake.kernel.now_ns();
    poll.w.idle();
    CHECK(poll.slept_ms(start) == 5);
}
