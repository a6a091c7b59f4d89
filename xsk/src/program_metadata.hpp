// SPDX-License-Identifier: Apache-2.0
// Attaching a program that writes metadata, where that is wanted and to be had.
#pragma once

#include <optional>
#include <string>

#include <skein/xsk/error.hpp>

#include "interface.hpp"
#include "program_attach.hpp"
#include "program_object.hpp"

namespace skein::inline v0::xsk {

// What a program can tell of packets in this mode.
metadata_kind metadata_in(xdp_mode mode) noexcept;

// Loads and attaches it by link. Empty where that is refused; `refusal` then says why, in a line.
std::optional<program_object> attach_with_metadata(const interface_facts& device,
                                                   std::uint32_t queue_count, xdp_mode mode,
                                                   attachment& place, std::string& refusal);

// What to throw where it was required.
setup_error metadata_error(const interface_facts& device, const std::string& refusal);

}  // namespace skein::inline v0::xsk
