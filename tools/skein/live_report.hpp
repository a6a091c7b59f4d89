// SPDX-License-Identifier: Apache-2.0
// How live commands show their numbers: JSON lines for machines, a table for people.
//
// JSON: for each second and port {t, interface, queue, status, rx{packets, bytes, drops{REASON}},
// tx{…}, events{REASON}, frames{…}} with that second's counts, and a last line with "final": true
// and the totals; there `interface` names all, separated by commas, `queue` is "all" if ports sit
// on several, `ports` holds each port's share, `verdicts` what the XDP program decided. `t` is in
// seconds since the start. REASON objects hold only what occurred. `frames` is the ledger of a
// port's umem: ports that share one show the same.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "command.hpp"
#include "live_sample.hpp"
#include "live_shard.hpp"
#include "live_totals.hpp"
#include "stage_options.hpp"

namespace skein::tool {

class live_report {
  public:
    live_report(bool json, const stage_options& stages) : json_(json), stages_(&stages) {}

    // What the ports are: to standard output for people, to standard error beside JSON.
    void opened(const std::vector<std::string>& descriptions) const;
    void second(std::uint64_t t, const std::vector<port_sample>& ports) const;
    // What the user should know now: to standard error.
    void notice(const std::string& text) const;
    // failure: what ended the command early; null if nothing did. In JSON it is a member "error".
    void final(std::uint64_t t, const std::vector<shard_result>& shards,
               const command_failure* failure) const;

  private:
    void say(const std::string& text) const;
    void final_json(std::uint64_t t, const live_totals& total,
                    const command_failure* failure) const;

    bool json_;
    const stage_options* stages_;
};

}  // namespace skein::tool
