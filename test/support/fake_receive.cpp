// SPDX-License-Identifier: Apache-2.0
// The receiving half of a fake socket, after Linux 6.12 net/xdp/xsk.c __xsk_rcv(), and what the
// kernel learns by looking at the rings.
#include <algorithm>
#include <cstring>

#include "support/fake_socket.hpp"

namespace skein::test {

namespace uapi = skein::xsk::uapi;

bool fake_socket::receive(std::span<const std::byte> packet) {
    if (rx == nullptr || device == nullptr || !device->up) return false;
    const auto room = umem->chunk_bytes - uapi::packet_headroom - umem->headroom_bytes;
    const auto pieces = (packet.size() + room - 1) / room;
    if (pieces > 1 && !scatter_gather) {
        ++statistics.rx_dropped;
        return false;
    }
    if (driver_fill_.size() + fill->waiting() < pieces) {
        ++statistics.rx_dropped;
        ++statistics.rx_fill_ring_empty;
        return false;
    }
    if (rx->room() < pieces) {
        ++statistics.rx_ring_full;
        return false;
    }
    for (std::size_t at = 0; at < packet.size(); at += room) {
        const auto n = std::min<std::size_t>(room, packet.size() - at);
        const auto frame = next_rx_frame();
        if (!frame) return false;
        write_piece(*frame, packet.subspan(at, n), at + n == packet.size());
    }
    fill->publish();
    rx->publish_but(std::min(hold_received, rx->occupied()));
    return true;
}

std::optional<std::int64_t> fake_socket::next_rx_frame() {
    if (driver_fill_.empty() && take_fill(1) == 0) return std::nullopt;
    const auto frame = driver_fill_.front();
    driver_fill_.pop_front();
    return frame;
}

std::size_t fake_socket::take_fill(std::size_t n) {
    std::size_t taken = 0;
    for (; taken < n && fill->waiting() != 0; ++taken) {
        const auto frame = umem->custody->frame_at(fill->take());
        if (frame < 0) continue;
        umem->custody->taken_from_fill(frame);
        driver_fill_.push_back(frame);
    }
    fill->publish();
    return taken;
}

void fake_socket::write_piece(std::int64_t frame, std::span<const std::byte> piece, bool last) {
    const auto begin = static_cast<std::uint64_t>(frame) * umem->custody->stride_bytes();
    const std::uint64_t offset = uapi::packet_headroom + umem->headroom_bytes;
    std::memcpy(umem->base + begin + offset, piece.data(), piece.size());
    const descriptor honest{.address = umem->unaligned ? begin | offset << 48 : begin + offset,
                            .length = static_cast<std::uint32_t>(piece.size()),
                            .options = last ? 0 : descriptor_continues};
    auto told = honest;
    if (corrupt) corrupt(told);
    // A descriptor that cannot be believed leaves the frame with the kernel.
    const bool lied = !valid(told) || umem->custody->frame_at(plain(told.address)) != frame;
    if (lied) {
        kept_.push_back(frame);
    } else {
        umem->custody->received(frame);
    }
    rx->put(told, lied ? fake_sink<descriptor>::forged : frame);
}

void fake_socket::post_received(const descriptor& what) {
    observe_releases();
    rx->put(what, fake_sink<descriptor>::forged);
    rx->publish();
}

void fake_socket::observe_releases() {
    if (umem == nullptr) return;
    auto& custody = *umem->custody;
    if (rx != nullptr && rx->sane()) {
        rx->newly_released([&](std::int64_t frame) {
            if (frame >= 0) custody.back_to_user(frame);
        });
    }
    if (completion != nullptr && completion->sane()) {
        completion->newly_released([&](std::int64_t frame) {
            if (frame >= 0) custody.left_tx(frame);
        });
    }
}

void fake_socket::observe_announcements(std::vector<std::string>& violations) {
    if (umem == nullptr) return;
    const auto require = [&](bool sane, const char* ring) {
        if (!sane) violations.push_back(std::string(ring) + ": indices out of step");
        return sane;
    };
    if (rx != nullptr) require(rx->sane(), "RX");
    if (completion != nullptr) require(completion->sane(), "COMPLETION");
    if (fill != nullptr && require(fill->sane(), "FILL")) {
        fill->newly_announced(
            [&](std::uint64_t address) { umem->custody->announced_in_fill(address, violations); });
    }
    if (tx != nullptr && require(tx->sane(), "TX")) {
        tx->newly_announced([&](const descriptor& d) {
            umem->custody->announced_in_tx(plain(d.address), violations);
        });
    }
}

void fake_socket::let_go() {
    if (umem == nullptr) return;
    auto& custody = *umem->custody;
    for (; fill != nullptr && fill->waiting() != 0;) {
        if (const auto frame = custody.frame_at(fill->take()); frame >= 0) {
            custody.back_to_user(frame);
        }
    }
    for (const auto frame : driver_fill_)
        custody.back_to_user(frame);
    for (const auto frame : kept_)
        custody.back_to_user(frame);
    for (; tx != nullptr && tx->waiting() != 0;) {
        if (const auto frame = custody.frame_at(tx->take().address); frame >= 0) {
            custody.left_tx(frame);
        }
    }
    if (rx != nullptr) {
        rx->unreleased([&](std::int64_t frame) {
            if (frame >= 0) custody.back_to_user(frame);
        });
    }
    if (completion != nullptr) {
        completion->unreleased([&](std::int64_t frame) {
            if (frame >= 0) custody.left_tx(frame);
        });
    }
    device = nullptr;
}

}  // namespace skein::test
