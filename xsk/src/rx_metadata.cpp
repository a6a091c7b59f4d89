// SPDX-License-Identifier: Apache-2.0
#include "rx_metadata.hpp"

#include <cstring>

#include <skein/rx_metadata.hpp>
#include <skein/xsk/uapi.hpp>

namespace skein::inline v0::xsk {

void erase_metadata(const frame_area& area, std::uint32_t headroom_bytes,
                    std::span<const std::uint64_t> addresses) noexcept {
    const std::size_t magic_at = uapi::packet_headroom + headroom_bytes -
                                 sizeof(rx_metadata_record) + offsetof(rx_metadata_record, magic);
    auto* base = area.data(frame_id{0});
    for (const auto address : addresses)
        std::memset(base + address + magic_at, 0, sizeof rx_metadata_record::magic);
}

}  // namespace skein::inline v0::xsk
