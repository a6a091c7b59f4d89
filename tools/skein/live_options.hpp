// SPDX-License-Identifier: Apache-2.0
// The options that rx, tx and forward have in common, and what they mean for ports.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <skein/xsk/port.hpp>
#include <skein/xsk/wait.hpp>

#include "stage_options.hpp"

namespace skein::tool {

struct live_options {
    std::string queue = "all";  // a number or "all"
    std::string mode = "auto";
    bool zero_copy = false;  // required
    bool copy = false;       // required
    std::uint32_t frames = 4096;
    std::uint32_t chunk_bytes = 4096;
    bool unaligned = false;
    std::uint32_t ring_entries = 2048;
    bool huge_pages = false;
    std::vector<unsigned> cpus;
    std::string wait = "adaptive";
    std::uint64_t duration_s = 0;  // 0: until stopped
    std::uint64_t count = 0;       // packets; 0: any number
    std::string pcap;
    std::string attach = "link";
    bool replace = false;
    std::vector<std::string> rules;
    std::string otherwise;  // empty: everything without rules, nothing with rules
    bool no_scatter_gather = false;
    bool json = false;
    stage_options stages;
};

// Declares them on a subcommand. What only makes sense for receiving (rules) is
// left out where `receives` is false.
void add_live_options(CLI::App& command, live_options& options, bool receives);

// What the argument that names an interface says of itself in the help.
inline constexpr const char* interface_help = " (eth0; in another network namespace blue/eth0)";

// The queues an interface's ports are to sit on: one, or all it has. Interfaces are given as the
// user writes them.
std::vector<std::uint32_t> chosen_queues(const live_options& options, const std::string& interface);

// How many threads serve that many queues: one per CPU named, or per CPU there is, never more than
// queues.
std::size_t shard_count(const live_options& options, std::size_t queues);

// How a port is to be opened on a queue of an interface.
xsk::port_options port_options_for(const live_options& options, const std::string& interface,
                                   std::uint32_t queue);

// The program for all ports of an interface. Throws usage_failure for a rule that cannot be read.
std::shared_ptr<xsk::redirect_program> attach_program(const live_options& options,
                                                      const std::string& interface);

// Memory for a shard with that many ports.
std::shared_ptr<xsk::umem> map_memory(const live_options& options, std::size_t ports);

xsk::wait_options wait_options_for(const live_options& options);

}  // namespace skein::tool
