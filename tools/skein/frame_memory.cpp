// SPDX-License-Identifier: Apache-2.0
#include "frame_memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>

namespace skein::tool {

namespace {

// Not initialised: the kernel gives pages as they are used.
std::unique_ptr<std::byte[]> allocate(std::uint32_t frames, std::uint32_t chunk_bytes) {
    const auto bytes = std::size_t{frames} * chunk_bytes;
    std::unique_ptr<std::byte[]> memory(new (std::nothrow) std::byte[bytes]);
    if (memory) return memory;
    throw command_failure(fmt::format("no memory for {} frames of {} bytes", frames, chunk_bytes),
                          "give fewer --frames");
}

}  // namespace

frame_memory::frame_memory(std::uint32_t frames, std::uint32_t chunk_bytes)
    : memory_(allocate(frames, chunk_bytes)),
      pool_(frame_area(memory_.get(), frames, chunk_bytes)) {}

std::optional<packet> frame_memory::lay(const capture_record& record) noexcept {
    packet laid(pool_);
    for (auto rest = record.bytes; !rest.empty();) {
        const auto n = std::min<std::size_t>(rest.size(), data_bytes());
        frame_id frame{};
        if (pool_.take({&frame, 1}) == 0) return std::nullopt;
        std::memcpy(pool_.area().data(frame) + headroom_bytes, rest.data(), n);
        if (!laid.append({frame, headroom_bytes, static_cast<std::uint16_t>(n)})) {
            pool_.give(frame);
            return std::nullopt;
        }
        rest = rest.subspan(n);
    }
    laid.timestamp_ns = record.timestamp_ns;
    laid.original_bytes = record.original_bytes;
    return laid;
}

}  // namespace skein::tool
