// SPDX-License-Identifier: Apache-2.0
// What packets ask of the device that sends them, written where the kernel looks for it.
//
//     chunk | headroom ............. | struct xsk_tx_metadata | data of the first descriptor ...
//                                    ^ address - 24           ^ address
//
// A packet asks through packet::request_checksum() and so on (<skein/tx_request.hpp>). A port
// opened with port_options::tx_metadata honours it; any other refuses the packet. Which requests a
// port honours is in bound().tx_metadata.
//
// Everything is checked before it is put on the ring. The kernel answers a request that it does not
// take with EINVAL, leaves it first on the ring for ever and completes its address again with every
// call (Linux 6.18, copy mode): no packet behind it would ever be sent.
//
//   * On such a port every piece of every packet begins at least 24 bytes into its chunk, also
//     where nothing is asked for. Received packets do.
//   * The checksum's field lies in the packet's first piece.
//   * Metadata is written into the headroom of the first frame by its sole holder. Where others
//     hold it too, the packet's head is first copied to a frame of its own, and counted.
//   * Checksums: without software_checksum the packet leaves with the request attached, and who
//     completes it is the device. A veth passes it on to the receiver's kernel, which accepts it;
//     an AF_XDP receiver sees the pseudo header's sum. With it the kernel sums, copy mode only, and
//     wrongly for packets of several pieces: these are refused.
//   * Times: a packet is sent when its frames are released. The port keeps so many times until
//     take_timestamps() fetches them; those that find no room are counted as lost. In copy mode the
//     kernel takes the time itself, CLOCK_TAI.
//   * Launch times are handed on. A driver without support ignores them (veth does).
//
// Sources: Linux 6.18 Documentation/networking/xsk-tx-metadata.rst, net/xdp/xsk.c.
#pragma once

#include <cstdint>

#include <skein/frame_area.hpp>

namespace skein::inline v0::xsk {

// When a packet was sent.
struct tx_timestamp {
    std::uint64_t sent_ns;    // CLOCK_TAI in copy mode, else the device's clock
    std::uint64_t packet_ns;  // the packet's timestamp_ns when it was handed over: yours to choose
    frame_id frame;           // of its first piece
};

}  // namespace skein::inline v0::xsk
