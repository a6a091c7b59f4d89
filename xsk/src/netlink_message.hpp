// SPDX-License-Identifier: Apache-2.0
// Netlink messages about devices: asked for and read, with no more trust than lengths allow.
//
// Layouts and numbers are the kernel's (Linux 6.12 include/uapi/linux/{netlink,rtnetlink,if_link,
// genetlink,netdev}.h; Debian 12's headers have no netdev.h). Numbers are in the machine's own byte
// order, as netlink wants them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <skein/xsk/device_watch.hpp>

namespace skein::inline v0::xsk::netlink {

inline constexpr std::uint32_t link_group = 1;  // RTNLGRP_LINK

// A message ready to be sent.
struct request {
    std::array<std::byte, 64> bytes{};
    std::size_t length = 0;

    std::span<const std::byte> span() const noexcept { return {bytes.data(), length}; }
};

request ask_for_link(std::uint32_t interface_index) noexcept;
request ask_for_family() noexcept;  // "netdev"
request ask_for_features(std::uint16_t family, std::uint32_t interface_index) noexcept;

// The first message of what was received: its bytes and type. Nothing where what is left is none.
struct message {
    std::uint16_t type;
    std::span<const std::byte> payload;
    std::size_t whole_bytes;  // up to the next one
};
std::optional<message> first_message(std::span<const std::byte> received) noexcept;

// Puts what a message of rtnetlink says of the device into its state.
void apply_link(const message& m, device_state& device) noexcept;
// The same for one of the family "netdev".
void apply_features(const message& m, std::uint16_t family, device_state& device) noexcept;

struct family {
    std::uint16_t id;
    std::uint32_t group;  // of "mgmt"
};
std::optional<family> read_family(const message& m) noexcept;

}  // namespace skein::inline v0::xsk::netlink
