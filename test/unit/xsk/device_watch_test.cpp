// SPDX-License-Identifier: Apache-2.0
// A watch over a fake kernel: what happens is told once, in order, and survives loss.
#include <skein/xsk/device_watch.hpp>

#include <linux/rtnetlink.h>
#include <poll.h>

#include <cerrno>
#include <string>
#include <vector>

#include <skein/xsk/error.hpp>

#include "../../../xsk/src/sys.hpp"
#include "support/catch.hpp"
#include "support/fake_kernel.hpp"

using namespace skein::test;
using skein::xsk::device_change;
using skein::xsk::device_watch;
using skein::xsk::setup_error;

namespace {

using changes = std::vector<device_change>;

struct watched {
    explicit watched(kernel_profile profile = {}) : kernel(profile) {
        kernel.add_device({.name = "other"});
        kernel.add_device({.name = "fake0", .xdp_features = 0x23});
    }
    void change(const std::function<void(fake_device&)>& how, const char* name = "fake0") {
        kernel.change_device(name, how);
    }

    fake_kernel kernel;
};

changes told_by(device_watch& watch) {
    changes all;
    while (const auto event = watch.next())
        all.push_back(event->change);
    return all;
}

bool readable(const device_watch& watch) {
    pollfd polled{.fd = watch.fd(), .events = POLLIN, .revents = 0};
    return skein::xsk::sys::poll({&polled, 1}, std::chrono::milliseconds{0}) == 1;
}

}  // namespace

TEST_CASE("a watch knows its device from the start and has nothing to tell") {
    watched device;
    device_watch watch("fake0");
    CHECK(watch.state().interface() == "fake0");
    CHECK(watch.state().mtu_bytes == 1500);
    CHECK(watch.state().present);
    CHECK(watch.state().up);
    CHECK(watch.state().carrier);
    CHECK(watch.state().xdp_features == 0x23u);
    CHECK(watch.watches_features());
    CHECK_FALSE(readable(watch));
    CHECK_FALSE(watch.next());
}

TEST_CASE("each change is told once and in order, with the device as it then was") {
    watched device;
    device_watch watch("fake0");
    device.change([](auto& d) { d.up = false; });
    device.change([](auto& d) { d.mtu_bytes = 9000; });
    device.change([](auto& d) { d.up = true; });
    device.change([](auto& d) { d.carrier = false; });
    device.change([](auto& d) { d.carrier = true; });
    CHECK(readable(watch));
    const auto first = watch.next();
    REQUIRE(first);
    CHECK(first->change == device_change::link_down);
    CHECK_FALSE(first->now.up);
    CHECK(first->now.mtu_bytes == 1500);
    CHECK(told_by(watch) == changes{device_change::mtu, device_change::link_up,
                                    device_change::carrier_lost, device_change::carrier_found});
    CHECK(watch.state().mtu_bytes == 9000);
    CHECK_FALSE(readable(watch));
}

TEST_CASE("a message that changes several things is told as several") {
    watched device;
    device_watch watch("fake0");
    device.change([](auto& d) {
        d.name = "new0";
        d.up = false;
        d.mtu_bytes = 1400;
    });
    CHECK(told_by(watch) ==
          changes{device_change::renamed, device_change::link_down, device_change::mtu});
    CHECK(watch.state().interface() == "new0");
}

TEST_CASE("features that change are told where the kernel has the family, else done without") {
    {
        watched device;
        device_watch watch("fake0");
        device.change([](auto& d) { d.xdp_features = 0x67; });
        device.change([](auto& d) { d.xdp_features = 0; }, "other");
        const auto event = watch.next();
        REQUIRE(event);
        CHECK(event->change == device_change::features);
        CHECK(to_string(*event) ==
              "fake0: XDP features are now BASIC, REDIRECT, NDO_XMIT, RX_SG, NDO_XMIT_SG");
        CHECK_FALSE(watch.next());
    }
    watched old(linux_6_1());
    device_watch watch("fake0");
    CHECK_FALSE(watch.watches_features());
    CHECK_FALSE(watch.state().xdp_features);
    old.change([](auto& d) { d.mtu_bytes = 1400; });
    CHECK(told_by(watch) == changes{device_change::mtu});
}

