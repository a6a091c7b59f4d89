// SPDX-License-Identifier: Apache-2.0
#include "program_metadata.hpp"

#include <cerrno>

#include "program_log.hpp"

namespace skein::inline v0::xsk {

namespace {

std::string refused(xdp_mode mode, int error_number) {
    return "RX metadata refused in " + std::string(to_string(mode)) +
           " mode: " + errno_text(error_number);
}

}  // namespace

metadata_kind metadata_in(xdp_mode mode) noexcept {
    return mode == xdp_mode::generic ? metadata_kind::segments : metadata_kind::device;
}

std::optional<program_object> attach_with_metadata(const interface_facts& device,
                                                   std::uint32_t queue_count, xdp_mode mode,
                                                   attachment& place, std::string& refusal) {
    try {
        std::optional<program_object> program(std::in_place, device, queue_count,
                                              metadata_in(mode));
        program->load();
        const int status = place.take_link(device, *program, mode);
        if (status == 0) return program;
        refusal = refused(mode, -status);
    } catch (const setup_error& error) {
        // Its text holds the verifier's whole answer; the plain program is tried next.
        refusal = refused(mode, error.error_number());
    }
    return std::nullopt;
}

setup_error metadata_error(const interface_facts& device, const std::string& refusal) {
    return setup_error(
        EOPNOTSUPP,
        {.operation = "attach XDP program with metadata",
         .interface = device.name,
         .cause = refusal,
         .remedy = "a device tells of packets in native mode, attached by link, from Linux 6.8 on "
                   "and where its driver supports it; make metadata optional to do without"});
}

}  // namespace skein::inline v0::xsk
