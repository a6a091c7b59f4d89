// SPDX-License-Identifier: Apache-2.0
// What set-up needs to know of a network device before it opens anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <skein/xsk/interface.hpp>

namespace skein::inline v0::xsk {

struct interface_facts {
    std::string name;
    std::uint32_t index = 0;
    std::uint32_t queues = 1;            // how many can be bound
    std::string driver = {};             // as `ethtool -i` names it; empty where unknown
    std::string network_namespace = {};  // empty: the caller's own

    // As the user names it, also from outside.
    std::string label() const { return to_string(device_name{name, network_namespace}); }
};

// Asks in the namespace the calling thread is in; network_namespace is what that one is called.
// Throws setup_error naming the interface if there is none of that name.
interface_facts inspect_interface(const std::string& name,
                                  const std::string& network_namespace = {});

inline std::string command_beside(const interface_facts& device, const std::string& command) {
    return command_beside(device_name{device.name, device.network_namespace}, command);
}

// Throws setup_error if the device has no such queue.
void check_queue(const interface_facts& device, std::uint32_t queue);

// True for drivers that start a queue's RX and TX side together and want frames in FILL even where
// only TX is used. Source: their ndo_bpf XSK pool set-up allocates RX buffers from the pool (Linux
// 6.12 drivers/net/ethernet: intel/{i40e,ice,ixgbe,igb,igc}, stmicro/stmmac, engleder/tsnep).
bool primes_fill_for_tx(std::string_view driver) noexcept;

}  // namespace skein::inline v0::xsk
