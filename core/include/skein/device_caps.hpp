// SPDX-License-Identifier: Apache-2.0
// What a device can do, as far as it decides how a packet may be sent and what arrives: a plain
// value for whoever reads it per packet, and beside it where each part of it was learned.
//
//     device_caps     the values; small, no pointers, to be copied next to the data path
//     caps_report     the same with a source for each, and how it came about; to be shown
//
// The sources, the first that knows wins, each part by itself:
//
//     override        the user said so (--caps)
//     kernel          the running kernel: netdev generic netlink, ethtool, a BPF probe
//     table           driver_table.hpp, what the driver's source says
//     default         a safe value for a device nobody knows
//
// Some values follow from others (settle() in device_caps.cpp has the rules, each with its reason);
// they carry the source of what they follow from. An override is never overruled by a rule.
//
// Threading: plain values. Units are in the names. Sources: Linux 6.12 net/xdp/xsk.c
// (xsk_build_skb, xsk_build_skb_zerocopy), include/uapi/linux/netdev.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <skein/export.hpp>

namespace skein::inline v0 {

// X(NAME, KIND, DEFAULT): every capability, in the order in which it is shown. `flag` is true or
// false, `number` a count or a size, `bits` a set as the kernel numbers it.
#define SKEIN_DEVICE_CAPS(X)                                                                     \
    X(tx_no_linear, flag, false)     /* sends packets whose first segment holds no header */     \
    X(min_head_bytes, number, 64)    /* that the first segment must hold, or the whole packet */ \
    X(min_frame_bytes, number, 14)   /* of a packet; shorter ones are padded or refused */       \
    X(max_tx_segments, number, 18)   /* pieces a packet may be sent in; see tx_pieces() */       \
    X(segment_cost_bytes, number, 0) /* a further piece costs as much as copying so many */      \
    X(zero_copy, flag, false)        /* the driver offers it; a bind says whether it gives it */ \
    X(scatter_gather, flag, true)    /* packets of several pieces, both ways */                  \
    X(xdp_native, flag, false)       /* the driver runs XDP programs itself */                   \
    X(xdp_features, bits, 0)         /* netdev_xdp_act */                                        \
    X(tx_checksum, flag, false)      /* finishes a checksum on request (TX metadata) */          \
    X(tx_timestamp, flag, false)     /* tells when a packet left, on request */                  \
    X(rx_metadata, bits, 0)          /* netdev_xdp_rx_metadata: time, hash, VLAN tag */          \
    X(mtu, number, 1500)             /* bytes of the longest IP packet */                        \
    X(queues, number, 1)             /* that a socket can be bound to */                         \
    X(zc_max_segments, number, 1)    /* pieces a packet may have in zero-copy mode */            \
    X(page_bytes, number, 4096)      /* of the pages that tx_pieces() counts */

#define SKEIN_CAPS_TYPE_flag bool
#define SKEIN_CAPS_TYPE_number std::uint32_t
#define SKEIN_CAPS_TYPE_bits std::uint32_t
#define SKEIN_CAPS_MEMBER(name, kind, fallback) SKEIN_CAPS_TYPE_##kind name = fallback;

struct device_caps {
    SKEIN_DEVICE_CAPS(SKEIN_CAPS_MEMBER)

