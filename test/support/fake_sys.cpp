// SPDX-License-Identifier: Apache-2.0
// Takes the place of xsk/src/sys.cpp: each system call goes to the fake kernel.
#include <algorithm>
#include <cerrno>

#include "../../xsk/src/sys.hpp"
#include "../../xsk/src/sys_watch.hpp"

#include "support/fake_kernel.hpp"

namespace skein::inline v0::xsk::sys {

namespace {

using test::call;
using test::fake_kernel;

template <class Work>
int enter(call kind, Work&& work) {
    auto& kernel = fake_kernel::current();
    const fake_kernel::entry entry(kernel, kind);
    const int fault = kind == call::bind ? 0 : kernel.injected(kind);
    return fault != 0 ? fault : work(kernel);
}

template <class Answer>
int ask(const std::string& name, Answer&& answer) {
    return enter(call::inspect, [&](fake_kernel& kernel) {
        const auto* device = kernel.find_device_here(name);
        return device == nullptr ? -ENODEV : answer(*device);
    });
}

}  // namespace

int open_xdp_socket() noexcept {
    return enter(call::open, [](auto& kernel) { return kernel.sys_open(); });
}

int close(int fd) noexcept {
    return enter(call::close, [&](auto& kernel) { return kernel.sys_close(fd); });
}

int set_option(int fd, int level, int name, const void* value, std::size_t bytes) noexcept {
    return enter(call::set_option, [&](auto& kernel) {
        return kernel.sys_set_option(fd, level, name, value, bytes);
    });
}

int get_option(int fd, int level, int name, void* value, std::size_t* bytes) noexcept {
    return enter(call::get_option, [&](auto& kernel) {
        return kernel.sys_get_option(fd, level, name, value, bytes);
    });
}

int bind(int fd, const xdp_address& address) noexcept {
    return enter(call::bind, [&](auto& kernel) {
        return kernel.sys_bind(fd, address.flags, static_cast<int>(address.interface_index),
                               address.queue, address.shared_umem_fd);
    });
}

int map_ring(int fd, std::size_t bytes, std::uint64_t offset, void** where) noexcept {
    return enter(call::map_ring,
                 [&](auto& kernel) { return kernel.sys_map_ring(fd, bytes, offset, where); });
}

int map_memory(std::size_t bytes, page_kind pages, void** where) noexcept {
    return enter(call::map_memory, [&](auto& kernel) {
        return kernel.sys_map_memory(bytes, pages == page_kind::huge_2m, where);
    });
}

std::uint64_t available_memory() noexcept {
    return fake_kernel::current().profile().available_bytes;
}

int unmap(void* where, std::size_t bytes) noexcept {
    return enter(call::unmap, [&](auto& kernel) { return kernel.sys_unmap(where, bytes); });
}

int wake_tx(int fd) noexcept {
    return enter(call::wake_tx, [&](auto& kernel) { return kernel.sys_wake(fd, true); });
}

int wake_rx(int fd) noexcept {
    return enter(call::wake_rx, [&](auto& kernel) { return kernel.sys_wake(fd, false); });
}

int poll(std::span<pollfd> fds, std::chrono::milliseconds timeout) noexcept {
    return enter(call::poll, [&](auto& kernel) { return kernel.sys_poll(fds, timeout); });
}

int open_netlink(netlink_protocol protocol) noexcept {
    return enter(call::netlink, [&](auto& kernel) {
        return kernel.sys_open_netlink(protocol == netlink_protocol::route);
    });
}

int join_netlink_group(int fd, std::uint32_t group) noexcept {
    return enter(call::netlink, [&](auto& kernel) { return kernel.netlink().join(fd, group); });
}

int send_netlink(int fd, std::span<const std::byte> message) noexcept {
    return enter(call::netlink, [&](auto& kernel) { return kernel.sys_send_netlink(fd, message); });
}

int receive_netlink(int fd, std::span<std::byte> buffer) noexcept {
    return enter(call::netlink, [&](auto& kernel) { return kernel.netlink().receive(fd, buffer); });
}

int open_wait_set(std::span<const int> fds) noexcept {
    return enter(call::netlink, [&](auto& kernel) { return kernel.sys_open_wait_set(fds); });
}

int open_namespace(const std::string& path) noexcept {
    return enter(call::space, [&](auto& kernel) { return kernel.sys_open_namespace(path); });
}

int enter_namespace(int fd) noexcept {
    return enter(call::space, [&](auto& kernel) { return kernel.sys_enter_namespace(fd); });
}

int interface_address(const std::string& name, std::span<std::uint8_t, 6> mac) noexcept {
    return ask(name, [&](const auto& device) {
        for (auto& byte : mac)
            byte = static_cast<std::uint8_t>(device.index);
        return 0;
    });
}

int interface_setting(const std::string& name, const char* setting) noexcept {
    return ask(name, [&](const auto& device) {
        return std::string_view(setting) == "gro_flush_timeout" ? device.gro_flush_timeout
                                                                : device.napi_defer_hard_irqs;
    });
}

int interface_index(const std::string& name) noexcept {
    return ask(name, [](const auto& device) { return device.index; });
}

int interface_mtu(const std::string& name) noexcept {
    return ask(name, [](const auto& device) { return static_cast<int>(device.mtu_bytes); });
}

int interface_is_up(const std::string& name) noexcept {
    return ask(name, [](const auto& device) { return device.up ? 1 : 0; });
}

int interface_queues(const std::string& name) noexcept {
    return ask(name, [](const auto& device) { return static_cast<int>(device.queues); });
}

int interface_driver(const std::string& name, std::span<char> driver) noexcept {
    return ask(name, [&](const auto& device) {
        const auto n = std::min(device.driver.size(), driver.size() - 1);
        device.driver.copy(driver.data(), n);
        driver[n] = '\0';
        return 0;
    });
}

std::uint64_t monotonic_ns() noexcept {
    std::uint64_t now = 0;
    enter(call::clock, [&](auto& kernel) {
        now = kernel.now_ns();
        return 0;
    });
    return now;
}

void sleep_for(std::chrono::microseconds duration) noexcept {
    enter(call::sleep, [&](auto& kernel) {
        kernel.advance(duration);
        return 0;
    });
}

void yield() noexcept {
    enter(call::yield, [](fake_kernel&) { return 0; });
}

}  // namespace skein::inline v0::xsk::sys
