// SPDX-License-Identifier: Apache-2.0
// What the device or the kernel told of a received packet beside its bytes.
//
//     chunk | headroom ............. | record of 32 bytes | data ...
//                                    ^ data - 32          ^ front().offset
//
// The XDP program writes a record directly below the packet's data; nothing says that it is there
// but its own last word. It is believed only where all of this holds:
//
//   * the packet is as a port received it whose program writes records (packet::has_metadata()):
//     not made by hand, not moved to another frame, nothing put in front or taken away there
//   * the record lies inside the packet's first frame, with the right magic number and version
//
// A port erases the magic number of each frame before the kernel gets it to receive into: what an
// earlier packet of the frame left behind cannot be found again. Only the first frame of a packet
// has a record. Reading copies 32 bytes, nothing is paid by who does not read.
//
// Which fields are there depends on program and mode: a device's (native mode) or that of a super
// packet (generic mode). No kernel tells whether the device has verified a checksum.
// Sources: Linux 6.12 net/core/xdp.c, include/net/xdp.h enum xdp_rss_hash_type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include <skein/packet.hpp>

namespace skein::inline v0 {

// The record as it lies in the frame, in host byte order. Written by the XDP program.
struct rx_metadata_record {
    static constexpr std::uint32_t right_magic = 0x736b6d64u;
    static constexpr std::uint8_t right_version = 1;
    // valid
    static constexpr std::uint8_t has_timestamp = 1u << 0;
    static constexpr std::uint8_t has_hash = 1u << 1;
    static constexpr std::uint8_t has_vlan = 1u << 2;
    static constexpr std::uint8_t has_segments = 1u << 3;

    std::uint64_t timestamp_ns;
    std::uint32_t hash;
    std::uint32_t gso_type;
    std::uint16_t hash_type;
    std::uint16_t vlan_tci;
    std::uint16_t vlan_protocol;
    std::uint16_t gso_size;
    std::uint16_t gso_segments;
    std::uint8_t version;
    std::uint8_t valid;
    std::uint32_t magic;
};
static_assert(sizeof(rx_metadata_record) == 32);

// What the device hashed to choose the queue.
struct rx_hash {
    static constexpr std::uint16_t over_ipv4 = 1u << 0;
    static constexpr std::uint16_t over_ipv6 = 1u << 1;
    static constexpr std::uint16_t over_ports = 1u << 3;  // a layer 4 hash

    std::uint32_t value;
    std::uint16_t type;  // bits as above, more in enum xdp_rss_hash_type; 0: not told
};

// A tag that the device took off: it is not among the packet's bytes.
struct rx_vlan_tag {
    std::uint16_t protocol;  // its EtherType, 0x8100 or 0x88a8
    std::uint16_t tci;       // PCP 3 bits, DEI 1, VLAN id 12
};

// A super packet: what the sender's kernel left for the device to cut.
struct rx_segments {
    std::uint16_t size_bytes;  // payload of each packet but the last
    std::uint16_t count;       // 0: not told
    std::uint32_t gso_type;    // SKB_GSO_* of the kernel it came from
};

class rx_metadata {
  public:
    // Empty where the packet has none, or none that can be believed.
    static std::optional<rx_metadata> of(const packet& p) noexcept {
        if (!p.has_metadata() || p.empty()) return std::nullopt;
        const auto head = p.front();
        if (head.offset < sizeof(rx_metadata_record)) return std::nullopt;
        rx_metadata found;
        const auto* data = p.pool()->area().bytes(head).data();
        std::memcpy(&found.record_, data - sizeof found.record_, sizeof found.record_);
        const bool right = found.record_.magic == rx_metadata_record::right_magic &&
                           found.record_.version == rx_metadata_record::right_version;
        return right ? std::optional(found) : std::nullopt;
    }

    // When the device received the packet, in ns of the device's clock.
    std::optional<std::uint64_t> timestamp_ns() const noexcept {
        if (!has(rx_metadata_record::has_timestamp)) return std::nullopt;
        return record_.timestamp_ns;
    }
    std::optional<rx_hash> hash() const noexcept {
        if (!has(rx_metadata_record::has_hash)) return std::nullopt;
        return rx_hash{record_.hash, record_.hash_type};
    }
    std::optional<rx_vlan_tag> vlan_tag() const noexcept {
        if (!has(rx_metadata_record::has_vlan)) return std::nullopt;
        return rx_vlan_tag{record_.vlan_protocol, record_.vlan_tci};
    }
    std::optional<rx_segments> segments() const noexcept {
        if (!has(rx_metadata_record::has_segments)) return std::nullopt;
        return rx_segments{record_.gso_size, record_.gso_segments, record_.gso_type};
    }

  private:
    rx_metadata() noexcept = default;
    bool has(std::uint8_t field) const noexcept { return (record_.valid & field) != 0; }

    rx_metadata_record record_{};
};

}  // namespace skein::inline v0
