// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/discovery.hpp>

#include <skein/xsk/error.hpp>

#include "support/catch.hpp"
#include "support/fake_kernel.hpp"

using namespace skein;
using namespace skein::xsk;
using skein::test::fake_kernel;

TEST_CASE("a veth on a current kernel is known from the kernel, its head from the table") {
    fake_kernel kernel;
    kernel.add_device({.name = "fake0",
                       .queues = 4,
                       .netdev = test::fake_netdev{.xdp_features = 0x23, .rx_metadata = 7},
                       .no_linear = 0});
    const auto device = discover("fake0");
    const auto& caps = device.caps;
    CHECK_FALSE(caps.values.tx_no_linear);
    CHECK(caps.source_of(capability::tx_no_linear) == caps_source::kernel);
    CHECK(caps.values.min_head_bytes == 14);
    CHECK(caps.source_of(capability::min_head_bytes) == caps_source::table);
    CHECK(caps.values.xdp_native);
    CHECK_FALSE(caps.values.zero_copy);
    CHECK(caps.values.xdp_features == 0x23);
    CHECK(caps.values.rx_metadata == 7);
    CHECK(caps.values.queues == 4);
    CHECK(caps.values.max_tx_segments == 18);
    CHECK(caps.values.tx_checksum);
    CHECK(device.driver == "veth");
    CHECK(device.kernel == "6.18.0");
    CHECK(device.carrier);
    REQUIRE(device.rings);
    CHECK(device.rings->rx_most == 4096);
    CHECK(device.notes.empty());
}

TEST_CASE("what an old kernel and an unprivileged caller do not get is said, and the table used") {
    fake_kernel kernel(test::linux_6_1());
    kernel.add_device({.name = "fake0", .driver = "i40e"});
    const auto device = discover("fake0");
    CHECK(device.caps.values.zero_copy);
    CHECK(device.caps.source_of(capability::zero_copy) == caps_source::table);
    CHECK(device.caps.values.max_tx_segments == 8);
    CHECK(device.caps.values.min_frame_bytes == 17);
    CHECK_FALSE(device.caps.values.tx_no_linear);
    CHECK(device.caps.source_of(capability::tx_no_linear) == caps_source::by_default);
    REQUIRE(device.notes.size() == 2);
    CHECK(device.notes[0].find("since Linux 6.3") != std::string::npos);
    CHECK(device.notes[1].find("not permitted") != std::string::npos);
}

TEST_CASE("the kernel's release decides where its structures cannot be read") {
    fake_kernel kernel(test::linux_6_1());
    kernel.add_device({.name = "fake0", .driver = "veth"});
    kernel.add_device({.name = "fake1", .driver = "igb"});
    CHECK_FALSE(discover("fake0").caps.values.scatter_gather);
    CHECK(discover("fake0").caps.values.max_tx_segments == 1);
    CHECK_FALSE(discover("fake0").caps.values.tx_checksum);
    CHECK_FALSE(discover("fake1").caps.values.zero_copy);  // igb has it since Linux 6.14
}

TEST_CASE("a device that wants no linear head sums only what its hardware sums") {
    fake_kernel kernel;
    auto& device = kernel.add_device({.name = "fake0", .driver = "virtio_net", .no_linear = 1});
    CHECK(discover_caps("fake0").values.max_tx_segments == 17);
    CHECK(discover_caps("fake0").values.min_head_bytes == 0);
    CHECK_FALSE(discover_caps("fake0").values.tx_checksum);
    device.offloads_on = {"tx-checksum-ip-generic"};
    CHECK(discover_caps("fake0").values.tx_checksum);
    CHECK(discover("fake0").offload_is_on("tx-checksum-ip-generic"));
    CHECK(discover("fake0").find_offload("rx-all")->fixed);
    CHECK(discover("fake0").find_offload("no-such") == nullptr);
}

TEST_CASE("overrides win, and may choose another driver's row") {
    fake_kernel kernel;
    kernel.add_device({.name = "fake0", .no_linear = 0});
    const auto device =
        discover("fake0", parse_caps("driver=mlx5_core:cx4lx,zero_copy=off,queues=9"));
    CHECK(device.driver == "veth");
    REQUIRE(device.row != nullptr);
    CHECK(device.row->variant == "cx4lx");
    CHECK(device.caps.values.min_head_bytes == 18);
    CHECK(device.caps.values.queues == 9);
    CHECK(device.caps.source_of(capability::queues) == caps_source::overridden);
}

TEST_CASE("a driver's counters come by its own names") {
    fake_kernel kernel;
    kernel.add_device({.name = "fake0"});
    const auto counters = device_statistics("fake0");
    REQUIRE(counters.size() == 1);
    CHECK(counters[0].name == "rx_queue_0_packets");
    CHECK(counters[0].value == 7);
}

TEST_CASE("a device that is not there cannot be discovered") {
    fake_kernel kernel;
    CHECK_THROWS_AS(discover("nowhere"), setup_error);
    CHECK_THROWS_AS(device_statistics("nowhere"), setup_error);
}

TEST_CASE("a release is two numbers, whatever follows") {
    CHECK(parse_release("6.18.44-cloud-amd64") == kernel_release{6, 18});
    CHECK(parse_release("7.0") == kernel_release{7, 0});
    for (const char* none : {"", "6", "6.", "x.1", "six.one"})
        CHECK_FALSE(parse_release(none));
}
