// SPDX-License-Identifier: Apache-2.0
// Ports on real devices that send each other packets: numbered content, bounded waiting.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <skein/xsk/port.hpp>

#include "support/catch.hpp"

namespace skein::test {

using live_bytes = std::vector<std::byte>;

// An Ethernet frame of an experimental type (IEEE 802, 0x88b5), which no kernel answers, with
// content that tells frames apart.
inline live_bytes live_frame(std::size_t size, unsigned number) {
    live_bytes frame(size);
    for (std::size_t i = 0; i < size; ++i)
        frame[i] = static_cast<std::byte>((number * 37 + i * 11 + i / 251) & 0xff);
    for (std::size_t i = 0; i < 12; ++i)
        frame[i] = std::byte{0x02};
    frame[12] = std::byte{0x88};
    frame[13] = std::byte{0xb5};
    return frame;
}

inline live_bytes live_bytes_of(const packet& p) {
    live_bytes copy(p.size_bytes());
    p.copy_to(copy);
    return copy;
}

// A packet of the pool's frames, `offset` bytes into each and to the end of all but the last.
inline packet live_packet(frame_pool& pool, const live_bytes& content, std::uint32_t offset) {
    packet p(pool);
    for (std::size_t at = 0; at < content.size();) {
        frame_id frame{};
        REQUIRE(pool.take({&frame, 1}) == 1);
        const std::size_t room = pool.area().chunk_bytes() - offset;
        const auto n = std::min(room, content.size() - at);
        const segment piece{frame, static_cast<std::uint16_t>(offset),
                            static_cast<std::uint16_t>(n)};
        std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(at), n,
                    pool.area().bytes(piece).begin());
        REQUIRE(p.append(piece));
        at += n;
    }
    return p;
}

// Sends one frame, waiting for it to leave.
inline void send_frame(xsk::port& from, const live_bytes& content, std::uint32_t offset = 0) {
    burst packets;
    packets.push_back(live_packet(from.pool(), content, offset));
    REQUIRE(from.send(packets) == 1);
    from.flush();
    from.recycle();
}

// The next frame of our type; empty after a second without one.
inline live_bytes next_frame(xsk::port& at) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
    burst packets;
    while (std::chrono::steady_clock::now() < end) {
        at.wait(std::chrono::milliseconds{20});
        if (at.receive(packets, 1) == 0) continue;
        auto content = live_bytes_of(packets[0]);
        packets.clear();
        const bool ours = content.size() >= 14 && content[12] == std::byte{0x88} &&
                          content[13] == std::byte{0xb5};
        if (ours) return content;
    }
    return {};
}

}  // namespace skein::test
