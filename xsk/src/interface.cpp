// SPDX-License-Identifier: Apache-2.0
#include "interface.hpp"

#include <algorithm>
#include <array>

#include <skein/xsk/error.hpp>
#include <skein/xsk/interface.hpp>

#include "sys.hpp"

namespace skein::inline v0::xsk {

interface_facts inspect_interface(const std::string& name) {
    interface_facts device;
    device.name = name;
    const int index = name.empty() || name.size() > 15 ? -ENODEV : sys::interface_index(name);
    if (index < 0) {
        throw setup_error(-index, {.operation = "find interface",
                                   .interface = name,
                                   .cause = "no such interface in this network namespace",
                                   .remedy = "`ip link` lists those there are"});
    }
    device.index = static_cast<std::uint32_t>(index);
    const int queues = sys::interface_queues(name);
    if (queues > 0) device.queues = static_cast<std::uint32_t>(queues);
    std::array<char, 32> driver{};
    if (sys::interface_driver(name, driver) >= 0) device.driver = driver.data();
    return device;
}

void check_queue(const interface_facts& device, std::uint32_t queue) {
    if (queue < device.queues) return;
    throw setup_error(EINVAL, {.operation = "choose queue",
                               .interface = device.name,
                               .queue = queue,
                               .cause = "the device has " + std::to_string(device.queues) +
                                        (device.queues == 1 ? " queue" : " queues"),
                               .remedy = device.queues == 1
                                             ? "choose queue 0"
                                             : "choose 0 to " + std::to_string(device.queues - 1)});
}

bool primes_fill_for_tx(std::string_view driver) noexcept {
    constexpr std::array<std::string_view, 7> drivers = {"i40e", "ice",     "ixgbe", "igb",
                                                         "igc",  "st_gmac", "tsnep"};
    return std::find(drivers.begin(), drivers.end(), driver) != drivers.end();
}

std::uint32_t queue_count(const std::string& interface) {
    return inspect_interface(interface).queues;
}

std::uint32_t interface_mtu(const std::string& interface) {
    const int mtu = sys::interface_mtu(inspect_interface(interface).name);
    if (mtu >= 0) return static_cast<std::uint32_t>(mtu);
    throw setup_error(-mtu, {.operation = "read the MTU", .interface = interface});
}

std::uint32_t interface_index(const std::string& interface) {
    return inspect_interface(interface).index;
}

}  // namespace skein::inline v0::xsk
