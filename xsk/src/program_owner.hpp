// SPDX-License-Identifier: Apache-2.0
// Who owns a loaded program: the record this process writes into its own, and what became of the
// process that wrote another.
//
// A process is known by its id and its start time, since ids are used again. Both mean something
// only in one pid namespace (the time in one time namespace), and only where /proc shows that
// namespace; anywhere else the answer is `unknown`, which everyone treats as alive.
//
// Source: proc(5), /proc/PID/stat fields 3 (state) and 22 (starttime).
#pragma once

#include <cstdint>

#include "abi.h"

namespace skein::inline v0::xsk {

enum class process_state : std::uint8_t { alive, gone, unknown };

skein_owner this_process();
process_state state_of(const skein_owner& owner);

}  // namespace skein::inline v0::xsk
