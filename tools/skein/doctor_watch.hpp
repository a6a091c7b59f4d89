// SPDX-License-Identifier: Apache-2.0
// "No packets arrive": where do they go? A device is looked at for some seconds, without binding
// anything to it, and what was counted says which queue got the packets.
//
// Two witnesses: the verdict counters of a skein program that runs there, which are exact; and the
// driver's own counters for each queue, where it has some under a name that is understood. Where
// neither speaks, that is said.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <skein/xsk/discovery.hpp>
#include <skein/xsk/program.hpp>

#include "doctor.hpp"

namespace skein::tool {

struct watch_sample {
    std::uint64_t packets = 0;  // the device's
    std::uint64_t dropped = 0;
    std::map<std::uint32_t, std::uint64_t> queues = {};  // by the driver; empty where it tells none
    std::vector<xsk::verdict_counts> verdicts = {};  // by queue; empty where no program of ours is
};

struct watch_result {
    std::uint32_t seconds = 0;
    std::uint32_t queue = 0;  // the one that should get packets
    watch_sample counted;     // during that time
};

watch_sample look(const std::string& interface);
watch_sample difference(const watch_sample& before, const watch_sample& after);
// The queue that a counter is of, if it counts received packets of one queue.
std::optional<std::uint32_t> queue_of_counter(std::string_view name);

// Looks for that long, or until a signal to stop.
watch_result watch(const std::string& interface, std::uint32_t queue, std::uint32_t seconds);

// What was found, always one at least; the remedy is empty where nothing is wrong.
std::vector<problem> findings_of(const watch_result& result, const std::string& interface);
nlohmann::ordered_json as_json(const watch_result& result);

}  // namespace skein::tool
