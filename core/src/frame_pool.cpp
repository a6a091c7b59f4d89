// SPDX-License-Identifier: Apache-2.0
#include <skein/frame_pool.hpp>

#include <algorithm>
#include <numeric>

namespace skein::inline v0 {

namespace {

constexpr std::size_t slot(frame_holder holder) {
    return static_cast<std::size_t>(holder);
}

}  // namespace

frame_pool::frame_pool(frame_area area, options how)
    : area_(area), records_(area.frames()), free_(area.frames()), free_count_(area.frames()) {
    // The lowest frame is taken first: push the highest first.
    for (std::uint32_t i = 0; i < free_count_; ++i) {
        free_[i] = static_cast<frame_id>(free_count_ - 1 - i);
    }

    const auto blocks = how.segment_blocks != 0 ? how.segment_blocks : (area.frames() + 1) / 2;
    blocks_.resize(blocks);
    for (std::uint32_t i = blocks; i > 0; --i)
        give_block(i - 1);
}

std::uint32_t frame_pool::lent_to_any_rx() const noexcept {
    return std::accumulate(rx_lent_.begin(), rx_lent_.end(), 0u);
}

std::uint32_t frame_pool::held_by(frame_holder holder) const noexcept {
    const auto rx = lent_to_any_rx();
    switch (holder) {
        case frame_holder::free:
            return free_count_;
        case frame_holder::rx:
            return rx;
        case frame_holder::tx:
            return tx_frames_;
        case frame_holder::written_off:
            return written_off_frames_;
        case frame_holder::application:
            break;
    }
    return total() - free_count_ - rx - tx_frames_ - written_off_frames_;
}

std::uint32_t frame_pool::complete(std::span<const std::uint64_t> addresses,
                                   lender_id port) noexcept {
    std::uint32_t done = 0;
    for (const auto address : addresses) {
        const auto frame = area_.frame_at(address);
        if (frame && complete(*frame, port)) [[likely]]
            ++done;
    }
    return done;
}

std::size_t frame_pool::take(std::span<frame_id> frames) noexcept {
    const auto n = std::min<std::size_t>(frames.size(), free_count_);
    for (std::size_t i = 0; i < n; ++i) {
        const auto frame = free_[--free_count_];
        auto& r = record(frame);
        r.holder = frame_holder::application;
        r.references = 1;
        frames[i] = frame;
    }
    return n;
}

// In the order in which they were given back, so that frames that once lay side by side in FILL do
// so again: the kernel's copies then run upwards through memory.
std::size_t frame_pool::lend_to_rx(std::span<std::uint64_t> addresses, lender_id port) noexcept {
    const auto n = std::min<std::size_t>(addresses.size(), free_count_);
    free_count_ -= static_cast<std::uint32_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto frame = free_[free_count_ + i];
        auto& r = record(frame);
        r.holder = frame_holder::rx;
        r.lender = port;
        addresses[i] = area_.address_of(frame);
    }
    rx_lent_[port] += static_cast<std::uint32_t>(n);
    return n;
}

std::uint32_t frame_pool::reclaim_rx(lender_id port) noexcept {
    std::uint32_t reclaimed = 0;
    for (std::uint32_t i = 0; i < total(); ++i) {
        const auto frame = static_cast<frame_id>(i);
        auto& r = record(frame);
        if (r.holder != frame_holder::rx || r.lender != port) continue;
        release(r, frame);
        ++reclaimed;
    }
    rx_lent_[port] -= reclaimed;
    return reclaimed;
}

std::uint32_t frame_pool::write_off(lender_id name, std::vector<frame_id>& frames) {
    std::uint32_t descriptors = 0;
    for (std::uint32_t i = 0; i < total(); ++i) {
        auto& r = records_[i];
        if (r.holder != frame_holder::tx || r.lender != name) continue;
        frames.push_back(static_cast<frame_id>(i));
        descriptors += r.in_tx;
        if (name != several_lenders) {
            r.references = static_cast<std::uint16_t>(r.references - r.in_tx);
            r.in_tx = 0;
        }
        // The kernel's own reference, which it never gives back.
        if (r.references != max_references) ++r.references;
        r.holder = frame_holder::written_off;
        --tx_frames_;
        ++written_off_frames_;
    }
    return descriptors;
}

std::vector<frame_id> frame_pool::write_off_tx(lender_id port, std::uint32_t descriptors) {
    std::vector<frame_id> frames;
    if (descriptors == 0) return frames;
    if (write_off(port, frames) < descriptors) write_off(several_lenders, frames);
    return frames;
}

std::uint32_t frame_pool::free_blocks() const noexcept {
    std::uint32_t n = 0;
    for (auto i = free_block_; i != segment_block::none; i = blocks_[i].next)
        ++n;
    return n;
}

std::bitset<max_lenders> frame_pool::lenders_in_use() const noexcept {
    std::bitset<max_lenders> used;
    for (const auto& r : records_) {
        const bool lent = r.holder == frame_holder::rx || r.holder == frame_holder::tx;
        if (lent && r.lender != several_lenders) used.set(r.lender);
    }
    return used;
}

bool frame_pool::audit() const {
    std::array<std::uint32_t, 5> held{};
    std::array<std::uint32_t, max_lenders> rx_lent{};
    for (const auto& r : records_) {
        ++held[slot(r.holder)];
        if (r.holder == frame_holder::rx) ++rx_lent[r.lender];
        const bool referenced =
            r.holder == frame_holder::application || r.holder == frame_holder::tx;
        if (referenced != (r.references > 0) && r.holder != frame_holder::written_off) return false;
        if ((r.holder == frame_holder::tx) != (r.in_tx > 0) &&
            r.holder != frame_holder::written_off) {
            return false;
        }
        if (r.in_tx > r.references) return false;
    }
    std::vector<bool> listed(records_.size());
    for (std::uint32_t i = 0; i < free_count_; ++i) {
        const auto index = index_of(free_[i]);
        if (index >= records_.size() || listed[index]) return false;
        if (records_[index].holder != frame_holder::free) return false;
        listed[index] = true;
    }
    if (rx_lent != rx_lent_ || free_count_ != held[slot(frame_holder::free)]) return false;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i] != held_by(static_cast<frame_holder>(i))) return false;
    }
    return true;
}

}  // namespace skein::inline v0
