// SPDX-License-Identifier: Apache-2.0
// Takes the place of xsk/src/sys_device.cpp, sys_netdev.cpp and program_probe.cpp: questions about
// what a device can do go to the fake kernel.
#include <cerrno>

#include "../../xsk/src/probe.hpp"
#include "../../xsk/src/sys_device.hpp"

#include "support/fake_kernel.hpp"

namespace skein::inline v0::xsk {

namespace {

test::fake_device* device_of(std::uint32_t index) {
    auto& kernel = test::fake_kernel::current();
    return kernel.find_device_by_index(static_cast<int>(index));
}

}  // namespace

probe_result probe_device(std::uint32_t interface_index, probe_way) {
    const auto* device = device_of(interface_index);
    if (device == nullptr || !device->no_linear) return {.failure = "not permitted"};
    const bool sg = test::fake_kernel::current().profile().scatter_gather;
    probe_result result;
    result.facts[SKEIN_PROBE_tx_no_linear] = *device->no_linear;
    result.facts[SKEIN_PROBE_kernel_multi_buffer] = sg ? 1 : 0;
    return result;
}

namespace sys {

int netdev_features(std::uint32_t interface_index, netdev_answer& answer) noexcept {
    const auto* device = device_of(interface_index);
    if (device == nullptr) return -ENODEV;
    if (!device->netdev) return -ENOENT;
    answer = {device->netdev->xdp_features, device->netdev->zc_max_segments,
              device->netdev->rx_metadata, device->netdev->xsk_features};
    return 0;
}

int device_rings(const std::string&, ring_sizes& sizes) {
    sizes = {256, 128, 4096, 2048};
    return 0;
}

int device_channels(const std::string&, channel_counts&) {
    return -EOPNOTSUPP;
}

int device_features(const std::string& name, std::vector<named_feature>& features) {
    const auto* device = test::fake_kernel::current().find_device(name);
    if (device == nullptr) return -ENODEV;
    for (const std::string& offload : device->offloads_on)
        features.push_back({offload, true, false});
    features.push_back({"rx-all", false, true});
    return 0;
}

int device_statistics(const std::string&, std::vector<named_counter>& counters) {
    counters.push_back({"rx_queue_0_packets", 7});
    return 0;
}

int device_has_carrier(const std::string& name) noexcept {
    const auto* device = test::fake_kernel::current().find_device(name);
    return device == nullptr ? -ENODEV : device->up && device->carrier;
}

std::string kernel_release() {
    return test::fake_kernel::current().profile().release;
}

std::uint32_t page_bytes() noexcept {
    return 4096;
}

}  // namespace sys

}  // namespace skein::inline v0::xsk
