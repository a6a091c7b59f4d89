// SPDX-License-Identifier: Apache-2.0
// What xdpsock asks of the process it is: signals, scheduling, rights.
#pragma once

#include "options.hpp"

namespace xdpsock {

// From now on SIGINT, SIGTERM, SIGHUP and SIGABRT ask for the end; a second one ends at once.
void watch_for_stop();
bool stop_requested() noexcept;

// -W and -U. Throws std::system_error.
void apply_scheduling(const options& given);

// -R: no capability but CAP_NET_RAW. Throws std::system_error.
void keep_only_net_raw();

}  // namespace xdpsock
