// SPDX-License-Identifier: Apache-2.0
// Where every frame is. The rows add up to the total at every moment the owning thread looks.
//
//     free + fill + kernel_rx + rx_ring + application + tx_ring + kernel_tx + completion
//          + written_off == total
//
// `application` is everything a packet holds: in the user's hands, in a partly received packet, in
// a stage. `written_off` are frames the kernel swallowed (never completed before the deadline of a
// teardown): 0 in normal operation. A ledger is a snapshot; it is taken by the thread that owns the
// pool and may then be copied anywhere.
#pragma once

#include <cstdint>

namespace skein::inline v0 {

struct frame_ledger {
    std::uint64_t total = 0;
    std::uint64_t free = 0;
    std::uint64_t fill = 0;         // in the FILL ring, not yet taken by the kernel
    std::uint64_t kernel_rx = 0;    // taken from FILL, not yet in the RX ring
    std::uint64_t rx_ring = 0;      // received, not yet read
    std::uint64_t application = 0;  // held by packets
    std::uint64_t tx_ring = 0;      // handed over, not yet taken by the kernel
    std::uint64_t kernel_tx = 0;    // with the device
    std::uint64_t completion = 0;   // sent, not yet read back
    std::uint64_t written_off = 0;

    std::uint64_t accounted() const noexcept {
        return free + fill + kernel_rx + rx_ring + application + tx_ring + kernel_tx + completion +
               written_off;
    }

    // Frames no row knows about. Anything but 0 is a defect of skein.
    std::uint64_t lost() const noexcept { return total - accounted(); }
    bool balanced() const noexcept { return accounted() == total; }
};

}  // namespace skein::inline v0
