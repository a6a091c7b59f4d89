// SPDX-License-Identifier: Apache-2.0
// Busy polling: asked for, never required, and its outcome told.
#include <skein/xsk/busy_poll.hpp>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein::test;
using skein::xsk::busy_poll_options;

namespace {

skein::xsk::port_options polled() {
    auto options = on("fake0");
    options.busy_poll = busy_poll_options{};
    return options;
}

bool mentions(const skein::xsk::port& port, const char* text) {
    return to_string(port.busy_polling()).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("busy polling that is not asked for is not spoken of") {
    fake_port fake;
    CHECK_FALSE(fake.port->busy_polling().obtained);
    CHECK(fake.port->description().find("busy polling") == std::string::npos);
}

TEST_CASE("busy polling on a device that is set up for it has nothing to note") {
    fake_port fake(
        {}, polled(),
        {.driver = "ice", .napi_id = 17, .napi_defer_hard_irqs = 2, .gro_flush_timeout = 200000});
    CHECK(fake.port->busy_polling().obtained);
    CHECK(fake.port->busy_polling().napi_id == 17);
    CHECK(fake.port->busy_polling().notes.empty());
    CHECK(fake.port->description().find(", busy polling, ") != std::string::npos);
}

TEST_CASE("on veth busy polling is granted and without effect, and that is said") {
    fake_port fake({}, polled());
    CHECK(fake.port->busy_polling().obtained);
    CHECK(fake.port->busy_polling().notes.size() == 1);
    CHECK(mentions(*fake.port, "busy polling has no effect on this device"));
}

TEST_CASE("settings that let interrupts go on are named with the command that changes them") {
    fake_port fake({}, polled(), {.driver = "ice", .napi_id = 17});
    CHECK(fake.port->busy_polling().notes.size() == 2);
    CHECK(mentions(*fake.port,
                   "napi_defer_hard_irqs is 0, so interrupts go on: sh -c 'echo 2 > "
                   "/sys/class/net/fake0/napi_defer_hard_irqs'"));
    CHECK(mentions(*fake.port, "echo 200000 > /sys/class/net/fake0/gro_flush_timeout"));
}

TEST_CASE("busy polling without the capability is reported, and the port works") {
    fake_port fake({.net_admin = false}, polled(), {.napi_id = 17});
    CHECK_FALSE(fake.port->busy_polling().obtained);
    CHECK(mentions(*fake.port, "no busy polling"));
    CHECK(mentions(*fake.port, "EPERM"));
    CHECK(mentions(*fake.port, "CAP_NET_ADMIN"));
    CHECK(fake.deliver(numbered(60, 1)));
}

TEST_CASE("a kernel without the options says so by name") {
    fake_kernel kernel;
    kernel.add_device({.name = "fake0"});
    kernel.fail_option(skein::xsk::uapi::so_prefer_busy_poll, ENOPROTOOPT);
    skein::xsk::port port(polled(), make_memory(), nullptr);
    CHECK(mentions(port, "ENOPROTOOPT"));
}
