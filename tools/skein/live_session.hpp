// SPDX-License-Identifier: Apache-2.0
// A live command's life: shards started, reported on every second, stopped, added up.
//
// It ends at Ctrl-C (SIGINT, SIGTERM, SIGHUP), after --duration, when all shards are finished, when
// one fails, when a device is removed, or when nobody reads the output any more. Then every port is
// drained and closed, and the totals are printed. Returns the exit code; throws what a shard threw.
// A link that goes down or comes back is told on standard error.
//
// The caller holds a stop_signal from before it opens anything: set-up, too, is to leave nothing.
#pragma once

#include <memory>
#include <vector>

#include "live_capture.hpp"
#include "live_options.hpp"
#include "live_shard.hpp"

namespace skein::tool {

int run_live(const live_options& options, std::vector<std::unique_ptr<live_shard>> shards,
             live_capture* capture);

// The capture that --pcap asks for; null without.
std::unique_ptr<live_capture> open_capture(const live_options& options);

}  // namespace skein::tool
