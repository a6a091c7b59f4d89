// SPDX-License-Identifier: Apache-2.0
#include "support/fake_netlink.hpp"

#include <linux/genetlink.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace skein::test {

namespace {

class builder {
  public:
    explicit builder(std::uint16_t type) {
        nlmsghdr header{};
        header.nlmsg_type = type;
        append(header);
    }

    template <class Value>
    builder& append(const Value& value) {
        return bytes(&value, sizeof value);
    }
    builder& attribute(std::uint16_t type, const void* value, std::size_t length) {
        append(
            nlattr{.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + length), .nla_type = type});
        return bytes(value, length);
    }
    template <class Value>
    builder& attribute(std::uint16_t type, const Value& value) {
        return attribute(type, &value, sizeof value);
    }
    builder& attribute(std::uint16_t type, const std::string& text) {
        return attribute(type, text.c_str(), text.size() + 1);
    }
    netlink_bytes done() {
        const auto length = static_cast<std::uint32_t>(message_.size());
        std::memcpy(message_.data(), &length, sizeof length);
        return std::move(message_);
    }
    // Of an attribute that holds attributes.
    netlink_bytes nested() {
        message_.erase(message_.begin(), message_.begin() + sizeof(nlmsghdr));
        return std::move(message_);
    }

  private:
    // Padded to four.
    builder& bytes(const void* from, std::size_t length) {
        const auto* begin = static_cast<const std::byte*>(from);
        message_.insert(message_.end(), begin, begin + length);
        while (message_.size() % NLMSG_ALIGNTO != 0)
            message_.push_back(std::byte{0});
        return *this;
    }

    netlink_bytes message_;
};

netlink_bytes no_such_device(std::int32_t error) {
    return builder(NLMSG_ERROR).append(nlmsgerr{.error = error, .msg = {}}).done();
}

netlink_bytes family_message() {
    const auto group = builder(0)
                           .attribute(CTRL_ATTR_MCAST_GRP_NAME, std::string("mgmt"))
                           .attribute(CTRL_ATTR_MCAST_GRP_ID, fake_netlink::mgmt_group)
                           .nested();
    const auto groups = builder(0).attribute(1, group.data(), group.size()).nested();
    return builder(GENL_ID_CTRL)
        .append(genlmsghdr{.cmd = CTRL_CMD_NEWFAMILY, .version = 2, .reserved = 0})
        .attribute(CTRL_ATTR_FAMILY_NAME, std::string("netdev"))
        .attribute(CTRL_ATTR_FAMILY_ID, fake_netlink::netdev_family)
        .attribute(CTRL_ATTR_MCAST_GROUPS | NLA_F_NESTED, groups.data(), groups.size())
        .done();
}

template <class Value>
Value read_at(std::span<const std::byte> message, std::size_t at) {
    Value value{};
    if (message.size() >= at + sizeof value) {
        std::memcpy(&value, message.data() + at, sizeof value);
    }
    return value;
}

}  // namespace

netlink_bytes link_message(std::uint16_t type, const fake_device& device, std::uint8_t family) {
    ifinfomsg link{};
    link.ifi_family = family;
    link.ifi_index = device.index;
    if (device.up) link.ifi_flags = IFF_UP | IFF_RUNNING;
    if (device.up && device.carrier) link.ifi_flags |= IFF_LOWER_UP;
    const std::uint32_t queue_length = 1000;
    return builder(type)
        .append(link)
        .attribute(IFLA_IFNAME, device.name)
        .attribute(IFLA_TXQLEN, queue_length)
        .attribute(IFLA_MTU, device.mtu_bytes)
        .done();
}

// Since Linux 6.3 include/uapi/linux/netdev.h: index 1, features 3.
netlink_bytes feature_message(std::uint8_t command, const fake_device& device) {
    return builder(fake_netlink::netdev_family)
        .append(genlmsghdr{.cmd = command, .version = 1, .reserved = 0})
        .attribute(1, device.index)
        .attribute(3, device.xdp_features)
        .done();
}

