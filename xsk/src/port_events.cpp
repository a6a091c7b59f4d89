// SPDX-License-Identifier: Apache-2.0
// What a port makes of what happened to its device.
#include <skein/xsk/device_watch.hpp>
#include <skein/xsk/port.hpp>

#include <algorithm>
#include <limits>

namespace skein::inline v0::xsk {

void port::handle(const device_event& event) noexcept {
    if (status_ == port_status::closed) return;
    switch (event.change) {
        case device_change::link_down:
            status_ = port_status::link_down;
            break;
        case device_change::link_up:
            status_ = port_status::ready;
            break;
        case device_change::removed:
            status_ = port_status::device_gone;
            break;
        case device_change::renamed:
            // At most 15 characters, which no string allocates for.
            options_.interface = event.now.interface();
            break;
        default:  // asked for where it matters
            break;
    }
}

// The assembler takes so many pieces, the kernel as many as there are frames.
std::uint32_t port::max_rx_bytes() const noexcept {
    if (!options_.receives) return std::numeric_limits<std::uint32_t>::max();
    const auto pieces = bound().scatter_gather ? assembler_.max_segments() : 1;
    return memory()->room_bytes() * static_cast<std::uint32_t>(pieces);
}

}  // namespace skein::inline v0::xsk
