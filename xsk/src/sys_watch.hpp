// SPDX-License-Identifier: Apache-2.0
// System calls for netlink sockets: the rest of sys.hpp, with the same rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace skein::inline v0::xsk::sys {

enum class netlink_protocol { route, generic };

// Bound, and never blocking.
int open_netlink(netlink_protocol protocol) noexcept;
// From then on what the kernel sends to the group arrives.
int join_netlink_group(int fd, std::uint32_t group) noexcept;
int send_netlink(int fd, std::span<const std::byte> message) noexcept;
// One datagram of the kernel's: its bytes. -EAGAIN: none; -ENOBUFS: some were dropped before it;
// -EMSGSIZE: it was longer than the buffer and is lost.
int receive_netlink(int fd, std::span<std::byte> buffer) noexcept;

// A descriptor that is readable while one of these is.
int open_wait_set(std::span<const int> fds) noexcept;

}  // namespace skein::inline v0::xsk::sys
