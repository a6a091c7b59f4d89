// SPDX-License-Identifier: Apache-2.0
// TX metadata of a socket: asked for when the memory is registered, and what of it can be used.
#include <skein/xsk/error.hpp>
#include <skein/xsk/socket.hpp>
#include <skein/xsk/uapi.hpp>

#include "sys.hpp"

namespace skein::inline v0::xsk {

// False where it is not wanted, or refused and not insisted on.
bool socket::register_with_metadata(uapi::umem_registration request) {
    bound_.tx_metadata = {};
    if (options_.tx_metadata == choice::forbidden) return false;
    request.tx_metadata_bytes = sizeof(uapi::tx_metadata);
    request.flags |= uapi::umem_tx_metadata_bytes;
    if (options_.tx_software_checksum) request.flags |= uapi::umem_tx_software_checksum;
    const int status =
        sys::set_option(fd_, uapi::sol_xdp, uapi::option_umem_reg, &request, sizeof request);
    if (status >= 0) {
        bound_.tx_metadata = {.bytes = request.tx_metadata_bytes,
                              .checksum = true,
                              .software_checksum = options_.tx_software_checksum};
        return true;
    }
    if (options_.tx_metadata == choice::required && status != -ENOBUFS) {
        fail(-status, "register UMEM with TX metadata", {},
             "use Linux 6.11 or newer, or make TX metadata optional");
    }
    if (status != -ENOBUFS) {
        bound_.notes.push_back("TX metadata refused: " + errno_text(-status) +
                               "; Linux 6.11 and newer have it");
    }
    return false;
}

// What of it the kernel, the driver and the way of sending honour.
void socket::settle_metadata(const std::string& driver) {
    auto& metadata = bound_.tx_metadata;
    if (metadata.bytes == 0) return;
    // Which kernel it is shows in an option that has nothing to do with it (since Linux 6.17).
    // Before, a flag for launch times may be unknown (6.15), and in copy mode a frame may be
    // completed early, into which the kernel would then write a time (fixed by 30f241fcf52a).
    const auto budget = uapi::default_tx_budget;
    const bool recent = sys::set_option(fd_, uapi::sol_xdp, uapi::option_max_tx_budget, &budget,
                                        sizeof budget) != -ENOPROTOOPT;
    // virtio_net sends from the frames' pages: copy mode ignores the metadata there up to Linux
    // 6.17, and completes checksums only where the device does.
    const bool page_built = driver == "virtio_net" && !bound_.zero_copy;
    metadata.checksum = !page_built && !(bound_.zero_copy && metadata.software_checksum);
    metadata.timestamp = !page_built && (recent || bound_.zero_copy);
    metadata.launch = !page_built && recent;
    note_metadata(recent, page_built, driver);
    if (options_.tx_metadata == choice::required && !metadata.checksum && !metadata.timestamp) {
        fail(EOPNOTSUPP, "bind with TX metadata", "this driver in this mode honours none of it",
             "make TX metadata optional");
    }
}

void socket::note_metadata(bool recent, bool page_built, const std::string& driver) {
    auto& notes = bound_.notes;
    if (page_built) {
        notes.push_back(
            "virtio_net in copy mode honours TX metadata on some kernels only: not used");
    } else if (!recent) {
        notes.push_back(bound_.zero_copy
                            ? "no launch times before Linux 6.17"
                            : "no timestamps and launch times before Linux 6.17 in copy mode");
    } else if (driver == "veth") {
        notes.push_back("veth accepts launch times and ignores them");
    }
    if (bound_.zero_copy && bound_.tx_metadata.software_checksum) {
        notes.push_back("the kernel sums checksums in copy mode only");
    }
}

}  // namespace skein::inline v0::xsk
