// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include <skein/xsk/error.hpp>
#include <skein/xsk/interface.hpp>

#include "../../../xsk/src/interface.hpp"
#include "support/catch.hpp"
#include "support/fake_kernel.hpp"

using namespace skein::xsk;
using skein::test::call;
using skein::test::fake_kernel;

TEST_CASE("a device tells its index, queues and driver") {
    fake_kernel kernel;
    kernel.add_device({.name = "other"});
    kernel.add_device({.name = "fake0", .queues = 4, .driver = "ice"});
    CHECK(interface_index("fake0") == 2);
    CHECK(queue_count("fake0") == 4);
    CHECK(interface_mtu("fake0") == 1500);
    CHECK(inspect_interface("fake0").driver == "ice");
}

TEST_CASE("a device that is not there is named, with where to look") {
    fake_kernel kernel;
    for (const char* name : {"nowhere", "", "a-name-longer-than-fifteen"}) {
        try {
            interface_index(name);
            FAIL("found " << name);
        } catch (const setup_error& error) {
            CHECK(error.error_number() == ENODEV);
            CHECK(error.interface() == name);
            CHECK(error.remedy().find("ip link") != std::string::npos);
        }
    }
    // Names too long to be one are never asked for: they would be cut to another's.
    CHECK(kernel.calls(call::inspect) == 1);
}

TEST_CASE(
    "a device in another namespace is written behind a slash, and reads back as it was written") {
    const auto parsed = [](const char* text) { return parse_device_name(text); };
    CHECK(parsed("eth0") == device_name{"eth0", ""});
    CHECK(parsed("blue/eth0") == device_name{"eth0", "blue"});
    CHECK(parsed("/run/netns/blue/eth0") == device_name{"eth0", "/run/netns/blue"});
    CHECK(parsed("./blue/eth0@x") == device_name{"eth0@x", "./blue"});
    CHECK(parsed("/eth0") == device_name{"eth0", "/"});
    for (const char* text : {"eth0", "blue/eth0", "/proc/17/ns/net/eth0", "/eth0", "blue/", ""})
        CHECK(to_string(parse_device_name(text)) == text);
}

TEST_CASE("a device of another namespace is asked after there, and called by both names") {
    fake_kernel kernel;
    kernel.add_namespace("/run/netns/blue");
    kernel.add_device({.name = "fake0", .mtu_bytes = 1400});
    kernel.add_device(
        {.name = "fake0", .mtu_bytes = 9000, .queues = 3, .network_namespace = "/run/netns/blue"});
    CHECK(interface_mtu("fake0") == 1400);
    CHECK(interface_mtu("fake0", "blue") == 9000);
    CHECK(interface_mtu("fake0", "/run/netns/blue") == 9000);
    CHECK(queue_count("fake0", "blue") == 3);
    CHECK(interface_index("fake0", "blue") == 2);
    CHECK(interface_address("fake0", "blue") == std::array<std::uint8_t, 6>{2, 2, 2, 2, 2, 2});
    try {
        interface_index("fake1", "blue");
        FAIL("found fake1");
    } catch (const setup_error& error) {
        CHECK(error.interface() == "blue/fake1");
        CHECK(std::string(error.what()).find("in network namespace blue") != std::string::npos);
        CHECK(error.remedy() == "`ip netns exec blue ip link` lists those there are");
    }
    CHECK(fake_kernel::current_namespace().empty());
}

TEST_CASE("a command for a device elsewhere says where to give it") {
    CHECK(command_beside(device_name{"a"}, "ip link") == "ip link");
    CHECK(command_beside(device_name{"a", "blue"}, "ip link") == "ip netns exec blue ip link");
    CHECK(command_beside(device_name{"a", "/proc/1/ns/net"}, "ip link") ==
          "nsenter --net=/proc/1/ns/net ip link");
}

TEST_CASE("a queue out of range is refused with the range there is") {
    interface_facts one{.name = "fake0", .index = 1, .queues = 1};
    CHECK_NOTHROW(check_queue(one, 0));
    try {
        check_queue(one, 1);
        FAIL("queue 1 of 1");
    } catch (const setup_error& error) {
        CHECK(error.remedy() == "choose queue 0");
        CHECK(error.queue() == 1u);
    }
    interface_facts eight{.name = "fake0", .index = 1, .queues = 8};
    CHECK_NOTHROW(check_queue(eight, 7));
    CHECK_THROWS_AS(check_queue(eight, 8), setup_error);
    CHECK_THROWS_AS(check_queue(eight, 0xffffffff), setup_error);
}

TEST_CASE("drivers that start RX and TX together are known by name") {
    for (const char* driver : {"i40e", "ice", "ixgbe", "igc"})
        CHECK(primes_fill_for_tx(driver));
    for (const char* driver : {"veth", "virtio_net", "mlx5_core", "", "ic"})
        CHECK_FALSE(primes_fill_for_tx(driver));
}
