// SPDX-License-Identifier: Apache-2.0
// The probe on real devices of a namespace of the test's own, and what discovery makes of it.
#include "probe.hpp"

#include <sys/utsname.h>

#include <skein/xsk/discovery.hpp>

#include "support/catch.hpp"
#include "support/network_namespace.hpp"

using namespace skein;
using namespace skein::test;
using namespace skein::xsk;

namespace {

// A probe that is not permitted here skips the test; any other failure is one.
probe_result probed(const network_namespace& space, const char* device, probe_way way) {
    auto result = probe_device(static_cast<std::uint32_t>(space.index_of(device)), way);
    if (result.failure.find("not permitted") != std::string::npos) skip(result.failure);
    return result;
}

bool has_packet_way() {
    utsname names{};
    REQUIRE(::uname(&names) == 0);
    return parse_release(names.release) >= kernel_release{6, 2};
}

std::vector<probe_way> ways() {
    if (has_packet_way()) return {probe_way::packet, probe_way::walk, probe_way::any};
    return {probe_way::walk, probe_way::any};
}

}  // namespace

TEST_CASE("veth, lo and tun need a linear head, whichever way they are asked") {
    const network_namespace space;
    space.add_veth("cable", 3);
    space.run("ip tuntap add tap0 mode tap");
    space.run("ip tuntap add tun0 mode tun");
    for (const char* device : {"cable", "cablep", "lo", "tap0", "tun0"}) {
        for (const probe_way way : ways()) {
            INFO(device << ", way " << static_cast<int>(way));
            const auto result = probed(space, device, way);
            CHECK(result.failure == "");
            CHECK(result.find(SKEIN_PROBE_tx_no_linear) == 0u);
        }
    }
}

TEST_CASE("the facts beside it are the device's own") {
    const network_namespace space;
    space.add_veth("cable", 3, 2);
    space.run("ip link set cable gso_max_size 40000");
    for (const probe_way way : ways()) {
        const auto result = probed(space, "cable", way);
        CHECK(result.find(SKEIN_PROBE_rx_queues) == 3u);
        CHECK(result.find(SKEIN_PROBE_tx_queues) == 3u);
        CHECK(result.find(SKEIN_PROBE_min_mtu) == 68u);
        CHECK(result.find(SKEIN_PROBE_max_mtu) == 65535u);
        CHECK(result.find(SKEIN_PROBE_gso_max_bytes) == 40000u);
        CHECK(result.find(SKEIN_PROBE_generic_program) == 0u);
        CHECK(probed(space, "cablep", way).find(SKEIN_PROBE_rx_queues) == 2u);
    }
}

TEST_CASE("a device that is not there, or in another namespace, is not found") {
    const network_namespace space;
    for (const probe_way way : ways()) {
        const auto result = probe_device(4711, way);
        if (result.failure.find("not permitted") != std::string::npos) skip(result.failure);
        CHECK_FALSE(result.failure.empty());
        CHECK_FALSE(result.find(SKEIN_PROBE_tx_no_linear));
    }
}

TEST_CASE("what AF_XDP knows is read from the kernel as its release lets expect") {
    const network_namespace space;
    utsname names{};
    REQUIRE(::uname(&names) == 0);
    const auto release = *parse_release(names.release);
    const auto result = probed(space, "lo", probe_way::any);
    if (release >= kernel_release{6, 6}) CHECK(result.find(SKEIN_PROBE_kernel_multi_buffer) == 1u);
    if (release >= kernel_release{6, 8}) CHECK(result.find(SKEIN_PROBE_kernel_tx_metadata) == 1u);
    if (release < kernel_release{6, 6}) CHECK(result.find(SKEIN_PROBE_kernel_multi_buffer) != 1u);
}

TEST_CASE("discovery tells the truth about a veth, and about one with too few queues") {
    const network_namespace space;
    space.add_veth("cable", 2);
    space.add_veth("narrow", 1, 4);
    probed(space, "lo", probe_way::any);
    const auto cable = discover("cable");
    CHECK(cable.driver == "veth");
    CHECK_FALSE(cable.caps.values.tx_no_linear);
    CHECK(cable.caps.source_of(capability::tx_no_linear) == caps_source::kernel);
    CHECK_FALSE(cable.caps.values.zero_copy);
    CHECK(cable.caps.values.queues == 2);
    CHECK(cable.offload_is_on("tx-checksum-ip-generic"));
    if (parse_release(cable.kernel) >= kernel_release{6, 3}) {
        CHECK((cable.caps.values.xdp_features & 0x3) == 0x3);
        CHECK(cable.caps.values.xdp_native);
        CHECK_FALSE(discover("narrow").caps.values.xdp_native);
        CHECK(cable.caps.source_of(capability::xdp_features) == caps_source::kernel);
    }
    CHECK_FALSE(device_statistics("cable").empty());
    CHECK(device_statistics("lo").empty());
}
