// SPDX-License-Identifier: Apache-2.0
// Taking programs off a device: exactly the one meant, or none.
//
// A program attached over netlink is taken off only while it is still the one that was seen (the
// kernel compares, XDP_FLAGS_REPLACE); one that a link holds is taken off through its link; one in
// a dispatcher by libxdp.
#pragma once

#include <string>
#include <vector>

#include <skein/xsk/program.hpp>

#include "interface.hpp"

namespace skein::inline v0::xsk {

// Takes off a program attached over netlink, if it is that of program_fd. 0 or a negated errno
// value.
int detach_netlink(int interface_index, xdp_mode mode, int program_fd) noexcept;

// Throws setup_error where that is not possible or not permitted.
void remove(const interface_facts& device, const attached_program& program);

// Removes what is ours and dead from the device and from the list; returns what that was.
std::vector<attached_program> remove_dead(const interface_facts& device,
                                          std::vector<attached_program>& programs);

}  // namespace skein::inline v0::xsk
