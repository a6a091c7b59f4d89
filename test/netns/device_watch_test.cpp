// SPDX-License-Identifier: Apache-2.0
// A watch on a real device: what ip(8) does to it is told, by a descriptor that poll() knows.
#include <poll.h>

#include <chrono>
#include <optional>
#include <vector>

#include <skein/xsk/device_watch.hpp>
#include <skein/xsk/port.hpp>

#include "support/catch.hpp"
#include "support/network_namespace.hpp"

using namespace skein::test;
using namespace skein::xsk;

namespace {

// The next change of that kind, within two seconds; others on the way are skipped.
std::optional<device_event> awaited(device_watch& watch, device_change change) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{2};
    while (std::chrono::steady_clock::now() < end) {
        while (const auto event = watch.next()) {
            if (event->change == change) return event;
        }
        pollfd polled{.fd = watch.fd(), .events = POLLIN, .revents = 0};
        ::poll(&polled, 1, 100);
    }
    return std::nullopt;
}

}  // namespace

TEST_CASE("link, MTU, name and removal of a veth are told as they happen") {
    const network_namespace here;
    here.add_veth("cable");
    here.raise_veth("cable");
    device_watch watch("cable");
    CHECK(watch.state().interface() == "cable");
    CHECK(watch.state().mtu_bytes == 1500);
    CHECK(watch.state().up);
    here.run("ip link set cable down");
    CHECK(awaited(watch, device_change::link_down));
    here.run("ip link set cable up");
    CHECK(awaited(watch, device_change::link_up));
    here.run("ip link set cablep down");
    CHECK(awaited(watch, device_change::carrier_lost));
    here.run("ip link set cablep up");
    CHECK(awaited(watch, device_change::carrier_found));
    here.run("ip link set cable mtu 1400");
    const auto mtu = awaited(watch, device_change::mtu);
    REQUIRE(mtu);
    CHECK(mtu->now.mtu_bytes == 1400);
    here.run("ip link set cablep mtu 1300");  // not ours
    here.run("ip link set cable down");
    here.run("ip link set cable name rope");
    const auto renamed = awaited(watch, device_change::renamed);
    REQUIRE(renamed);
    CHECK(renamed->now.interface() == "rope");
    CHECK(renamed->now.mtu_bytes == 1400);
    here.run("ip link del rope");
    CHECK(awaited(watch, device_change::removed));
    CHECK_FALSE(watch.next());
}

TEST_CASE("a program on the peer changes a veth's features, and that is told") {
    const network_namespace here;
    here.add_veth("cable");
    here.raise_veth("cable");
    device_watch watch("cable");
    if (!watch.watches_features()) skip("this kernel has no netlink family netdev");
    const auto before = watch.state().xdp_features;
    REQUIRE(before);
    redirect_program program({.interface = "cablep", .mode = xdp_mode::native});
    const auto event = awaited(watch, device_change::features);
    REQUIRE(event);
    INFO(to_string(*event));
    CHECK(event->now.xdp_features != before);
    CHECK_THAT(to_string(*event), Catch::Contains("NDO_XMIT"));
}

TEST_CASE("a watch that was not read for long still knows in the end") {
    const network_namespace here;
    here.add_veth("cable");
    here.raise_veth("cable");
    here.add_veth("noise");
    device_watch watch("cable");
    // The receive buffer holds some hundred messages; the last word is lost among them.
    here.run(
        "sh -c 'for i in $(seq 1 60); do for m in 1301 1302 1303 1304; do "
        "echo link set noise mtu $m; done; done | ip -batch -'");
    here.run("ip link set cable mtu 1234");
    const auto mtu = awaited(watch, device_change::mtu);
    REQUIRE(mtu);
    CHECK(mtu->now.mtu_bytes == 1234);
}

TEST_CASE("busy polling on veth is granted, has no effect, and says so") {
    const network_namespace here;
    here.add_veth("cable");
    here.raise_veth("cable");
    port_options options;
    options.interface = "cable";
    options.receives = false;
    options.busy_poll = busy_poll_options{};
    const port sender(options);
    CHECK(sender.busy_polling().napi_id == 0);
    CHECK_THAT(sender.description(), Catch::Contains("busy polling has no effect on this device"));
}
