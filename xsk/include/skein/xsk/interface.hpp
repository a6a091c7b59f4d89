// SPDX-License-Identifier: Apache-2.0
// Simple questions about a network device. All throw setup_error if there is none of that name.
#pragma once

#include <cstdint>
#include <string>

#include <skein/export.hpp>

namespace skein::inline v0::xsk {

// How many queues of a device can be bound: the larger of its receive and transmit queues.
SKEIN_EXPORT std::uint32_t queue_count(const std::string& interface);

SKEIN_EXPORT std::uint32_t interface_index(const std::string& interface);

// Bytes of the longest IP packet.
SKEIN_EXPORT std::uint32_t interface_mtu(const std::string& interface);

}  // namespace skein::inline v0::xsk
