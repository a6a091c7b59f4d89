// SPDX-License-Identifier: Apache-2.0
// The skein program as a function: parse, run, and say what went wrong in the contract's form.
//
// Exit codes: 0 done, 1 failed, 2 usage. Errors go to standard error as
//
//     skein: WHAT
//       remedy: WHAT HELPS
//
// and with --json, wherever it stands on the command line, standard output holds exactly
// {"error": {"what": ..., "remedy": ...}} and a newline. A closed pipe ends quietly with 0.
#pragma once

#include <span>

#include "command.hpp"

namespace skein::tool {

using add_command = void (*)(CLI::App& app, invocation& chosen);

// The commands of this build, in the order help lists them (commands.cpp).
std::span<const add_command> all_commands();

int run_program(int argc, const char* const* argv, std::span<const add_command> commands);

}  // namespace skein::tool
