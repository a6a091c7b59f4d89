// SPDX-License-Identifier: Apache-2.0
// Where a network device is, and simple questions about it.
//
// A device has a name within its network namespace. Where a namespace can be given it is a name as
// in /run/netns, a path such as /proc/PID/ns/net, or empty for the caller's own. Looking into
// another one needs CAP_SYS_ADMIN; the calling thread never leaves its own.
//
// All questions throw setup_error if there is no such device or namespace.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <skein/export.hpp>

namespace skein::inline v0::xsk {

struct device_name {
    std::string interface;
    std::string network_namespace = {};

    bool operator==(const device_name&) const = default;
};

// "eth0", "blue/eth0" in the namespace blue, "/proc/17/ns/net/eth0" in that of process 17: the last
// slash divides, since no interface has one in its name. to_string gives the same text back.
SKEIN_EXPORT device_name parse_device_name(std::string_view text);
SKEIN_EXPORT std::string to_string(const device_name& device);

// A command about the device as it has to be given from outside its namespace:
// "ip netns exec blue ip link", or as it is for the caller's own.
SKEIN_EXPORT std::string command_beside(const device_name& device, const std::string& command);

// How many queues of a device can be bound: the larger of its receive and transmit queues.
SKEIN_EXPORT std::uint32_t queue_count(const std::string& interface,
                                       const std::string& network_namespace = {});

SKEIN_EXPORT std::uint32_t interface_index(const std::string& interface,
                                           const std::string& network_namespace = {});

// Bytes of the longest IP packet.
SKEIN_EXPORT std::uint32_t interface_mtu(const std::string& interface,
                                         const std::string& network_namespace = {});

// The device's own MAC address; nothing where it has none (tun, loopback).
SKEIN_EXPORT std::optional<std::array<std::uint8_t, 6>> interface_address(
    const std::string& interface, const std::string& network_namespace = {});

}  // namespace skein::inline v0::xsk
