// SPDX-License-Identifier: Apache-2.0
// What a port counts, by reason. One writer (the port's thread), readable from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <skein/counter.hpp>
#include <skein/export.hpp>

namespace skein::inline v0::xsk {

// Why a packet handed to send() was not put on the TX ring and never will be.
enum class tx_refusal : std::uint8_t {
    too_many_pieces,  // more segments than the device takes in one packet
    too_short,        // less than an Ethernet header: the kernel would drop it
    not_our_frames,   // the packet's frames belong to another umem
    // Of packets on a port with TX metadata, or that ask for it (see tx_metadata.hpp):
    not_offered,       // it asks for what this port has not, or has only for packets of one piece
    checksum_outside,  // the bytes to be summed begin or end beyond the first piece
    no_headroom,       // a piece lies so near its chunk's start that metadata has no room below it
    no_free_frame,     // others hold its first frame, and none is free to copy the head to
};
inline constexpr std::size_t tx_refusal_count = 7;
SKEIN_EXPORT std::string_view to_string(tx_refusal reason) noexcept;

// What the kernel did with a call to send that was not plain success.
enum class tx_trouble : std::uint8_t {
    kernel_dropped,  // EBUSY: the packet was dropped: receiver down, no carrier or MTU too small
                     // there
    link_down,       // ENETDOWN: packets wait until the device is up
    device_gone,     // ENXIO: the device was removed
    rejected,        // EINVAL with TX metadata: the kernel never takes what is first on the ring
    other,           // any other error
};
inline constexpr std::size_t tx_trouble_count = 5;
SKEIN_EXPORT std::string_view to_string(tx_trouble trouble) noexcept;

struct port_counters {
    counter tx_packets;  // put on the TX ring
    counter tx_bytes;
    counter tx_calls;      // sendto
    counter rx_calls;      // recvfrom, to wake a zero-copy driver
    counter tx_again;      // calls that left descriptors pending (EAGAIN)
    counter tx_ring_full;  // packets that send() left with the caller for want of room
    counter completed;     // descriptors that came back
    counter
        completion_refused;   // addresses the kernel completed though nothing was under way there
    counter timestamps_lost;  // of sent packets, for want of room or of a time
    counter fill_starved;     // refills that found no free frame for an empty FILL ring
    std::array<counter, tx_refusal_count> refused;  // packets
    std::array<counter, tx_trouble_count> trouble;  // calls

    counter& refusals(tx_refusal reason) noexcept {
        return refused[static_cast<std::size_t>(reason)];
    }
    counter& troubles(tx_trouble kind) noexcept { return trouble[static_cast<std::size_t>(kind)]; }
};

}  // namespace skein::inline v0::xsk
