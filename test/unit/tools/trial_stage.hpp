// SPDX-License-Identifier: Apache-2.0
// A stage to try pipelines with: holds each packet until a timeout, then puts out copies of it.
#pragma once

#include <deque>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "stage.hpp"

namespace skein::test {

using tool::stage_state;
using tool::stage_time;

struct trial_settings {
    std::uint32_t copies = 1;     // put out for each packet
    std::uint64_t hold_ns = 0;    // 0: not held
    bool drop_at_end = false;     // what is held at the end is unfinished
    std::uint64_t forgotten = 0;  // made packets that the balance does not know of
};

struct trial_counters {
    tool::packet_balance balance;
    std::vector<std::string> calls;  // what happened, in order
};

class trial_stage final : public tool::stage {
  public:
    trial_stage(trial_settings how, trial_counters& counters) : how_(how), counters_(counters) {}

    stage_state process(burst& in, burst& out, stage_time now) override {
        for (auto& p : in) {
            counters_.calls.push_back("in " + std::to_string(p.timestamp_ns));
            held_.push_back({std::move(p), now});
        }
        in.clear();
        return how_.hold_ns == 0 ? put_out(out, now) : stage_state::done;
    }
    stage_state expire(burst& out, stage_time now) override {
        return put_out(out, now - stage_time(how_.hold_ns));
    }
    bool relieve(burst& out, stage_time) override {
        if (held_.empty() || out.full()) return false;
        put_one(out);
        return true;
    }
    stage_state finish(burst& out, stage_time now) override {
        if (!how_.drop_at_end) return put_out(out, now);
        counters_.balance.unfinished += held_.size();
        held_.clear();
        return stage_state::done;
    }

  private:
    struct held {
        packet what;
        stage_time since;
    };

    // Puts out what is held since `latest` or longer.
    stage_state put_out(burst& out, stage_time latest) {
        while (!held_.empty() && held_.front().since <= latest) {
            if (out.full()) return stage_state::more_to_come;
            put_one(out);
        }
        return stage_state::done;
    }
    void put_one(burst& out) {
        auto& oldest = held_.front();
        ++copied_;
        if (copied_ < how_.copies) {
            out.push_back(oldest.what.share());
            ++counters_.balance.made;
        } else {
            counters_.calls.push_back("out " + std::to_string(oldest.what.timestamp_ns));
            out.push_back(std::move(oldest.what));
            held_.pop_front();
            copied_ = 0;
        }
    }

    trial_settings how_;
    trial_counters& counters_;
    std::deque<held> held_;
    std::uint32_t copied_ = 0;
};

class trial_kind final : public tool::stage_kind {
  public:
    trial_kind(trial_settings how, trial_counters& counters) : how_(how), counters_(counters) {}

    std::string_view name() const override { return "trial"; }
    void add_options(CLI::App& command) override {
        command.add_flag("--trial", wanted_, "hold packets, then put out copies");
    }
    bool wanted() const override { return wanted_; }
    std::unique_ptr<tool::stage> make(const tool::stage_place&) override {
        return std::make_unique<trial_stage>(how_, counters_);
    }
    void report(nlohmann::ordered_json& document) const override {
        document["trial"] = {{"made", counters_.balance.made}};
    }
    tool::packet_balance balance() const override {
        auto told = counters_.balance;
        told.made -= how_.forgotten;
        return told;
    }
    std::vector<tool::reason_list> reasons() const override {
        return {{{"trial", "dropped"}, {"too_dull"}}};
    }

  private:
    trial_settings how_;
    trial_counters& counters_;
    bool wanted_ = false;
};

}  // namespace skein::test
