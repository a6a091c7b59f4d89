// SPDX-License-Identifier: Apache-2.0
#include "drop_remedy.hpp"

#include <array>

namespace skein::tool {

namespace {

struct explanation {
    std::string_view reason;
    std::string_view text;
};

// Received: the names of XDP_STATISTICS (Linux 6.12 net/xdp/xsk.c), and the assembler's own. Sent:
// the port's refusals and troubles. Between them what is no drop, but an event worth a look.
constexpr auto explanations = std::to_array<explanation>({
    {"rx_dropped",
     "no frame was free to receive into, or a packet was longer than the port takes; give more "
     "--frames, leave out --no-sg"},
    {"rx_fill_ring_empty_descs",
     "packets came faster than frames came back (these are part of rx_dropped); give more --frames "
     "and a larger --ring"},
    {"rx_ring_full", "packets came faster than they were read; give a larger --ring, or --cpu"},
    {"rx_invalid_descs", "the kernel refused a descriptor; please report it"},
    {"bad_descriptor", "the kernel named bytes outside its frame; please report it"},
    {"frame_not_ours", "the kernel delivered a frame it did not have; please report it"},
    {"too_many_pieces",
     "a packet has more pieces than the port takes; use --chunk 4096, leave out --no-sg, or lower "
     "the MTU"},
    {"too_short", "less than an Ethernet header: no device sends that"},
    {"not_our_frames", "a packet's frames belong to another memory; please report it"},
    {"not_offered", "a packet asks the device for what this port has not; please report it"},
    {"checksum_outside", "a checksum request reaches beyond the first piece; please report it"},
    {"no_headroom", "a piece leaves no room for metadata in front of it; please report it"},
    {"no_free_frame", "no frame was free for the head of a shared packet; give more --frames"},
    {"rejected",
     "the kernel rejects what is first on the TX ring for good; please report it with the kernel's "
     "version"},
    {"kernel_dropped",
     "the other end is down, has no carrier, or a smaller MTU; look with `ip link`"},
    {"link_down",
     "send calls met a link that was down; packets wait until it is up: `ip link set DEVICE up`"},
    {"device_gone", "the device was removed while the command ran; start it again when it is back"},
    {"send_failed",
     "sendto failed with an error that is not expected here; please report it with the kernel's "
     "version"},
    {"other",
     "sendto failed with an error that is not expected here; please report it with the kernel's "
     "version"},
    {"tx_again",
     "send calls left packets to the next call: the kernel moves so many a call, and its send "
     "buffer holds so many; nothing is lost, and Linux 6.17 or newer moves more"},
    {"tx_ring_full", "packets waited for room on the TX ring; give a larger --ring"},
    {"completion_refused",
     "the kernel completed an address at which nothing was under way; please report it with the "
     "kernel's version"},
    {"fill_starved", "no frame was free for an empty FILL ring; give more --frames"},
    {"tx_invalid_descs", "the kernel refused a descriptor; please report it"},
    {"unread_at_close", "received, and not read any more when the command ended"},
    {"unsent_at_close", "not sent any more when the command ended: the link was down or too slow"},
    {"waiting_at_close", "found no room to be sent until the command ended"},
    {"never_completed", "the device did not give these frames back; the driver holds them"},
});

}  // namespace

std::string_view drop_remedy(std::string_view reason) noexcept {
    for (const auto& [name, text] : explanations) {
        if (name == reason) return text;
    }
    return {};
}

}  // namespace skein::tool