void fake_netlink::open(int fd, bool route, std::string network_namespace) {
    sockets_.emplace(fd, endpoint{route, std::move(network_namespace)});
}

bool fake_netlink::close(int fd) {
    return sockets_.erase(fd) + wait_sets_.erase(fd) != 0;
}

int fake_netlink::join(int fd, std::uint32_t group) {
    const auto found = sockets_.find(fd);
    if (found == sockets_.end()) return -EBADF;
    found->second.groups.insert(group);
    return 0;
}

int fake_netlink::send(int fd, std::span<const std::byte> message, bool has_netdev,
                       const std::list<fake_device>& devices) {
    const auto found = sockets_.find(fd);
    if (found == sockets_.end()) return -EBADF;
    auto& s = found->second;
    const auto header = read_at<nlmsghdr>(message, 0);
    if (header.nlmsg_len != message.size()) return -EINVAL;
    if (s.congested) return static_cast<int>(message.size());
    if (header.nlmsg_type == GENL_ID_CTRL) {
        s.queue.push_back(has_netdev ? family_message() : no_such_device(-ENOENT));
        return static_cast<int>(message.size());
    }
    constexpr std::size_t behind_header = NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN;
    const auto index = s.route ? read_at<ifinfomsg>(message, NLMSG_HDRLEN).ifi_index
                               : read_at<std::int32_t>(message, behind_header);
    const auto device = std::find_if(devices.begin(), devices.end(), [&](const auto& d) {
        return d.index == index && d.network_namespace == s.network_namespace;
    });
    if (device == devices.end()) {
        s.queue.push_back(no_such_device(-ENODEV));
    } else {
        s.queue.push_back(s.route ? link_message(RTM_NEWLINK, *device)
                                  : feature_message(1, *device));
    }
    return static_cast<int>(message.size());
}

int fake_netlink::receive(int fd, std::span<std::byte> buffer) {
    const auto found = sockets_.find(fd);
    if (found == sockets_.end()) return -EBADF;
    auto& s = found->second;
    if (std::exchange(s.overrun, false)) return -ENOBUFS;
    if (s.queue.empty()) return -EAGAIN;
    const auto message = std::move(s.queue.front());
    s.queue.pop_front();
    s.congested = s.congested && !s.queue.empty();
    if (message.size() > buffer.size()) return -EMSGSIZE;
    std::copy(message.begin(), message.end(), buffer.begin());
    return static_cast<int>(message.size());
}

void fake_netlink::open_wait_set(int fd, std::span<const int> fds) {
    wait_sets_.emplace(fd, std::vector<int>(fds.begin(), fds.end()));
}

bool fake_netlink::ready(int wait_set) const {
    const auto& fds = wait_sets_.at(wait_set);
    return std::any_of(fds.begin(), fds.end(), [&](int fd) {
        const auto found = sockets_.find(fd);
        return found != sockets_.end() && (found->second.overrun || !found->second.queue.empty());
    });
}

void fake_netlink::tell_link(const netlink_bytes& message, const std::string& network_namespace) {
    tell(true, RTNLGRP_LINK, message, network_namespace);
}

void fake_netlink::tell_features(const netlink_bytes& message,
                                 const std::string& network_namespace) {
    tell(false, mgmt_group, message, network_namespace);
}

void fake_netlink::tell(bool route, std::uint32_t group, const netlink_bytes& message,
                        const std::string& network_namespace) {
    for (auto& [fd, s] : sockets_) {
        if (s.route == route && s.groups.contains(group) && !s.congested &&
            s.network_namespace == network_namespace) {
            s.queue.push_back(message);
        }
    }
}

void fake_netlink::overrun() {
    for (auto& [fd, s] : sockets_) {
        s.queue.assign(1, netlink_bytes(4));
        s.overrun = s.congested = true;
    }
}

}  // namespace skein::test