TEST_CASE("what happens to other devices, and to a bridge's port, is not this device's") {
    watched device;
    device_watch watch("fake0");
    device.change([](auto& d) { d.up = false; }, "other");
    device.kernel.remove_device("other");
    constexpr std::uint8_t bridge = 7;  // AF_BRIDGE
    const auto& fake = device.kernel.device("fake0");
    device.kernel.netlink().tell_link(link_message(RTM_DELLINK, fake, bridge), "");
    CHECK(readable(watch));
    CHECK_FALSE(watch.next());
    CHECK(watch.state().present);
}

TEST_CASE("a device that is removed is told so, and nothing more") {
    watched device;
    device_watch watch("fake0");
    device.change([](auto& d) { d.up = false; });
    device.kernel.remove_device("fake0");
    CHECK(told_by(watch) == changes{device_change::link_down, device_change::removed});
    device.kernel.add_device({.name = "fake0"});
    CHECK_FALSE(watch.next());
}

TEST_CASE("where messages were lost the device is asked anew") {
    watched device;
    device_watch watch("fake0");
    device.change([](auto& d) { d.up = false; });
    device.change([](auto& d) {
        d.mtu_bytes = 9000;
        d.xdp_features = 0x67;
    });
    device.kernel.netlink().overrun();
    CHECK(told_by(watch) ==
          changes{device_change::link_down, device_change::mtu, device_change::features});
    device.kernel.remove_device("fake0");
    device.kernel.netlink().overrun();
    CHECK(told_by(watch) == changes{device_change::removed});
}

TEST_CASE("asking anew is tried again where the kernel has no room for the question") {
    watched device;
    device_watch watch("fake0");
    device.change([](auto& d) { d.up = false; });
    device.kernel.netlink().overrun();
    device.kernel.fail(call::netlink, ENOBUFS, 4);
    changes told;
    for (int tries = 0; tries < 5; ++tries) {
        for (const auto change : told_by(watch))
            told.push_back(change);
    }
    CHECK(told == changes{device_change::link_down});
}

TEST_CASE("messages that are no messages change nothing and do not stop the others") {
    watched device;
    device_watch watch("fake0");
    const auto good = link_message(RTM_NEWLINK, device.kernel.device("fake0"));
    for (std::size_t length = 0; length < good.size(); ++length) {
        auto cut = good;
        cut.resize(length);
        device.kernel.netlink().tell_link(cut, "");
    }
    device.kernel.netlink().tell_link(netlink_bytes(20000, std::byte{0xff}), "");
    device.change([](auto& d) { d.mtu_bytes = 1400; });
    CHECK(told_by(watch) == changes{device_change::mtu});
}

TEST_CASE("a device that cannot be watched is named, and nothing is left open") {
    watched device;
    try {
        device_watch watch("nowhere");
        FAIL("watched");
    } catch (const setup_error& error) {
        CHECK(error.interface() == "nowhere");
    }
    for (unsigned step = 0; step < 4; ++step) {
        // The first calls succeed, one fails: rtnetlink and its group, or the set of both.
        device.kernel.fail(call::netlink, EMFILE);
        CHECK_THROWS_AS(device_watch("fake0"), setup_error);
    }
}

TEST_CASE("a device in another namespace is watched from here") {
    watched device;
    device.kernel.add_namespace("/run/netns/blue");
    device.kernel.add_device({.name = "blue0", .network_namespace = "/run/netns/blue"});
    device_watch watch("blue0", "blue");
    device.change([](auto& d) { d.mtu_bytes = 1400; }, "blue0");
    CHECK(told_by(watch) == changes{device_change::mtu});
    CHECK(fake_kernel::current_namespace().empty());
}

TEST_CASE("every change reads as a sentence that names the device") {
    skein::xsk::device_state state{.name = {"fake0"}, .mtu_bytes = 9000};
    for (unsigned i = 0; i < 8; ++i) {
        const skein::xsk::device_event event{static_cast<device_change>(i), state};
        CHECK(to_string(event).find("fake0: ") == 0);
        CHECK(to_string(event.change) != "unknown");
    }
    CHECK(to_string(skein::xsk::device_event{device_change::mtu, state}) ==
          "fake0: the MTU is now 9000");
    CHECK(skein::xsk::xdp_feature_names(0) == "none");
    CHECK(skein::xsk::xdp_feature_names(std::uint64_t{1} << 40 | 1) == "BASIC, bit 40");
}
