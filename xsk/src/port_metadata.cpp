// SPDX-License-Identifier: Apache-2.0
// What a port does for packets that ask something of the device, and when the kernel will not have
// it.
#include <algorithm>

#include <skein/xsk/port.hpp>

#include "tx_metadata.hpp"

namespace skein::inline v0::xsk {

std::optional<tx_refusal> port::refuses_metadata(const packet& p) const noexcept {
    if (tx_metadata_ != nullptr) return tx_metadata_->refuses(p);
    return p.has_request() ? std::optional(tx_refusal::not_offered) : std::nullopt;
}

std::optional<tx_refusal> port::prepare_metadata(packet& p) noexcept {
    const auto reason = refuses(p);
    if (reason || !p.has_request()) return reason;
    if (tx_metadata_->make_own(p, max_tx_segments_)) return std::nullopt;
    return tx_refusal::no_free_frame;
}

// On a port with TX metadata. Once the kernel rejects a descriptor for good, it completes its
// address at every call and never takes it: what is still on the ring is not believed to be back.
std::uint32_t port::complete_carefully(std::span<const std::uint64_t> addresses) noexcept {
    const auto& area = pool_->area();
    const auto stuck =
        status_ == port_status::tx_stuck ? socket_.tx().untaken() : ring_slots<const descriptor>{};
    const auto on_the_ring = [&](std::uint64_t address) {
        for (std::size_t i = 0; i < stuck.size(); ++i) {
            if (area.frame_at(stuck[i].address) == area.frame_at(address)) return true;
        }
        return false;
    };
    std::uint32_t done = 0;
    for (const auto& address : addresses) {
        if (on_the_ring(address)) continue;
        const std::span one(&address, 1);
        counters_.timestamps_lost += tx_metadata_->collect(one);
        done += pool_->complete(one, socket_.lender());
    }
    return done;
}

std::size_t port::take_timestamps(std::span<tx_timestamp> to) noexcept {
    return tx_metadata_ == nullptr ? 0 : tx_metadata_->take(to);
}

}  // namespace skein::inline v0::xsk
