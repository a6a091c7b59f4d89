// SPDX-License-Identifier: Apache-2.0
#include "live_session.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "live_report.hpp"
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
        : options_(options), report_(options.json, options.stages), capture_(capture) {
        describe(shards);
        for (std::size_t i = 0; i < shards.size(); ++i) {
            const int cpu = i < options.cpus.size() ? static_cast<int>(options.cpus[i]) : -1;
            runners_.push_back(std::make_unique<shard_runner>(std::move(shards[i]),
                                                              wait_options_for(options), cpu));
        }
    }

    int run() {
        const auto start = clock::now();
        bool output_open = true;
        std::uint64_t t = 0;
        try {
            while (wait_until(start + std::chrono::seconds(t + 1)))
                report_second(++t);
        } catch (const closed_pipe&) {
            output_open = false;
        }
        for (auto& runner : runners_)
            runner->ask_to_stop();
        std::vector<shard_result> results;
        for (auto& runner : runners_)
            results.push_back(runner->join());
        if (capture_ != nullptr) capture_->finish();
        const auto ran = std::chrono::round<std::chrono::seconds>(clock::now() - start);
        if (output_open) report_.final(static_cast<std::uint64_t>(ran.count()), results);
        return 0;
    }

    ~live_session() {
        for (auto& runner : runners_)
            runner->ask_to_stop();
        for (auto& runner : runners_)
            end_quietly(*runner);
    }

  private:
    void describe(const std::vector<std::unique_ptr<live_shard>>& shards) const {
        std::vector<std::string> lines;
        for (const auto& shard : shards) {
            for (const auto* port : shard->ports()) {
                lines.push_back(port->description());
                if (!port->program()) continue;
                for (const auto& note : port->program()->attached().notes) {
                    lines.push_back("  " + note);
                }
            }
        }
        report_.opened(lines);
    }

    // Sleeps up to a moment; false as soon as the session is to end.
    bool wait_until(clock::time_point moment) const {
        for (;;) {
            if (stop_signal::requested() || duration_over() || all_ended()) return false;
            const auto left = moment - clock::now();
            if (left <= 0ms) return true;
            std::this_thread::sleep_for(std::min<clock::duration>(left, 20ms));
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
        if (last_.empty()) last_.resize(now.size());
        std::vector<port_sample> gaps;
        for (std::size_t i = 0; i < now.size(); ++i)
            gaps.push_back(difference(now[i], last_[i]));
        last_ = std::move(now);
        if (capture_ != nullptr) capture_->flush();
        report_.second(t, gaps);
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
    clock::time_point started_ = clock::now();
    std::vector<std::unique_ptr<shard_runner>> runners_;
    std::vector<port_sample> last_;
};

}  // namespace

int run_live(const live_options& options, std::vector<std::unique_ptr<live_shard>> shards,
             live_capture* capture) {
    const stop_signal stop;
    return live_session(options, std::move(shards), capture).run();
}

std::unique_ptr<live_capture> open_capture(const live_options& options) {
    return options.pcap.empty() ? nullptr : std::make_unique<live_capture>(options.pcap);
}

}  // namespace skein::tool
