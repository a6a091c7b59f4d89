// SPDX-License-Identifier: Apache-2.0
// TX metadata as the fake kernel reads and writes it, after Linux 6.18 net/xdp/xsk.c
// xsk_skb_metadata() and include/net/xdp_sock.h xsk_tx_metadata_complete().
#include <cstring>

#include "support/fake_socket.hpp"

namespace skein::test {

namespace uapi = skein::xsk::uapi;

namespace {

uapi::tx_metadata metadata_below(const std::byte* data) {
    uapi::tx_metadata words;
    std::memcpy(&words, data - sizeof words, sizeof words);
    return words;
}

}  // namespace

bool fake_socket::acceptable_metadata(const descriptor& d) const noexcept {
    if ((d.options & descriptor_has_metadata) == 0 || !pending_.empty()) return true;
    if (umem->registration.tx_metadata_bytes == 0) return false;
    const auto words = metadata_below(umem->base + d.address);
    const auto known = uapi::tx_metadata_timestamp | uapi::tx_metadata_checksum |
                       (profile_.launch_time ? uapi::tx_metadata_launch : 0u);
    if ((words.flags & ~std::uint64_t{known}) != 0) return false;
    const auto end = words.request.checksum_start + words.request.checksum_offset + 2u;
    return (words.flags & uapi::tx_metadata_checksum) == 0 || end <= d.length;
}

void fake_socket::read_metadata(const descriptor& d) {
    time_at_ = nullptr;
    if ((d.options & descriptor_has_metadata) == 0) return;
    auto* data = umem->base + d.address;
    requests.push_back(metadata_below(data));
    if ((requests.back().flags & uapi::tx_metadata_timestamp) != 0) time_at_ = data - 16;
}

void fake_socket::write_time(std::byte* where) const noexcept {
    if (where != nullptr) std::memcpy(where, &clock_tai_ns, sizeof clock_tai_ns);
}

}  // namespace skein::test
