// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/port_counters.hpp>

namespace skein::inline v0::xsk {

std::string_view to_string(tx_refusal reason) noexcept {
    switch (reason) {
        case tx_refusal::too_many_pieces:
            return "too_many_pieces";
        case tx_refusal::too_short:
            return "too_short";
        case tx_refusal::not_our_frames:
            return "not_our_frames";
        case tx_refusal::not_offered:
            return "not_offered";
        case tx_refusal::checksum_outside:
            return "checksum_outside";
        case tx_refusal::no_headroom:
            return "no_headroom";
        case tx_refusal::no_free_frame:
            return "no_free_frame";
    }
    return "unknown";
}

std::string_view to_string(tx_trouble trouble) noexcept {
    switch (trouble) {
        case tx_trouble::kernel_dropped:
            return "kernel_dropped";
        case tx_trouble::link_down:
            return "link_down";
        case tx_trouble::device_gone:
            return "device_gone";
        case tx_trouble::rejected:
            return "rejected";
        case tx_trouble::other:
            return "other";
    }
    return "unknown";
}

}  // namespace skein::inline v0::xsk
