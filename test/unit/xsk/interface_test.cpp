// SPDX-License-Identifier: Apache-2.0
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

TEST_CASE("a queue out of range is refused with the range there is") {
    interface_facts one{.name = "fake0", .index = 1, .queues = 1, .driver = ""};
    CHECK_NOTHROW(check_queue(one, 0));
    try {
        check_queue(one, 1);
        FAIL("queue 1 of 1");
    } catch (const setup_error& error) {
        CHECK(error.remedy() == "choose queue 0");
        CHECK(error.queue() == 1u);
    }
    interface_facts eight{.name = "fake0", .index = 1, .queues = 8, .driver = ""};
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
