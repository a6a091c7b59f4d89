// SPDX-License-Identifier: Apache-2.0
// bind() of the fake kernel, after Linux 6.12 net/xdp/xsk.c xsk_bind() and xsk_buff_pool.c
// xp_assign_dev().
#include <algorithm>
#include <cerrno>

#include <skein/xsk/uapi.hpp>

#include "support/fake_kernel.hpp"

namespace skein::test {

namespace uapi = skein::xsk::uapi;

int fake_kernel::sys_bind(int fd, std::uint16_t flags, int interface, std::uint32_t queue,
                          int shared_fd) {
    auto* s = find(fd);
    if (s == nullptr) return -EBADF;
    auto status = injected(call::bind);
    if (status == 0) status = bind_checked(*s, flags, interface, queue, shared_fd);
    binds_.push_back({fd, flags, queue, status});
    return status;
}

int fake_kernel::bind_checked(fake_socket& s, std::uint16_t flags, int interface,
                              std::uint32_t queue, int shared_fd) {
    const auto found = std::find_if(devices_.begin(), devices_.end(), [&](const auto& d) {
        return d.index == interface && d.network_namespace == s.network_namespace;
    });
    const auto known = uapi::bind_shared_umem | uapi::bind_copy | uapi::bind_zero_copy |
                       uapi::bind_need_wakeup |
                       (profile_.scatter_gather ? uapi::bind_scatter_gather : 0);
    if ((flags & ~known) != 0) return -EINVAL;
    if (s.bound()) return -EBUSY;
    if (found == devices_.end()) return -ENODEV;
    if ((s.rx == nullptr && s.tx == nullptr) || queue >= found->queues) return -EINVAL;

    const bool shares = (flags & uapi::bind_shared_umem) != 0;
    int status = shares && flags != uapi::bind_shared_umem ? -EINVAL : 0;
    if (status == 0 && shares) status = share(s, shared_fd, *found, queue);
    if (status == 0 && !shares) status = adopt_mode(s, flags, *found, queue);
    if (status != 0) return status;
    s.scatter_gather = s.umem->scatter_gather;
    s.queue = queue;
    s.device = &*found;
    s.carry = [this, &s](std::span<const std::byte> packet) {
        auto* peer = s.device == nullptr ? nullptr : find_device(s.device->peer);
        auto* receiver = peer == nullptr ? nullptr : find(*peer, s.queue);
        if (receiver != nullptr) receiver->receive(packet);
    };
    return 0;
}

// Another socket's memory, with FILL and COMPLETION rings of our own.
int fake_kernel::share(fake_socket& s, int shared_fd, const fake_device& device,
                       std::uint32_t queue) {
    auto* first = find(shared_fd);
    if (first == nullptr || !first->bound()) return -EBADF;
    const bool same_queue = first->device == &device && first->queue == queue;
    if (s.umem != nullptr || same_queue || s.fill == nullptr || s.completion == nullptr) {
        return -EINVAL;
    }
    if (first->umem->zero_copy && !device.zero_copy) return -EOPNOTSUPP;
    if (queue_busy(device, queue)) return -EBUSY;
    s.umem = first->umem;
    return 0;
}

int fake_kernel::adopt_mode(fake_socket& s, std::uint16_t flags, const fake_device& device,
                            std::uint32_t queue) {
    const bool copy = (flags & uapi::bind_copy) != 0;
    const bool zero_copy = (flags & uapi::bind_zero_copy) != 0;
    const bool pieces = (flags & uapi::bind_scatter_gather) != 0;
    if (s.umem == nullptr || s.fill == nullptr || s.completion == nullptr || (copy && zero_copy)) {
        return -EINVAL;
    }
    if (queue_busy(device, queue)) return -EBUSY;
    const bool able = device.zero_copy && (!pieces || device.zero_copy_segments > 1);
    if (zero_copy && !able) return -EOPNOTSUPP;
    s.umem->zero_copy = able && !copy;
    s.umem->scatter_gather = pieces;
    s.umem->need_wakeup = (flags & uapi::bind_need_wakeup) != 0;
    return 0;
}

bool fake_kernel::queue_busy(const fake_device& device, std::uint32_t queue) {
    const bool lagging = std::any_of(lags_.begin(), lags_.end(), [&](const auto& lag) {
        return lag.interface == device.index && lag.queue == queue && now_ns_ < lag.until_ns;
    });
    return lagging || find(device, queue) != nullptr;
}

}  // namespace skein::test
