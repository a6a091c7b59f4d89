// SPDX-License-Identifier: Apache-2.0
// The packet that xdpsock -t sends: UDP from 10.10.10.16 to 10.10.10.32, port 4096 to 4096.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "options.hpp"

namespace xdpsock {

class test_packet {
  public:
    explicit test_packet(const options& given);

    // As it goes to the device: without FCS.
    std::span<const std::byte> bytes() const noexcept { return bytes_; }

    // Writes number and time into a copy of the packet, or of its first bytes, and mends the
    // checksum.
    void stamp(std::span<std::byte> copy, std::uint32_t number, std::uint64_t time_ns) const;

  private:
    std::vector<std::byte> bytes_;
    std::size_t udp_at_;
};

}  // namespace xdpsock
