// SPDX-License-Identifier: Apache-2.0
// One run of one contender: packets a second, and system calls for them.
//
//     rx       a skein tx sends from the client for the window; what the contender received of it
//     tx       the contender sends from the client; what reaches the device on the other side
//     forward  a skein tx sends; what reaches the device behind the contender
//
// The sender's packets carry a source address that nobody has: a peer that sends them back to where
// they came from is not slowed by a network stack that takes them for its own.
#pragma once

#include <cstdint>

#include "bench_case.hpp"
#include "bench_contender.hpp"
#include "bench_lab.hpp"

namespace skein::tool {

struct bench_result {
    std::uint64_t packets_per_second = 0;
    std::uint64_t calls_per_million_packets = 0;
};

// Throws command_failure where the contender or the sender fails, naming its last words.
bench_result run_once(const bench_lab& lab, const contender& who, const bench_case& what,
                      const bench_timing& timing);

}  // namespace skein::tool
