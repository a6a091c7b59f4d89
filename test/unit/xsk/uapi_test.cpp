// SPDX-License-Identifier: Apache-2.0
// Our constants against those of the headers this is built with, where these have them.
#include <cstddef>

#include <linux/if_xdp.h>
#include <sys/socket.h>

#include <skein/descriptor.hpp>
#include <skein/xsk/uapi.hpp>

#include "support/catch.hpp"

namespace uapi = skein::xsk::uapi;

TEST_CASE("constants every header has are the kernel's") {
    CHECK(uapi::bind_shared_umem == XDP_SHARED_UMEM);
    CHECK(uapi::bind_copy == XDP_COPY);
    CHECK(uapi::bind_zero_copy == XDP_ZEROCOPY);
    CHECK(uapi::bind_need_wakeup == XDP_USE_NEED_WAKEUP);
    CHECK(uapi::sol_xdp == SOL_XDP);
    CHECK(uapi::option_mmap_offsets == XDP_MMAP_OFFSETS);
    CHECK(uapi::option_rx_ring == XDP_RX_RING);
    CHECK(uapi::option_tx_ring == XDP_TX_RING);
    CHECK(uapi::option_umem_reg == XDP_UMEM_REG);
    CHECK(uapi::option_fill_ring == XDP_UMEM_FILL_RING);
    CHECK(uapi::option_completion_ring == XDP_UMEM_COMPLETION_RING);
    CHECK(uapi::option_statistics == XDP_STATISTICS);
    CHECK(uapi::option_options == XDP_OPTIONS);
    CHECK(uapi::options_zero_copy == XDP_OPTIONS_ZEROCOPY);
    CHECK(uapi::ring_need_wakeup == XDP_RING_NEED_WAKEUP);
    CHECK(uapi::rx_ring_offset == XDP_PGOFF_RX_RING);
    CHECK(uapi::tx_ring_offset == XDP_PGOFF_TX_RING);
    CHECK(uapi::fill_ring_offset == XDP_UMEM_PGOFF_FILL_RING);
    CHECK(uapi::completion_ring_offset == XDP_UMEM_PGOFF_COMPLETION_RING);
}

TEST_CASE("constants newer than Linux 6.1 are the kernel's where its headers have them") {
    CHECK(uapi::bind_scatter_gather == 1u << 4);
    CHECK(skein::descriptor_continues == 1u);
#ifdef XDP_USE_SG
    CHECK(uapi::bind_scatter_gather == XDP_USE_SG);
#endif
#ifdef XDP_PKT_CONTD
    CHECK(skein::descriptor_continues == XDP_PKT_CONTD);
#endif
#ifdef XDP_TX_METADATA
    CHECK(skein::descriptor_has_metadata == XDP_TX_METADATA);
#endif
#ifdef XDP_MAX_TX_SKB_BUDGET
    CHECK(uapi::option_max_tx_budget == XDP_MAX_TX_SKB_BUDGET);
#endif
}

TEST_CASE("structures lie as the kernel's do") {
    CHECK(sizeof(skein::descriptor) == sizeof(xdp_desc));
    CHECK(offsetof(skein::descriptor, address) == offsetof(xdp_desc, addr));
    CHECK(offsetof(skein::descriptor, length) == offsetof(xdp_desc, len));
    CHECK(offsetof(skein::descriptor, options) == offsetof(xdp_desc, options));
    CHECK(offsetof(uapi::umem_registration, address) == offsetof(xdp_umem_reg, addr));
    CHECK(offsetof(uapi::umem_registration, length) == offsetof(xdp_umem_reg, len));
    CHECK(offsetof(uapi::umem_registration, chunk_bytes) == offsetof(xdp_umem_reg, chunk_size));
    CHECK(offsetof(uapi::umem_registration, headroom_bytes) == offsetof(xdp_umem_reg, headroom));
    CHECK(offsetof(uapi::umem_registration, flags) == offsetof(xdp_umem_reg, flags));
    CHECK(offsetof(uapi::umem_registration, tx_metadata_bytes) == 28);
    CHECK(offsetof(uapi::statistics, rx_dropped) == offsetof(xdp_statistics, rx_dropped));
    CHECK(offsetof(uapi::statistics, rx_ring_full) == offsetof(xdp_statistics, rx_ring_full));
    CHECK(offsetof(uapi::statistics, rx_fill_ring_empty) ==
          offsetof(xdp_statistics, rx_fill_ring_empty_descs));
    CHECK(offsetof(uapi::statistics, tx_ring_empty) ==
          offsetof(xdp_statistics, tx_ring_empty_descs));
}
