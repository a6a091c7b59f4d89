// SPDX-License-Identifier: Apache-2.0
#include "interface.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <skein/xsk/error.hpp>
#include <skein/xsk/interface.hpp>

#include "network_namespace.hpp"
#include "sys.hpp"

namespace skein::inline v0::xsk {

device_name parse_device_name(std::string_view text) {
    const auto slash = text.rfind('/');
    if (slash == text.npos) return {std::string(text), {}};
    // What is left of a leading slash alone is the root: no namespace, and said so when entered.
    const auto space = slash == 0 ? text.substr(0, 1) : text.substr(0, slash);
    return {std::string(text.substr(slash + 1)), std::string(space)};
}

std::string to_string(const device_name& device) {
    if (device.network_namespace.empty()) return device.interface;
    const bool ends_so = device.network_namespace == "/";
    return device.network_namespace + (ends_so ? "" : "/") + device.interface;
}

interface_facts inspect_interface(const std::string& name, const std::string& network_namespace) {
    interface_facts device;
    device.name = name;
    device.network_namespace = network_namespace;
    const int index = name.empty() || name.size() > 15 ? -ENODEV : sys::interface_index(name);
    if (index < 0) {
        const auto where = network_namespace.empty() ? "this network namespace"
                                                     : "network namespace " + network_namespace;
        throw setup_error(-index, {.operation = "find interface",
                                   .interface = device.label(),
                                   .cause = "no such interface in " + where,
                                   .remedy = "`" + command_beside(device, "ip link") +
                                             "` lists those there are"});
    }
    device.index = static_cast<std::uint32_t>(index);
    const int queues = sys::interface_queues(name);
    if (queues > 0) device.queues = static_cast<std::uint32_t>(queues);
    std::array<char, 32> driver{};
    if (sys::interface_driver(name, driver) >= 0) device.driver = driver.data();
    return device;
}

std::string command_beside(const device_name& device, const std::string& command) {
    const auto& space = device.network_namespace;
    if (space.empty()) return command;
    const bool is_path = space.find('/') != space.npos;
    return (is_path ? "nsenter --net=" + space : "ip netns exec " + space) + " " + command;
}

void check_queue(const interface_facts& device, std::uint32_t queue) {
    if (queue < device.queues) return;
    throw setup_error(EINVAL, {.operation = "choose queue",
                               .interface = device.label(),
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

namespace {

// What `ask` says of the device, in its namespace.
template <class Ask>
auto ask_there(const std::string& interface, const std::string& network_namespace, Ask&& ask) {
    return xsk::network_namespace(network_namespace).run([&] {
        return ask(inspect_interface(interface, network_namespace));
    });
}

}  // namespace

std::uint32_t queue_count(const std::string& interface, const std::string& network_namespace) {
    return ask_there(interface, network_namespace,
                     [](const auto& device) { return device.queues; });
}

std::uint32_t interface_index(const std::string& interface, const std::string& network_namespace) {
    return ask_there(interface, network_namespace, [](const auto& device) { return device.index; });
}

std::uint32_t interface_mtu(const std::string& interface, const std::string& network_namespace) {
    return ask_there(interface, network_namespace, [](const auto& device) {
        const int mtu = sys::interface_mtu(device.name);
        if (mtu >= 0) return static_cast<std::uint32_t>(mtu);
        throw setup_error(-mtu, {.operation = "read the MTU", .interface = device.label()});
    });
}

std::optional<std::array<std::uint8_t, 6>> interface_address(const std::string& interface,
                                                             const std::string& network_namespace) {
    using address = std::optional<std::array<std::uint8_t, 6>>;
    return ask_there(interface, network_namespace, [](const auto& device) -> address {
        std::array<std::uint8_t, 6> mac{};
        if (sys::interface_address(device.name, mac) < 0) return std::nullopt;
        return mac;
    });
}

}  // namespace skein::inline v0::xsk
