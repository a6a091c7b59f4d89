// SPDX-License-Identifier: Apache-2.0
#include "sys_watch.hpp"

#include <linux/netlink.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace skein::inline v0::xsk::sys {

namespace {

int result(long value) noexcept {
    return value < 0 ? -errno : static_cast<int>(value);
}

}  // namespace

int open_netlink(netlink_protocol protocol) noexcept {
    const int number = protocol == netlink_protocol::route ? NETLINK_ROUTE : NETLINK_GENERIC;
    const int fd = result(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, number));
    if (fd < 0) return fd;
    sockaddr_nl own{};
    own.nl_family = AF_NETLINK;
    const int status = result(::bind(fd, reinterpret_cast<const sockaddr*>(&own), sizeof own));
    if (status >= 0) return fd;
    ::close(fd);
    return status;
}

int join_netlink_group(int fd, std::uint32_t group) noexcept {
    return result(::setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group));
}

int send_netlink(int fd, std::span<const std::byte> message) noexcept {
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    return result(::sendto(fd, message.data(), message.size(), 0,
                           reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel));
}

// Other processes may send to the socket, too: that is skipped.
int receive_netlink(int fd, std::span<std::byte> buffer) noexcept {
    for (;;) {
        sockaddr_nl from{};
        iovec into{.iov_base = buffer.data(), .iov_len = buffer.size()};
        msghdr how{};
        how.msg_name = &from;
        how.msg_namelen = sizeof from;
        how.msg_iov = &into;
        how.msg_iovlen = 1;
        const auto length = ::recvmsg(fd, &how, MSG_DONTWAIT);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) return -errno;
        if (from.nl_pid != 0) continue;
        return (how.msg_flags & MSG_TRUNC) != 0 ? -EMSGSIZE : static_cast<int>(length);
    }
}

int open_wait_set(std::span<const int> fds) noexcept {
    const int set = result(::epoll_create1(EPOLL_CLOEXEC));
    if (set < 0) return set;
    for (const int fd : fds) {
        epoll_event wanted{};
        wanted.events = EPOLLIN;
        wanted.data.fd = fd;
        const int status = result(::epoll_ctl(set, EPOLL_CTL_ADD, fd, &wanted));
        if (status >= 0) continue;
        ::close(set);
        return status;
    }
    return set;
}

}  // namespace skein::inline v0::xsk::sys
