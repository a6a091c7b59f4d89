// SPDX-License-Identifier: Apache-2.0
#include <skein/driver_table.hpp>

#include <algorithm>
#include <array>

namespace skein::inline v0 {

namespace {

// Sources: file names are those of Linux 6.12 unless a release or commit stands beside them.
constexpr std::array rows = std::to_array<driver_row>({
    {.driver = "atlantic",
     .xdp_native = true,
     .native_mtu = 2048,
     .source = "XDP MTU: ebpf-docs table, 2024"},
    {.driver = "be2net",
     .min_frame_bytes = 36,
     .source = "emulex/benet/be_main.c: frames of 32 bytes and less are padded to 36"},
    {.driver = "bnxt_en",
     .min_frame_bytes = 52,
     .xdp_native = true,
     .native_mtu = 3502,
     .source = "broadcom/bnxt: BNXT_MIN_PKT_SIZE; XDP MTU: ebpf-docs table, 2024"},
    {.driver = "bonding",
     .zero_copy = false,
     .source = "bonding/bond_main.c: the zero-copy bit of its members is masked out"},
    {.driver = "bridge", .zero_copy = false, .source = "net/bridge: no ndo_bpf"},
    {.driver = "e1000e", .min_frame_bytes = 17, .source = "intel/e1000e: skb_put_padto(skb, 17)"},
    {.driver = "ena",
     .xdp_native = true,
     .native_mtu = 3498,
     .source = "amazon/ena: ENA_XDP_MAX_MTU"},
    {.driver = "fbnic",
     .min_frame_bytes = 60,
     .source = "meta/fbnic: skb_put_padto(skb, ETH_ZLEN)"},
    {.driver = "fsl_dpaa2_eth",
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {6, 2},
     .source = "freescale/dpaa2: WRIOP 3.0.0 or later and at most 8 queues"},
    {.driver = "ftgmac100", .min_frame_bytes = 60, .source = "faraday/ftgmac100.c: eth_skb_pad()"},
    {.driver = "gve",
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {6, 4},
     .native_mtu = 2032,
     .source = "google/gve: in the GQI-QPL queue format"},
    {.driver = "hns3",
     .min_frame_bytes = 33,
     .source = "hisilicon/hns3: HNS3_MIN_TX_LEN (65 for tunnelled packets)"},
    {.driver = "hv_netvsc",
     .xdp_native = true,
     .native_mtu = 3506,
     .source = "ebpf-docs table, 2024"},
    {.driver = "i40e",
     .min_frame_bytes = 17,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {4, 20},
     .zc_max_segments = 8,
     .native_mtu = 3046,
     .source = "intel/i40e: I40E_MIN_TX_LEN, I40E_MAX_BUFFER_TXD, 3072 - 26 bytes a buffer"},
    {.driver = "ice",
     .min_frame_bytes = 17,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 5},
     .zc_max_segments = 8,
     .native_mtu = 3046,
     .source = "intel/ice: ICE_MIN_TX_LEN, ICE_MAX_BUF_TXD; legacy-rx: MTU 1638"},
    {.driver = "idpf", .min_frame_bytes = 17, .source = "intel/idpf: IDPF_TX_MIN_PKT_LEN"},
    {.driver = "igb",
     .min_frame_bytes = 17,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {6, 14},
     .zc_max_segments = 1,
     .native_mtu = 3046,
     .source = "intel/igb: skb_put_padto(skb, 17); commit 80f6ccf9f116"},
    {.driver = "igc",
     .min_frame_bytes = 17,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 14},
     .zc_max_segments = 1,
     .native_mtu = 1500,
     .source = "intel/igc: skb_put_padto(skb, 17); XDP within a standard frame"},
    {.driver = "ionic", .xdp_native = true, .native_mtu = 3502, .source = "ebpf-docs table, 2024"},
    {.driver = "ixgbe",
     .min_frame_bytes = 17,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {4, 20},
     .zc_max_segments = 1,
     .native_mtu = 3050,
     .source = "intel/ixgbe: skb_put_padto(skb, 17), 3072 - 22 bytes a buffer"},
    {.driver = "ixgbevf",
     .min_frame_bytes = 17,
     .xdp_native = true,
     .native_mtu = 3050,
     .source = "intel/ixgbevf: as ixgbe, without zero-copy"},
    {.driver = "mana", .xdp_native = true, .native_mtu = 3506, .source = "ebpf-docs table, 2024"},
    {.driver = "mlx4_en",
     .xdp_native = true,
     .native_mtu = 3498,
     .source = "mellanox/mlx4: hard MTU 22"},
    {.driver = "mlx5_core",
     .min_head_bytes = 18,
     .min_frame_bytes = 18,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 3},
     .zc_max_segments = 1,
     .native_mtu = 3498,
     .source = "mellanox/mlx5/core: inline mode L2 (mlx5e_calc_min_inline, MLX5E_XDP_MIN_INLINE); "
               "DSCP trust wants the IP header too"},
    {.driver = "mlx5_core",
     .variant = "cx4",
     .min_head_bytes = 18,
     .min_frame_bytes = 18,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 3},
     .zc_max_segments = 1,
     .native_mtu = 3498,
     .source = "ConnectX-4: inline mode L2, mlx5_query_min_inline; DPDK's mlx5 driver assumes it"},
    {.driver = "mlx5_core",
     .variant = "cx4lx",
     .min_head_bytes = 18,
     .min_frame_bytes = 18,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 3},
     .zc_max_segments = 1,
     .native_mtu = 3498,
     .source = "ConnectX-4 Lx: inline mode L2; an empty head ends in an error completion, 0x68"},
    {.driver = "mlx5_core",
     .variant = "cx5",
     .min_head_bytes = 0,
     .min_frame_bytes = 14,
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 3},
     .zc_max_segments = 1,
     .native_mtu = 3498,
     .source = "ConnectX-5 and later: no inlining, as DPDK's mlx5 driver assumes"},
    {.driver = "myri10ge", .min_frame_bytes = 60, .source = "myricom/myri10ge: eth_skb_pad()"},
    {.driver = "netkit",
     .min_head_bytes = 14,
     .zero_copy = false,
     .source = "net/netkit.c: pulls ETH_HLEN"},
    {.driver = "netsec", .xdp_native = true, .native_mtu = 1500, .source = "socionext/netsec.c"},
    {.driver = "nfp",
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 18},
     .native_mtu = 4096,
     .source = "netronome/nfp: the NFD3 data path; NFDK has no zero-copy"},
    {.driver = "nicvf", .xdp_native = true, .native_mtu = 1508, .source = "cavium/thunder"},
    {.driver = "niu", .min_frame_bytes = 60, .source = "sun/niu.c: eth_skb_pad()"},
    {.driver = "octeon_ep", .min_frame_bytes = 60, .source = "marvell/octeon_ep: ETH_ZLEN"},
    {.driver = "ravb", .min_frame_bytes = 60, .source = "renesas/ravb_main.c: ETH_ZLEN"},
    {.driver = "rvu-nicpf",
     .xdp_native = true,
     .native_mtu = 1508,
     .source = "marvell/octeontx2/nic"},
    {.driver = "sh_eth", .min_frame_bytes = 60, .source = "renesas/sh_eth.c: ETH_ZLEN"},
    {.driver = "st_gmac",
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {5, 13},
     .zc_max_segments = 1,
     .native_mtu = 1500,
     .source = "stmicro/stmmac: XDP within a standard frame"},
    {.driver = "tsnep",
     .xdp_native = true,
     .zero_copy = true,
     .zero_copy_since = {6, 4},
     .zc_max_segments = 1,
     .source = "engleder/tsnep: queue pairs of equal RX and TX index alone"},
    {.driver = "tun",
     .min_head_bytes = 14,
     .xdp_native = true,
     .zero_copy = false,
     .native_mtu = 1500,
     .source = "net/tun.c: its reading side pulls ETH_HLEN; XDP MTU: ebpf-docs table, 2024"},
    {.driver = "veth",
     .tx_no_linear = false,
     .min_head_bytes = 14,
     .xdp_native = true,
     .zero_copy = false,
     .native_mtu = 3506,
     .source = "net/veth.c: veth_xmit pulls ETH_HLEN; veth_xdp_set: a page less headroom and tail"},
    {.driver = "virtio_net",
     .tx_no_linear = true,
     .xdp_native = true,
     .zero_copy = false,
     .zc_max_segments = 1,
     .native_mtu = 3506,
     .source =
         "net/virtio_net.c: commit ab5bd583b928; zero-copy is announced by later kernels alone, "
         "and works with iommu_platform=on"},
    {.driver = "vmxnet3",
     .xdp_native = true,
     .native_mtu = 3494,
     .source = "ebpf-docs table, 2024"},
});

}  // namespace

std::span<const driver_row> driver_table() noexcept {
    return rows;
}

const driver_row* find_driver(std::string_view driver, std::string_view variant) noexcept {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const driver_row& row) {
        return row.driver == driver && row.variant == variant;
    });
    return found == rows.end() ? nullptr : &*found;
}

known_caps caps_of(const driver_row& row, std::optional<kernel_release> kernel) noexcept {
    known_caps known;
    const auto take = [&](capability which, const auto& value) {
        if (value) known.set(which, static_cast<std::uint32_t>(*value));
    };
    take(capability::tx_no_linear, row.tx_no_linear);
    take(capability::min_head_bytes, row.min_head_bytes);
    take(capability::min_frame_bytes, row.min_frame_bytes);
    take(capability::xdp_native, row.xdp_native);
    take(capability::zc_max_segments, row.zc_max_segments);
    if (row.zero_copy) {
        const bool old = kernel && *kernel < row.zero_copy_since;
        known.set(capability::zero_copy, *row.zero_copy && !old);
    }
    return known;
}

}  // namespace skein::inline v0
