// SPDX-License-Identifier: Apache-2.0
// The size limits of a device (BIG TCP), set and read over rtnetlink.
//
// A device's aggregates may grow to gso_max_size when sent and gro_max_size when received, IPv4's
// to limits of their own. ip(8) names the IPv4 ones only since 6.3, the C headers of Linux 6.1 not
// at all; their attribute numbers are those of Linux 6.3 include/uapi/linux/if_link.h. A kernel
// that does not know an attribute ignores it: so what was set is read back.
#pragma once

#include <cstdint>
#include <string>

namespace skein::tool {

// Bytes; 0 where the kernel does not report the limit.
struct size_limits {
    std::uint32_t gso = 0;
    std::uint32_t gro = 0;
    std::uint32_t gso_ipv4 = 0;
    std::uint32_t gro_ipv4 = 0;
    std::uint32_t tso = 0;  // the driver's own ceiling for gso, read only
};

size_limits read_size_limits(const std::string& space, const std::string& device);

// Sets all four limits and returns what the kernel made of it. Throws command_failure where it
// refuses the size.
size_limits set_size_limits(const std::string& space, const std::string& device,
                            std::uint32_t bytes);

}  // namespace skein::tool
