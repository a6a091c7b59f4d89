// SPDX-License-Identifier: Apache-2.0
// What stands: the lab's namespaces with their devices, as the kernel reports them now.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab_namespace.hpp"
#include "lab_netlink.hpp"

namespace skein::tool {

struct attached_program {
    std::string mode;  // "native", "generic", "offloaded"
    std::uint32_t id;
};

struct device_status {
    std::string name;
    std::uint32_t mtu = 0;
    std::uint32_t rx_queues = 0;
    std::uint32_t tx_queues = 0;
    bool carrier = false;
    std::vector<std::string> addresses;  // "10.77.0.1/24"
    std::vector<std::string> offloads;   // those of `watched_offloads` that are on
    std::vector<attached_program> programs;
    size_limits limits;
};

struct namespace_status {
    std::string name;
    std::vector<device_status> devices;  // all but lo
    std::vector<inhabitant> processes;
};

// Empty where no lab is up; fewer than three namespaces where a part is missing.
std::vector<namespace_status> read_lab_status();

nlohmann::ordered_json as_json(const std::vector<namespace_status>& lab);
std::string as_text(const std::vector<namespace_status>& lab);

}  // namespace skein::tool
