// SPDX-License-Identifier: Apache-2.0
// Who is measured: how it is started for a job, and what it says about itself afterwards.
//
// skein is this very program. A peer is another program that does the same jobs; xdpsock is known:
// the sample of that name in the repository xdp-project/bpf-examples. Its -s counts the FCS, so
// that a frame of 64 bytes is -s 68. Its packets a second are not taken from its own display: all
// but its total of received packets and system calls is counted by the kernel.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench_case.hpp"

namespace skein::tool {

// What a contender reports of its own at the end.
struct bench_tally {
    std::uint64_t received = 0;  // packets
    std::uint64_t sent = 0;      // packets
    std::uint64_t calls = 0;     // system calls that moved them
};

class contender {
  public:
    virtual ~contender() = default;
    virtual std::string name() const = 0;
    // Inside the middle of the lab: rx on left, forward from left; tx on client0, in the client.
    virtual std::vector<std::string> command(const bench_case& what,
                                             std::chrono::seconds bound) const = 0;
    virtual std::string directory() const { return {}; }
    virtual bool forwards_back() const { return false; }  // to where the packets came from
    // How long its tally lags behind what it has received.
    virtual std::chrono::milliseconds lag() const { return std::chrono::milliseconds{100}; }
    virtual bench_tally tally(const std::string& output) const = 0;
    // What to do where it failed and printed this; empty where that is not known.
    virtual std::string remedy(const std::string& errors) const = 0;
};

// wait: its strategy while nothing arrives.
std::unique_ptr<contender> make_skein(const std::string& wait);
// "xdpsock=PATH". Throws usage_failure where the kind is not known or PATH is no program.
std::unique_ptr<contender> make_peer(const std::string& text);

// The path of this very program.
std::string own_path();

}  // namespace skein::tool
