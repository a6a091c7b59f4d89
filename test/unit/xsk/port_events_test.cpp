// SPDX-License-Identifier: Apache-2.0
// What a port makes of what a watch tells.
#include <skein/xsk/device_watch.hpp>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::device_change;
using xsk::device_watch;
using xsk::port_status;

namespace {

void pass_on(device_watch& watch, xsk::port& port) {
    while (const auto event = watch.next())
        port.handle(*event);
}

}  // namespace

TEST_CASE("a port's status follows its link, and its name its device") {
    fake_port fake;
    device_watch watch("fake0");
    fake.kernel.change_device("fake0", [](auto& d) { d.up = false; });
    pass_on(watch, *fake.port);
    CHECK(fake.port->status() == port_status::link_down);
    fake.kernel.change_device("fake0", [](auto& d) {
        d.up = true;
        d.name = "renamed0";
    });
    pass_on(watch, *fake.port);
    CHECK(fake.port->status() == port_status::ready);
    CHECK(fake.port->device() == "renamed0");
    CHECK(fake.port->description().find("renamed0 queue 0") == 0);
    fake.kernel.remove_device("renamed0");
    pass_on(watch, *fake.port);
    CHECK(fake.port->status() == port_status::device_gone);
    fake.port->close();
    CHECK(fake.port->status() == port_status::closed);
}

TEST_CASE("a closed port stays closed, whatever happens to the device") {
    fake_port fake;
    device_watch watch("fake0");
    fake.port->close();
    fake.kernel.change_device("fake0", [](auto& d) { d.up = false; });
    pass_on(watch, *fake.port);
    CHECK(fake.port->status() == port_status::closed);
}

TEST_CASE("how long a packet can be received depends on frames and scatter-gather") {
    auto options = on("fake0");
    CHECK(fake_port({}, options).port->max_rx_bytes() == 64 * 1792);
    options.scatter_gather = xsk::choice::forbidden;
    CHECK(fake_port({}, options).port->max_rx_bytes() == 1792);
    CHECK(fake_port({}, options, {}, frames(64, 4096)).port->max_rx_bytes() == 3840);
    options.receives = false;
    CHECK(fake_port({}, options).port->max_rx_bytes() == 0xffffffff);
}
