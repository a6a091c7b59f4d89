// SPDX-License-Identifier: Apache-2.0
// A port on a fake device, with tiny rings unless told otherwise, and packets for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <skein/xsk/port.hpp>

#include "support/fake_kernel.hpp"
#include "support/ledger_check.hpp"

namespace skein::test {

inline constexpr xsk::ring_sizes tiny_rings{.fill = 16, .rx = 16, .tx = 16, .completion = 16};

inline xsk::port_options on(std::string interface, std::uint32_t queue = 0) {
    return {.interface = std::move(interface), .queue = queue, .rings = tiny_rings};
}

inline xsk::umem_options frames(std::uint32_t count, std::uint32_t chunk_bytes = 2048) {
    return {.frames = count, .chunk_bytes = chunk_bytes};
}

inline std::shared_ptr<xsk::umem> make_memory(std::uint32_t count = 64,
                                              std::uint32_t chunk_bytes = 2048) {
    return std::make_shared<xsk::umem>(frames(count, chunk_bytes));
}

// Bytes that tell packets apart.
inline bytes numbered(std::size_t size, unsigned number) {
    bytes packet(size);
    for (std::size_t i = 0; i < size; ++i)
        packet[i] = static_cast<std::byte>((number * 37 + i * 11 + i / 251) & 0xff);
    return packet;
}

inline bytes bytes_of(const packet& p) {
    bytes copy(p.size_bytes());
    p.copy_to(copy);
    return copy;
}

// A packet of the pool's frames with these bytes, `piece_bytes` in each. The pool must have room.
inline packet packet_of(frame_pool& pool, std::span<const std::byte> content,
                        std::size_t piece_bytes = 1024, std::uint16_t offset = 256) {
    packet p(pool);
    while (!content.empty()) {
        frame_id frame{};
        REQUIRE(pool.take({&frame, 1}) == 1);
        const auto n = std::min(piece_bytes, content.size());
        const segment piece{frame, offset, static_cast<std::uint16_t>(n)};
        std::copy_n(content.begin(), n, pool.area().bytes(piece).begin());
        REQUIRE(p.append(piece));
        content = content.subspan(n);
    }
    return p;
}

// Fills a burst with n packets of 60 bytes.
inline void fill_burst(frame_pool& pool, burst& packets, unsigned n, unsigned first = 0) {
    for (unsigned i = 0; i < n; ++i)
        packets.push_back(packet_of(pool, numbered(60, first + i)));
}

// One device, one memory, one port.
class fake_port {
  public:
    explicit fake_port(kernel_profile profile = {}) : fake_port(profile, on("fake0")) {}
    fake_port(kernel_profile profile, xsk::port_options options, fake_device device = {},
              xsk::umem_options over = frames(64))
        : kernel(profile) {
        device.name = options.interface;
        kernel.add_device(std::move(device));
        memory = std::make_shared<xsk::umem>(over);
        port = std::make_unique<xsk::port>(std::move(options), memory, nullptr);
    }

    fake_socket& socket() {
        return kernel.socket(port->options().interface, port->options().queue);
    }
    bool deliver(std::span<const std::byte> packet) {
        return kernel.deliver(port->options().interface, port->options().queue, packet);
    }
    frame_pool& pool() { return memory->pool(); }
    void check() { ledger_check(kernel, *memory); }
    // Closes the port and checks that every frame is free but those written off.
    xsk::teardown_report close_and_check() {
        auto report = port->close();
        check();
        const auto rows = memory->ledger();
        CHECK(rows.written_off == report.written_off.size());
        CHECK(rows.free + rows.application + rows.written_off == rows.total);
        return report;
    }

    fake_kernel kernel;
    std::shared_ptr<xsk::umem> memory;
    std::unique_ptr<xsk::port> port;
};

}  // namespace skein::test
