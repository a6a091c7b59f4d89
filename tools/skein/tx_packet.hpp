// SPDX-License-Identifier: Apache-2.0
// The packet that `skein tx` sends: Ethernet, IPv4 or IPv6, UDP, a counted pattern as payload, all
// lengths and checksums right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skein::tool {

struct tx_packet_options {
    std::uint32_t size_bytes = 0;  // from the Ethernet header on, no FCS; 0: the least there is
    std::string source_mac;        // empty: the interface's own
    std::string destination_mac = "02:00:00:00:00:01";  // locally administered
    std::string source = "198.18.0.1";                  // RFC 2544 §C.2.2: for benchmarks
    std::string destination = "198.18.0.2";
    std::uint16_t source_port = 9;  // discard
    std::uint16_t destination_port = 9;
};

// Throws usage_failure for an address that cannot be read, addresses of two families, or a size
// that is smaller than the headers or more than an IP packet can have.
std::vector<std::byte> make_tx_packet(const tx_packet_options& options);

}  // namespace skein::tool