    bool operator==(const device_caps&) const noexcept = default;
};

#undef SKEIN_CAPS_MEMBER
#undef SKEIN_CAPS_TYPE_flag
#undef SKEIN_CAPS_TYPE_number
#undef SKEIN_CAPS_TYPE_bits

#define SKEIN_CAPS_ENUMERATOR(name, kind, fallback) name,
enum class capability : std::uint8_t { SKEIN_DEVICE_CAPS(SKEIN_CAPS_ENUMERATOR) };
#undef SKEIN_CAPS_ENUMERATOR

#define SKEIN_CAPS_COUNT(name, kind, fallback) +1
inline constexpr std::size_t capability_count = 0 SKEIN_DEVICE_CAPS(SKEIN_CAPS_COUNT);
#undef SKEIN_CAPS_COUNT

enum class caps_kind : std::uint8_t { flag, number, bits };
enum class caps_source : std::uint8_t { by_default, table, kernel, overridden };

SKEIN_EXPORT std::string_view to_string(capability which) noexcept;    // "tx_no_linear"
SKEIN_EXPORT std::string_view to_string(caps_source source) noexcept;  // "default", "override"
SKEIN_EXPORT std::optional<capability> capability_named(std::string_view name) noexcept;
SKEIN_EXPORT caps_kind kind_of(capability which) noexcept;
SKEIN_EXPORT std::uint32_t value_of(const device_caps& caps, capability which) noexcept;

// How many of max_tx_segments a piece of a packet uses up: one, but one for each page it touches
// where the kernel hands the device the pages themselves (copy mode with tx_no_linear). `address`
// is that of the piece in its UMEM, which begins on a page.
constexpr std::uint32_t tx_pieces(const device_caps& caps, std::uint64_t address,
                                  std::uint32_t length) noexcept {
    if (!caps.tx_no_linear || caps.zero_copy || length == 0) return 1;
    const std::uint64_t first = address / caps.page_bytes;
    const std::uint64_t last = (address + length - 1) / caps.page_bytes;
    return static_cast<std::uint32_t>(last - first + 1);
}

// What a further piece of a packet costs, as bytes that could be copied in the same time. In copy
// mode the kernel allocates a page for it; with tx_no_linear it takes a reference to one; in
// zero-copy mode it is one more descriptor for the device.
inline constexpr std::uint32_t copy_segment_cost_bytes = 2048;
inline constexpr std::uint32_t page_segment_cost_bytes = 256;
inline constexpr std::uint32_t zero_copy_segment_cost_bytes = 64;

// What one source knows. The rest is left to the next one.
class known_caps {
  public:
    void set(capability which, std::uint32_t value) noexcept { values_[index(which)] = value; }
    std::optional<std::uint32_t> find(capability which) const noexcept {
        return values_[index(which)];
    }
    bool operator==(const known_caps&) const noexcept = default;

  private:
    static constexpr std::size_t index(capability which) noexcept {
        return static_cast<std::size_t>(which);
    }

    std::array<std::optional<std::uint32_t>, capability_count> values_{};
};

// What the running kernel is able to, besides what it says of the device.
struct kernel_abilities {
    std::optional<bool> multi_buffer = {};  // AF_XDP packets of several pieces; since Linux 6.6
    std::optional<bool> tx_metadata = {};   // requests beside a packet; since Linux 6.8
    // The same with tx_no_linear, where the kernel cannot do the sum itself; since Linux 6.18.
    std::optional<bool> no_linear_metadata = {};
    std::optional<bool> hardware_checksum = {};  // the device sums what it sends
    std::uint32_t xsk_features = 0;              // netdev_xsk_flags: of zero-copy alone
};

struct caps_report {
    device_caps values;
    std::array<caps_source, capability_count> sources{};

    caps_source source_of(capability which) const noexcept {
        return sources[static_cast<std::size_t>(which)];
    }
    bool operator==(const caps_report&) const noexcept = default;
};

// Puts the sources together.
SKEIN_EXPORT caps_report settle_caps(const known_caps& overrides, const known_caps& kernel,
                                     const known_caps& table, const kernel_abilities& abilities);

// The names of the bits of xdp_features and rx_metadata, in the kernel's order; none for others.
SKEIN_EXPORT std::span<const std::string_view> bit_names(capability which) noexcept;

namespace xdp_feature {  // Linux 6.12 include/uapi/linux/netdev.h, enum netdev_xdp_act
inline constexpr std::uint32_t basic = 1u << 0;
inline constexpr std::uint32_t redirect = 1u << 1;
inline constexpr std::uint32_t ndo_xmit = 1u << 2;
inline constexpr std::uint32_t xsk_zero_copy = 1u << 3;
inline constexpr std::uint32_t hw_offload = 1u << 4;
inline constexpr std::uint32_t rx_scatter_gather = 1u << 5;
inline constexpr std::uint32_t ndo_xmit_scatter_gather = 1u << 6;
}  // namespace xdp_feature

namespace xsk_feature {  // the same header, enum netdev_xsk_flags
inline constexpr std::uint32_t tx_timestamp = 1u << 0;
inline constexpr std::uint32_t tx_checksum = 1u << 1;
inline constexpr std::uint32_t tx_launch_time = 1u << 2;  // since Linux 6.15
}  // namespace xsk_feature

}  // namespace skein::inline v0
