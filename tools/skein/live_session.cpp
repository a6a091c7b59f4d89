// SPDX-License-Identifier: Apache-2.0
#include "live_session.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "live_report.hpp"
#include "live_watch.hpp"
#include "standard_output.hpp"
#include "stop_signal.hpp"

namespace skein::tool {

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

class live_session {
  public:
    live_session(const live_options& options, std::vector<std::unique_ptr<live_shard>> shards,
                 live_capture* capture)
        : options_(options),
          report_(options.json, options.stages),
          capture_(capture),
          watch_(ports_of(shards)) {
        describe(shards);
        for (std::size_t i = 0; i < shards.size(); ++i) {
            const auto& cpus = options.cpus;
            const int cpu = cpus.empty() ? -1 : static_cast<int>(cpus[i % cpus.size()]);
            runners_.push_back(std::make_unique<shard_runner>(std::move(shards[i]),
                                                              wait_options_for(options), cpu));
            for (const auto& note : runners_.back()->notes())
                report_.notice(note);
        }
    }

    int run() {
        started_ = clock::now();
        std::uint64_t t = 0;
        try {
            while (wait_until(started_ + std::chrono::seconds(t + 1)))
                report_second(++t);
        } catch (const closed_pipe&) {
            output_open_ = false;
        }
        const auto results = stop();
        const auto ran = std::chrono::round<std::chrono::seconds>(clock::now() - started_);
        return finish(static_cast<std::uint64_t>(ran.count()), results);
    }

    ~live_session() {
        for (auto& runner : runners_)
            runner->ask_to_stop();
        for (auto& runner : runners_)
            end_quietly(*runner);
    }

  private:
    static std::vector<const xsk::port*> ports_of(
        const std::vector<std::unique_ptr<live_shard>>& shards) {
        std::vector<const xsk::port*> all;
        for (const auto& shard : shards) {
            for (const auto* port : shard->ports())
                all.push_back(port);
        }
        return all;
    }

    std::vector<shard_result> stop() {
        watch(0ms);
        for (auto& runner : runners_)
            runner->ask_to_stop();
        std::vector<shard_result> results;
        for (auto& runner : runners_)
            results.push_back(runner->join());
        if (capture_ != nullptr) capture_->finish();
        if (capture_failed() && !failure_) failure_ = capture_->failure();
        return results;
    }

    bool capture_failed() const { return capture_ != nullptr && capture_->failed(); }

    int finish(std::uint64_t t, const std::vector<shard_result>& results) const {
        const auto* failure = failure_ ? &*failure_ : nullptr;
        if (output_open_) report_.final(t, results, failure);
        if (failure == nullptr) return 0;
        if (!options_.json) throw *failure;
        report_.notice(fmt::format("skein: {}", failure->what()));
        return 1;
    }

    void describe(const std::vector<std::unique_ptr<live_shard>>& shards) const {
        std::vector<std::string> lines;
        std::set<const xsk::redirect_program*> told;
        for (const auto& shard : shards) {
            for (const auto* port : shard->ports()) {
                lines.push_back(port->description());
                const auto* program = port->program().get();
                if (program == nullptr || !told.insert(program).second) continue;
                for (const auto& note : program->attached().notes)
                    lines.push_back("  " + note);
            }
        }
        report_.opened(lines);
    }

    // Sleeps up to a moment; false as soon as the session is to end.
    bool wait_until(clock::time_point moment) {
        for (;;) {
            if (stop_signal::requested() || failure_ || capture_failed() || all_ended())
                return false;
            const auto left = moment - clock::now();
            if (left <= 0ms) return true;
            if (duration_over()) return false;
            watch(std::chrono::ceil<std::chrono::milliseconds>(
                std::min<clock::duration>(left, 20ms)));
        }
    }

    bool duration_over() const {
        return options_.duration_s != 0 &&
               clock::now() - started_ >= std::chrono::seconds(options_.duration_s);
    }

    // All finished, or one has failed: a failed shard ends early, and then the others must stop
    // too.
    bool all_ended() const {
        const auto ended = [](const auto& runner) { return runner->ended(); };
        const bool failed = std::any_of(runners_.begin(), runners_.end(),
                                        [](const auto& runner) { return runner->failed(); });
        return failed || std::all_of(runners_.begin(), runners_.end(), ended);
    }

    void report_second(std::uint64_t t) {
        std::vector<port_sample> now;
        for (auto& runner : runners_) {
            for (auto& sample : runner->samples(200ms))
                now.push_back(std::move(sample));
        }
        if (last_.empty()) last_.resize(now.size());  // each runner has a sample for each port
        std::vector<port_sample> gaps;
        for (std::size_t i = 0; i < now.size(); ++i)
            gaps.push_back(difference(now[i], last_[i]));
        last_ = std::move(now);
        if (capture_ != nullptr) capture_->flush();
        report_.second(t, gaps);
        end_if_stuck();
    }

    void end_if_stuck() {
        for (const auto& port : last_) {
            if (port.status != xsk::port_status::tx_stuck) continue;
            failure_.emplace(fmt::format("{} queue {}: the kernel rejects what is to be sent",
                                         port.interface, port.queue),
                             "start again; closing the port takes the packets back");
        }
    }

    // Passes on what happened to the devices meanwhile, and ends the session where one is gone.
    void watch(std::chrono::milliseconds longest) {
        for (const auto& event : watch_.wait(longest)) {
            for (auto& runner : runners_)
                runner->tell(event);
            if (event.what.change == xsk::device_change::removed) {
                failure_.emplace(fmt::format("{} was removed while in use", event.device),
                                 "`ip link` lists the interfaces there are; start again with one");
            } else {
                report_.notice(event.notice);
            }
        }
    }

    static void end_quietly(shard_runner& runner) noexcept {
        try {
            runner.join();
        } catch (...) {  // reported by run(), or overtaken by what is being thrown
        }
    }

    const live_options& options_;
    live_report report_;
    live_capture* capture_;
    live_watch watch_;
    clock::time_point started_ = clock::now();
    std::vector<std::unique_ptr<shard_runner>> runners_;
    std::vector<port_sample> last_;
    std::optional<command_failure> failure_;
    bool output_open_ = true;
};

}  // namespace

int run_live(const live_options& options, std::vector<std::unique_ptr<live_shard>> shards,
             live_capture* capture) {
    return live_session(options, std::move(shards), capture).run();
}

std::unique_ptr<live_capture> open_capture(const live_options& options) {
    if (options.pcap == "-") {
        throw usage_failure("--pcap - and the report both want standard output",
                            "give --pcap a file name");
    }
    return options.pcap.empty() ? nullptr : std::make_unique<live_capture>(options.pcap);
}

}  // namespace skein::tool
