// SPDX-License-Identifier: Apache-2.0
// Which XDP programs are on a device, and whose they are.
//
// Looking into a program by its id (its name, its owner record) needs CAP_SYS_ADMIN; without it the
// id and the mode are all there is to know.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <skein/xsk/program.hpp>

#include "interface.hpp"
#include "program_fd.hpp"

namespace skein::inline v0::xsk {

// Throws setup_error where the kernel does not answer.
std::vector<attached_program> survey(const interface_facts& device);

// Empty where the program is gone or the caller may not have it.
owned_fd open_program(std::uint32_t program_id) noexcept;

// The link that holds the program on the device. A link names its device by index only, and several
// network namespaces may use one index: `ambiguous` where more than one link fits.
struct found_link {
    owned_fd fd;
    bool ambiguous = false;
};
found_link find_link(std::uint32_t interface_index, std::uint32_t program_id) noexcept;

}  // namespace skein::inline v0::xsk
