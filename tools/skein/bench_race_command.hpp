// SPDX-License-Identifier: Apache-2.0
// A `skein bench` subcommand made of races: its options, its table, its JSON.
//
//     add_race_bench(bench, chosen,
//                    {.name = "checksum", .purpose = "…", .item = "sum", .examples = examples,
//                     .peers = {"dpdk"}, .races = checksum_races});
//
// Options: --rounds, --turn, --peer KIND=PATH for each kind in `peers`, --json. What else a bench
// wants to be told it adds to the subcommand it gets back.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench_race.hpp"
#include "command.hpp"
#include "help.hpp"
#include "peer_library.hpp"

namespace skein::tool {

struct race_bench {
    std::string name;
    std::string purpose;
    std::string item;                     // what a cost is given for: "packet"
    std::span<const example> examples;    // static
    std::vector<std::string> peers = {};  // kinds of --peer
    // One race at a time, so that what one needs is gone before the next: calls `run` for each.
    std::function<void(const peer_libraries&, const std::function<void(const race&)>& run)> races;
};

CLI::App* add_race_bench(CLI::App& bench, invocation& chosen, race_bench what);

}  // namespace skein::tool
