// SPDX-License-Identifier: Apache-2.0
// System calls that ask what a device can do: the rest of sys.hpp, with the same rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skein::inline v0::xsk::sys {

// What netdev generic netlink says of a device (since Linux 6.3). -ENOENT: this kernel does not
// have it.
struct netdev_answer {
    std::uint64_t xdp_features = 0;
    std::uint32_t zc_max_segments = 0;  // 0: not said, no zero-copy
    std::uint64_t rx_metadata = 0;
    std::uint64_t xsk_features = 0;
};
int netdev_features(std::uint32_t interface_index, netdev_answer& answer) noexcept;

// What ethtool says. -EOPNOTSUPP where the driver does not answer.
struct ring_sizes {
    std::uint32_t rx = 0, tx = 0, rx_most = 0, tx_most = 0;
};
struct channel_counts {
    std::uint32_t rx = 0, tx = 0, combined = 0, rx_most = 0, tx_most = 0, combined_most = 0;
};
struct named_feature {
    std::string name;  // the kernel's: "rx-lro"
    bool on = false;
    bool fixed = false;  // cannot be changed
};
struct named_counter {
    std::string name;
    std::uint64_t value = 0;
};
int device_rings(const std::string& name, ring_sizes& sizes);
int device_channels(const std::string& name, channel_counts& counts);
int device_features(const std::string& name, std::vector<named_feature>& features);
int device_statistics(const std::string& name, std::vector<named_counter>& counters);

int device_has_carrier(const std::string& name) noexcept;  // 1 or 0

// "6.18.44"
std::string kernel_release();
std::uint32_t page_bytes() noexcept;

}  // namespace skein::inline v0::xsk::sys
