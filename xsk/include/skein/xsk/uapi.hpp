// SPDX-License-Identifier: Apache-2.0
// The kernel's AF_XDP interface, including what the headers of Debian 12 (Linux 6.1) do not have
// yet.
//
// The one place for such constants: everything else in skein uses these names, so that it builds
// the same against any headers. Values: Linux 6.18 include/uapi/linux/if_xdp.h and
// include/uapi/asm-generic/socket.h. A kernel that does not know one of them says so at run time;
// each use is negotiated.
#pragma once

#include <cstdint>

#include <linux/if_xdp.h>

namespace skein::inline v0::xsk::uapi {

// sockaddr_xdp::sxdp_flags
inline constexpr std::uint16_t bind_shared_umem = 1u << 0;
inline constexpr std::uint16_t bind_copy = 1u << 1;
inline constexpr std::uint16_t bind_zero_copy = 1u << 2;
inline constexpr std::uint16_t bind_need_wakeup = 1u << 3;     // since Linux 5.4
inline constexpr std::uint16_t bind_scatter_gather = 1u << 4;  // XDP_USE_SG, since Linux 6.6

// umem_registration::flags
inline constexpr std::uint32_t umem_unaligned = 1u << 0;  // since Linux 5.4

// socket options at level SOL_XDP
inline constexpr int sol_xdp = 283;
inline constexpr int option_mmap_offsets = 1;
inline constexpr int option_rx_ring = 2;
inline constexpr int option_tx_ring = 3;
inline constexpr int option_umem_reg = 4;
inline constexpr int option_fill_ring = 5;
inline constexpr int option_completion_ring = 6;
inline constexpr int option_statistics = 7;
inline constexpr int option_options = 8;
inline constexpr int option_max_tx_budget = 9;  // XDP_MAX_TX_SKB_BUDGET, since Linux 6.17

// socket options at level SOL_SOCKET
inline constexpr int so_busy_poll = 46;
inline constexpr int so_incoming_napi_id = 56;
inline constexpr int so_prefer_busy_poll = 69;  // since Linux 5.11
inline constexpr int so_busy_poll_budget = 70;  // since Linux 5.11

// umem_registration::flags
inline constexpr std::uint32_t umem_tx_software_checksum = 1u << 1;  // since Linux 6.8
inline constexpr std::uint32_t umem_tx_metadata_bytes = 1u << 2;     // since Linux 6.11

// the answer of option_options
inline constexpr std::uint32_t options_zero_copy = 1u << 0;

// a ring's flags word
inline constexpr std::uint32_t ring_need_wakeup = 1u << 0;

// where each ring is mapped from
inline constexpr std::uint64_t rx_ring_offset = 0;
inline constexpr std::uint64_t tx_ring_offset = 0x80000000ull;
inline constexpr std::uint64_t fill_ring_offset = 0x100000000ull;
inline constexpr std::uint64_t completion_ring_offset = 0x180000000ull;

// Bytes the kernel keeps free in front of received data (XDP_PACKET_HEADROOM).
inline constexpr std::uint32_t packet_headroom = 256;

// Descriptors one send call moves in copy mode unless the budget is raised (TX_BATCH_SIZE).
inline constexpr std::uint32_t default_tx_budget = 32;

// struct xdp_umem_reg as of Linux 6.8; older kernels read the first 24 bytes of it.
struct umem_registration {
    std::uint64_t address;
    std::uint64_t length;
    std::uint32_t chunk_bytes;
    std::uint32_t headroom_bytes;
    std::uint32_t flags;
    std::uint32_t tx_metadata_bytes;
};
static_assert(sizeof(umem_registration) == 32);

// struct xsk_tx_metadata as of Linux 6.15, directly below the data of a packet's first descriptor.
struct tx_metadata {
    std::uint64_t flags;
    union {
        struct {
            std::uint16_t checksum_start;   // from the descriptor's address
            std::uint16_t checksum_offset;  // from checksum_start
            std::uint32_t unused;
        } request;
        std::uint64_t completed_ns;  // written when the packet was sent, CLOCK_TAI
    };
    std::uint64_t launch_ns;  // read only where asked for
};
static_assert(sizeof(tx_metadata) == 24);
// tx_metadata::flags
inline constexpr std::uint64_t tx_metadata_timestamp = 1u << 0;  // since Linux 6.8
inline constexpr std::uint64_t tx_metadata_checksum = 1u << 1;   // since Linux 6.8
inline constexpr std::uint64_t tx_metadata_launch = 1u << 2;     // since Linux 6.15

// struct xdp_statistics as of Linux 5.9.
struct statistics {
    std::uint64_t rx_dropped;
    std::uint64_t rx_invalid_descriptors;
    std::uint64_t tx_invalid_descriptors;
    std::uint64_t rx_ring_full;
    std::uint64_t rx_fill_ring_empty;
    std::uint64_t tx_ring_empty;
};
static_assert(sizeof(statistics) == 48);

}  // namespace skein::inline v0::xsk::uapi
