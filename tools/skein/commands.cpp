// SPDX-License-Identifier: Apache-2.0
// The commands of this build.
#include <array>

#include "program.hpp"

namespace skein::tool {

std::span<const add_command> all_commands() {
    static constexpr std::array commands{
        add_doctor_command,  add_lab_command,    add_rx_command,   add_tx_command,
        add_forward_command, add_replay_command, add_bench_command};
    return commands;
}

}  // namespace skein::tool
