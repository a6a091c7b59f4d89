// SPDX-License-Identifier: Apache-2.0
// The work of one thread: its ports, and one round of moving packets between them.
//
// A shard shares nothing with others while it runs. Its runner calls round() again and again, lets
// the ports wait when a round moved nothing, answers requests for the ports' numbers between rounds
// (so that no other thread ever touches a port), and at the end closes the ports and keeps what
// they counted.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <skein/xsk/port.hpp>
#include <skein/xsk/program.hpp>
#include <skein/xsk/wait.hpp>

#include "live_sample.hpp"
#include "live_watch.hpp"

namespace skein::tool {

class live_shard {
  public:
    virtual ~live_shard() = default;
    // Moves what can be moved at once; returns how many packets. May throw command_failure.
    virtual std::size_t round() = 0;
    // Nothing is left to do (a count is reached).
    virtual bool finished() const { return false; }
    virtual std::vector<xsk::port*> ports() = 0;
    // Gives back the packets it holds between rounds; returns how many each port, in the order of
    // ports(), was still to send. Called once, after the last round.
    virtual std::vector<std::uint64_t> let_go() { return {}; }
    // The longest sleep of a round that moved nothing.
    virtual std::chrono::milliseconds longest_nap() const { return std::chrono::milliseconds{100}; }
};

// What remains of a shard that has ended.
struct shard_result {
    std::vector<port_sample> ports;
    std::vector<std::string> teardowns;  // a line for each port, for people
    xsk::verdict_counts verdicts;
    frame_ledger frames;
    std::uint64_t copied_bytes = 0;  // from frame to frame, by skein
};

class shard_runner {
  public:
    // cpu: where the thread is to run, negative for anywhere.
    shard_runner(std::unique_ptr<live_shard> shard, xsk::wait_options wait, int cpu);

    // What the way of waiting could not get.
    const std::vector<std::string>& notes() const noexcept { return waiter_.notes(); }

    bool ended() const noexcept { return ended_.load(); }
    bool failed() const noexcept { return ended() && failure_ != nullptr; }

    // Asks for the ports' numbers and waits for them; the last known ones if the shard has ended or
    // is busy for too long. Always in the same order.
    std::vector<port_sample> samples(std::chrono::milliseconds patience);

    // What happened to a device, for its ports to note between two rounds.
    void tell(const live_event& event);

    void ask_to_stop() noexcept { stop_.store(true); }
    // Waits for the thread; throws what the shard threw.
    shard_result join();

  private:
    void run();
    void work();
    void hear();
    void answer(std::vector<port_sample> samples);
    std::vector<port_sample> take_samples();
    void close_ports();
    void close_port(xsk::port& port, std::uint64_t unsent);

    std::unique_ptr<live_shard> shard_;
    std::vector<xsk::port*> ports_;
    xsk::waiter waiter_;
    int cpu_;

    std::atomic<bool> stop_{false};
    std::atomic<bool> ended_{false};
    std::atomic<bool> asked_{false};
    std::mutex mutex_;  // guards latest_ and answers_
    std::condition_variable answered_;
    std::vector<port_sample> latest_;  // one for each port, from the start
    std::uint64_t answers_ = 0;
    std::atomic<bool> told_{false};
    std::vector<live_event> events_;  // not heard yet; guarded by mutex_

    std::exception_ptr failure_;
    shard_result result_;
    std::thread thread_;  // last: starts when everything above is there
};

}  // namespace skein::tool
