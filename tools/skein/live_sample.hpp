// SPDX-License-Identifier: Apache-2.0
// A port's numbers at one moment, as the report shows them, and their arithmetic.
//
// Counters only grow: the difference of two samples is what happened between them, the sum of
// several ports' samples is what happened altogether. The ledger is a state, not a count: a
// difference keeps the later one, and ports of one umem share theirs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <skein/frame_ledger.hpp>
#include <skein/xsk/port.hpp>

namespace skein::tool {

using reason_counts = std::map<std::string, std::uint64_t>;

struct direction_sample {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    reason_counts drops;  // packets or descriptors, only what occurred
};

struct port_sample {
    std::string interface;
    std::uint32_t queue = 0;
    xsk::port_status status = xsk::port_status::ready;
    direction_sample rx;
    direction_sample tx;
    std::uint64_t tx_calls = 0;  // system calls to send
    reason_counts events;        // what is no drop and yet worth knowing, only what occurred
    frame_ledger frames;
};

// Reads a port's counters; any thread may. The ledger is the owning thread's to take.
port_sample sample_counters(const xsk::port& port);

// What a closed port lost of what it had: unread and unsent descriptors, frames written off; and
// the packets that waited to be sent there.
void add_teardown(port_sample& sample, const xsk::teardown_report& report, std::uint64_t waiting);

port_sample difference(const port_sample& later, const port_sample& earlier);
void add(reason_counts& total, const reason_counts& more);
void add(direction_sample& total, const direction_sample& more);

}  // namespace skein::tool
