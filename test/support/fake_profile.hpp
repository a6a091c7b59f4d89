// SPDX-License-Identifier: Apache-2.0
// What a fake kernel knows and allows. Each field is a difference between kernels, or between
// users, that skein meets in the field; the named profiles are real ones.
#pragma once

#include <chrono>
#include <cstdint>

namespace skein::test {

struct kernel_profile {
    bool xdp_sockets = true;     // CONFIG_XDP_SOCKETS; without: EAFNOSUPPORT
    bool net_raw = true;         // CAP_NET_RAW; without: EPERM
    bool net_admin = true;       // CAP_NET_ADMIN: SO_SNDBUFFORCE
    bool sys_admin = true;       // CAP_SYS_ADMIN: entering network namespaces
    bool ring_flags = true;      // since Linux 5.4: XDP_MMAP_OFFSETS has a flags offset
    bool scatter_gather = true;  // since Linux 6.6: XDP_USE_SG, XDP_PKT_CONTD
    bool tx_budget = true;       // since Linux 6.17: XDP_MAX_TX_SKB_BUDGET; without: ENOPROTOOPT

    bool netdev_family = true;  // since Linux 6.3: generic netlink tells of XDP features
    bool tx_metadata = true;    // since Linux 6.11: XDP_UMEM_TX_METADATA_LEN, XDP_TX_METADATA
    bool launch_time = true;    // since Linux 6.15: XDP_TXMD_FLAGS_LAUNCH_TIME

    // Invalid and dropped TX descriptors come back by COMPLETION (since mid-2026, and in stable
    // series); older kernels swallow them.
    bool returns_invalid = true;
    // Up to Linux 6.16: addresses are written when the slot is reserved, and only their number is
    // right when a packet is freed.
    bool addresses_at_reserve = false;
    // Up to Linux 6.12 a send call returns 0 where COMPLETION has no room, later EAGAIN.
    bool full_completion_is_success = false;

    std::uint64_t memlock_bytes = ~std::uint64_t{0};    // RLIMIT_MEMLOCK; beyond: ENOBUFS
    std::uint64_t available_bytes = ~std::uint64_t{0};  // memory there is to give
    std::uint64_t huge_page_bytes = 0;                  // reserved huge pages; beyond: ENOMEM
    std::uint32_t wmem_max_bytes = 212992;              // net.core.wmem_max

    const char* release = "6.18.0";  // what uname says

    // Where ring indices start. A real kernel starts at 0; near 2^32 the wrap comes soon.
    std::uint32_t first_index = 0;
    // How long a queue stays busy after its socket was closed.
    std::chrono::microseconds release_lag{0};
};

inline kernel_profile linux_6_1() {
    return {.scatter_gather = false,
            .tx_budget = false,
            .netdev_family = false,
            .tx_metadata = false,
            .launch_time = false,
            .returns_invalid = false,
            .addresses_at_reserve = true,
            .full_completion_is_success = true,
            .release = "6.1.0"};
}

inline kernel_profile linux_6_12() {
    return {.tx_budget = false,
            .launch_time = false,
            .addresses_at_reserve = true,
            .full_completion_is_success = true};
}

inline kernel_profile linux_6_18() {
    return {};
}

}  // namespace skein::test
