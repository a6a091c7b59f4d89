// SPDX-License-Identifier: Apache-2.0
// Every system call that skein::xsk makes, one thin function each.
//
// The only user of these declarations' definitions in production is sys.cpp; tests link a fake
// kernel in its place, so that set-up, data path and teardown of a whole port run without
// privileges.
//
// All return a value >= 0, or a negated errno as the kernel does.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <skein/export.hpp>

namespace skein::inline v0::xsk::sys {

int open_xdp_socket() noexcept;
int close(int fd) noexcept;
int set_option(int fd, int level, int name, const void* value, std::size_t bytes) noexcept;
// *bytes is the room on entry and the answer's length on return.
int get_option(int fd, int level, int name, void* value, std::size_t* bytes) noexcept;

// sxdp_family is filled in here.
struct xdp_address {
    std::uint16_t flags;
    std::uint32_t interface_index;
    std::uint32_t queue;
    int shared_umem_fd;
};
int bind(int fd, const xdp_address& address) noexcept;

// Maps a ring of an AF_XDP socket, shared, readable and writable.
int map_ring(int fd, std::size_t bytes, std::uint64_t offset, void** where) noexcept;
// Maps anonymous, page-aligned, zeroed memory for a UMEM.
enum class page_kind { normal, huge_2m };
int map_memory(std::size_t bytes, page_kind pages, void** where) noexcept;
int unmap(void* where, std::size_t bytes) noexcept;
// Memory the system can give without swapping, in bytes; the largest number where it is not known.
std::uint64_t available_memory() noexcept;

// Starts transmission (sendto) or the driver's receive side (recvfrom), without waiting.
int wake_tx(int fd) noexcept;
int wake_rx(int fd) noexcept;
int poll(std::span<pollfd> fds, std::chrono::milliseconds timeout) noexcept;

// A network namespace by its path, and putting the calling thread into it.
int open_namespace(const std::string& path) noexcept;
int enter_namespace(int fd) noexcept;

// What the kernel knows of a device.
int interface_index(const std::string& name) noexcept;   // -ENODEV if there is none
int interface_mtu(const std::string& name) noexcept;     // bytes
int interface_is_up(const std::string& name) noexcept;   // 1 or 0
int interface_queues(const std::string& name) noexcept;  // how many can be bound
int interface_address(const std::string& name, std::span<std::uint8_t, 6> mac) noexcept;
// A number from the device's directory in sysfs; -ENOENT where sysfs shows another namespace.
int interface_setting(const std::string& name, const char* setting) noexcept;
int interface_driver(const std::string& name, std::span<char> driver) noexcept;  // terminated text

std::uint64_t monotonic_ns() noexcept;
void sleep_for(std::chrono::microseconds duration) noexcept;
void yield() noexcept;  // the CPU to whoever else wants it

}  // namespace skein::inline v0::xsk::sys
