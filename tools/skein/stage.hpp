// SPDX-License-Identifier: Apache-2.0
// A stage of the pipeline: bursts in, bursts out, and a clock that is handed in.
//
//     packets ─► [defrag] ─► [gro] ─► [nat] ─► [gso] ─► out          each one a stage, or absent
//
// A *stage* works on the packets of one place (an interface of a capture, a port). A *stage_kind*
// is what the command line, the report and --list-reasons know of it: its options, its counters,
// its reasons. One kind makes a stage for each place and outlives them; what they share (counters,
// a connection table) lives in the kind. The kinds that exist are listed in stage_registry.cpp, and
// nowhere else: a new one needs a line there and no change to replay, which runs them. The live
// commands accept the options of a stage and put its objects into their report; no packet of theirs
// passes a stage yet, for each shard needs a pipeline of its own, and that comes with the first
// stage.
//
// The rules of a stage:
// - What it does not understand passes unchanged, in its place. A packet without bytes, too.
// - `now` never goes back. It is the time of the packet in replay, a steady clock elsewhere, and
//   comes with each call: a stage reads no clock.
// - Where a burst is put out, it takes what fits. "More to come" means: empty `out`, call again.
// Threading: a kind and its stages belong to one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <skein/burst.hpp>
#include <skein/parse.hpp>

#include "tx_report.hpp"

namespace CLI {
class App;
}

namespace skein::tool {

using stage_time = std::chrono::nanoseconds;

enum class stage_state : std::uint8_t { done, more_to_come };

class stage {
  public:
    virtual ~stage() = default;

    // Takes packets off `in` (all of them when done) and appends to `out` what is ready.
    virtual stage_state process(burst& in, burst& out, stage_time now) = 0;

    // What was held for longer than it may be, at `now`, is put out or dropped.
    virtual stage_state expire(burst& out, stage_time now) = 0;

    // Frames are needed elsewhere: lets go of something held, oldest first. False if nothing is
    // held that could go.
    virtual bool relieve(burst& out, stage_time now) = 0;

    // There will be no more packets: everything held is put out, or dropped as unfinished.
    virtual stage_state finish(burst& out, stage_time now) = 0;
};

// Where a stage is put to work. All of it outlives the stage.
struct stage_place {
    frame_pool& pool;
    link_layer link;
    tx_report& tx;  // copies and headers made by a stage are counted here
};

// Packets that a stage made or removed: in + made = out + merged + dropped + unfinished.
struct packet_balance {
    std::uint64_t made = 0;        // new ones: segments beyond the first, ICMP errors
    std::uint64_t merged = 0;      // went into another packet
    std::uint64_t dropped = 0;     // refused, by a counted reason
    std::uint64_t unfinished = 0;  // waited for others that never came

    packet_balance& operator+=(const packet_balance& other) noexcept {
        made += other.made;
        merged += other.merged;
        dropped += other.dropped;
        unfinished += other.unfinished;
        return *this;
    }
};

// All reasons that may appear in one object of the report: {"parse", "not_parsed"} names
// parse.not_parsed.
struct reason_list {
    std::vector<std::string> object;
    std::vector<std::string> names;
};

class stage_kind {
  public:
    virtual ~stage_kind() = default;

    virtual std::string_view name() const = 0;
    // Declares the stage's options; each states its unit and default.
    virtual void add_options(CLI::App& command) = 0;
    // Did the command line ask for this stage?
    virtual bool wanted() const = 0;
    virtual std::unique_ptr<stage> make(const stage_place& place) = 0;

    // Adds the stage's objects to the report, also where all counters are 0. Only if wanted.
    virtual void report(nlohmann::ordered_json& document) const = 0;
    virtual packet_balance balance() const = 0;
    virtual std::vector<reason_list> reasons() const = 0;
};

using stage_kinds = std::vector<std::unique_ptr<stage_kind>>;

// Every stage this version has, in the order packets pass them (stage_registry.cpp).
stage_kinds all_stage_kinds();

}  // namespace skein::tool
