// SPDX-License-Identifier: Apache-2.0
// A network device of the fake kernel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein::test {

// What a device tells discovery (xsk/src/sys_device.hpp); nothing: it does not answer.
struct fake_netdev {
    std::uint64_t xdp_features = 0;
    std::uint32_t zc_max_segments = 0;
    std::uint64_t rx_metadata = 0;
    std::uint64_t xsk_features = 0;
};

struct fake_device {
    std::string name = {};
    std::uint32_t mtu_bytes = 1500;
    std::uint32_t queues = 1;
    std::string driver = "veth";
    bool up = true;
    bool carrier = true;     // false, as when a veth's peer is down: what is sent is lost, EBUSY
    bool zero_copy = false;  // false: bind with XDP_ZEROCOPY gives EOPNOTSUPP
    std::uint32_t zero_copy_segments = 1;  // 1: no XDP_USE_SG together with zero-copy
    std::uint32_t napi_id = 0;             // 0: the kernel cannot busy-poll the device
    int napi_defer_hard_irqs = 0;
    int gro_flush_timeout = 0;           // ns
    std::uint64_t xdp_features = 0;      // enum netdev_xdp_act
    std::string network_namespace = {};  // its path; empty: where the test is
    int index = 0;                       // given by the kernel
    std::string peer = {};               // what is sent here is received there, if not empty
    std::optional<fake_netdev> netdev = {};
    std::vector<std::string> offloads_on = {};
    std::optional<std::uint32_t> no_linear = {};  // what a probe would read; nothing: not permitted
};

}  // namespace skein::test
