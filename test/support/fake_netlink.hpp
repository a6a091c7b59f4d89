// SPDX-License-Identifier: Apache-2.0
// The netlink of a fake kernel: sockets with queues, and what is told of devices. Messages are
// built from the kernel's own headers, so that their readers are checked against those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "support/fake_device.hpp"

namespace skein::test {

using netlink_bytes = std::vector<std::byte>;

// What rtnetlink says of a device; type is RTM_NEWLINK or RTM_DELLINK, family AF_UNSPEC or
// AF_BRIDGE.
netlink_bytes link_message(std::uint16_t type, const fake_device& device, std::uint8_t family = 0);
// What the family "netdev" says of it.
netlink_bytes feature_message(std::uint8_t command, const fake_device& device);

class fake_netlink {
  public:
    static constexpr std::uint16_t netdev_family = 0x1c;
    static constexpr std::uint32_t mgmt_group = 9;

    void open(int fd, bool route, std::string network_namespace);
    bool close(int fd);
    bool empty() const { return sockets_.empty() && wait_sets_.empty(); }

    int join(int fd, std::uint32_t group);
    // Answers as the kernel does, before it returns. device: what a question asks for, or null.
    int send(int fd, std::span<const std::byte> message, bool has_netdev,
             const std::list<fake_device>& devices);
    int receive(int fd, std::span<std::byte> buffer);
    void open_wait_set(int fd, std::span<const int> fds);
    bool is_wait_set(int fd) const { return wait_sets_.contains(fd); }
    bool ready(int wait_set) const;

    // To everybody who listens in that namespace.
    void tell_link(const netlink_bytes& message, const std::string& network_namespace);
    void tell_features(const netlink_bytes& message, const std::string& network_namespace);
    // Nobody read in time: what is queued is lost but for one message that says nothing.
    void overrun();

  private:
    struct endpoint {
        bool route;
        std::string network_namespace;
        std::set<std::uint32_t> groups = {};
        std::deque<netlink_bytes> queue = {};
        bool overrun = false;    // the next receive says so
        bool congested = false;  // until all was read, nothing more is queued, answers neither
    };
    void tell(bool route, std::uint32_t group, const netlink_bytes& message,
              const std::string& network_namespace);

    std::map<int, endpoint> sockets_;
    std::map<int, std::vector<int>> wait_sets_;
};

}  // namespace skein::test
