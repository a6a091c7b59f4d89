// SPDX-License-Identifier: Apache-2.0
// System calls of the fake kernel on sockets and memory.
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <skein/xsk/uapi.hpp>

#include "support/fake_kernel.hpp"

namespace skein::test {

namespace uapi = skein::xsk::uapi;

int fake_kernel::sys_open() {
    if (!profile_.xdp_sockets) return -EAFNOSUPPORT;
    if (!profile_.net_raw) return -EPERM;
    auto descriptor = real_descriptors_ ? std::make_unique<fake_descriptor>() : nullptr;
    const int fd = descriptor ? descriptor->number() : next_fd_++;
    auto& s = sockets_.emplace(fd, std::make_unique<fake_socket>(fd, profile_)).first->second;
    s->waitable = std::move(descriptor);
    s->network_namespace = here_;
    return fd;
}

int fake_kernel::sys_open_netlink(bool route) {
    const int fd = next_fd_++;
    netlink_.open(fd, route, here_);
    return fd;
}

int fake_kernel::sys_send_netlink(int fd, std::span<const std::byte> message) {
    return netlink_.send(fd, message, profile_.netdev_family, devices_);
}

int fake_kernel::sys_open_wait_set(std::span<const int> fds) {
    const int fd = next_fd_++;
    netlink_.open_wait_set(fd, fds);
    return fd;
}

int fake_kernel::sys_open_namespace(const std::string& path) {
    if (std::find(namespaces_.begin(), namespaces_.end(), path) == namespaces_.end()) {
        return -ENOENT;
    }
    const int fd = next_fd_++;
    namespace_fds_.emplace(fd, path);
    return fd;
}

int fake_kernel::sys_enter_namespace(int fd) {
    const auto found = namespace_fds_.find(fd);
    if (found == namespace_fds_.end()) return -EBADF;
    if (!profile_.sys_admin) return -EPERM;
    here_ = found->second;
    return 0;
}

int fake_kernel::sys_close(int fd) {
    if (namespace_fds_.erase(fd) != 0 || netlink_.close(fd)) return 0;
    auto* s = find(fd);
    if (s == nullptr) return -EBADF;
    if (s->device != nullptr && profile_.release_lag.count() != 0) {
        const auto lag = std::chrono::nanoseconds(profile_.release_lag).count();
        lags_.push_back({s->device->index, s->queue, now_ns_ + static_cast<std::uint64_t>(lag)});
    }
    s->let_go();
    sockets_.erase(fd);
    return 0;
}

int fake_kernel::sys_map_ring(int fd, std::size_t length, std::uint64_t offset, void** where) {
    auto* s = find(fd);
    if (s == nullptr) return -EBADF;
    const auto map = [&](const auto& ring) {
        if (ring == nullptr || length > ring->memory()->bytes()) return -EINVAL;
        *where = ring->memory()->base();
        ring_maps_[*where] = ring->memory();
        return 0;
    };
    switch (offset) {
        case uapi::rx_ring_offset:
            return map(s->rx);
        case uapi::tx_ring_offset:
            return map(s->tx);
        case uapi::fill_ring_offset:
            return map(s->fill);
        case uapi::completion_ring_offset:
            return map(s->completion);
        default:
            return -EINVAL;
    }
}

int fake_kernel::sys_map_memory(std::size_t length, bool huge, void** where) {
    if (huge && length > profile_.huge_page_bytes) return -ENOMEM;
    const std::size_t page = huge ? std::size_t{2} << 20 : 4096;
    const auto rounded = (length + page - 1) / page * page;
    auto* base = static_cast<std::byte*>(std::aligned_alloc(page, rounded));
    if (base == nullptr) return -ENOMEM;
    std::memset(base, 0xa5, rounded);
    memory_maps_[base] = {base, length};
    *where = base;
    return 0;
}

int fake_kernel::sys_unmap(void* where, std::size_t length) {
    if (ring_maps_.erase(where) != 0) return 0;
    const auto found = memory_maps_.find(where);
    if (found == memory_maps_.end() || found->second.bytes != length) {
        violations_.push_back("munmap of what was not mapped so");
        return -EINVAL;
    }
    custodies_.erase(found->second.base);
    std::free(where);
    memory_maps_.erase(found);
    return 0;
}

int fake_kernel::sys_wake(int fd, bool tx) {
    auto* s = find(fd);
    if (s == nullptr) return -EBADF;
    if (tx) return s->transmit();
    if (s->device == nullptr) return -ENXIO;
    return s->device->up ? 0 : -ENETDOWN;
}

bool fake_kernel::ready(fake_socket& s, short events, short& found) {
    found = 0;
    if ((events & POLLIN) != 0 && s.rx != nullptr && s.rx->producer() != s.rx->consumer()) {
        found = POLLIN;
    }
    return found != 0;
}

// In copy mode poll() drives transmission, too.
int fake_kernel::sys_poll(std::span<pollfd> fds, std::chrono::milliseconds timeout) {
    if (during_poll) during_poll();
    int found = 0;
    for (auto& polled : fds) {
        if (netlink_.is_wait_set(polled.fd)) {
            polled.revents = netlink_.ready(polled.fd) ? POLLIN : short{0};
            found += polled.revents != 0 ? 1 : 0;
            continue;
        }
        auto* s = find(polled.fd);
        if (s == nullptr) {
            polled.revents = POLLNVAL;
            ++found;
            continue;
        }
        if (s->bound() && !s->umem->zero_copy && s->tx != nullptr) s->transmit();
        if (ready(*s, polled.events, polled.revents)) ++found;
    }
    if (found == 0) advance(timeout);
    return found;
}

}  // namespace skein::test
