// SPDX-License-Identifier: Apache-2.0
#include "live_shard.hpp"

#include <pthread.h>

#include <algorithm>

namespace skein::tool {

namespace {

void pin_to(int cpu) {
    if (cpu < 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(cpu), &set);
    ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

xsk::wait_options no_longer(xsk::wait_options wait, std::chrono::milliseconds longest) {
    wait.longest = std::min(wait.longest, longest);
    return wait;
}

}  // namespace

shard_runner::shard_runner(std::unique_ptr<live_shard> shard, xsk::wait_options wait, int cpu)
    : shard_(std::move(shard)),
      ports_(shard_->ports()),
      waiter_(no_longer(wait, shard_->longest_nap()), ports_),
      cpu_(cpu),
      latest_(take_samples()),
      thread_([this] { run(); }) {}

std::vector<port_sample> shard_runner::samples(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    const auto before = answers_;
    asked_.store(true);
    answered_.wait_for(lock, patience, [&] { return answers_ != before || ended(); });
    return latest_;
}

shard_result shard_runner::join() {
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(result_);
}

void shard_runner::run() {
    pin_to(cpu_);
    for (const auto step : {&shard_runner::work, &shard_runner::close_ports}) {
        try {
            (this->*step)();
        } catch (...) {
            if (!failure_) failure_ = std::current_exception();
        }
    }
    ended_.store(true);
    answered_.notify_all();
}

void shard_runner::work() {
    while (!stop_.load() && !shard_->finished()) {
        if (shard_->round() != 0) {
            waiter_.worked();
        } else {
            waiter_.idle();
        }
        if (told_.load()) hear();
        if (asked_.load()) answer(take_samples());
    }
}

void shard_runner::tell(const live_event& event) {
    {
        const std::lock_guard lock(mutex_);
        events_.push_back(event);
    }
    told_.store(true);
}

void shard_runner::hear() {
    told_.store(false);
    std::vector<live_event> events;
    {
        const std::lock_guard lock(mutex_);
        events.swap(events_);
    }
    for (const auto& event : events) {
        for (auto* port : ports_) {
            if (port->device() == event.device) port->handle(event.what);
        }
    }
}

std::vector<port_sample> shard_runner::take_samples() {
    std::vector<port_sample> samples;
    for (auto* port : ports_) {
        samples.push_back(sample_counters(*port));
        samples.back().frames = port->ledger();
    }
    return samples;
}

void shard_runner::answer(std::vector<port_sample> samples) {
    asked_.store(false);
    {
        const std::lock_guard lock(mutex_);
        latest_ = std::move(samples);
        ++answers_;
    }
    answered_.notify_all();
}

void shard_runner::close_ports() {
    hear();
    auto unsent = shard_->let_go();
    unsent.resize(ports_.size());
    const auto memory = ports_.front()->memory();
    for (std::size_t i = 0; i < ports_.size(); ++i)
        close_port(*ports_[i], unsent[i]);
    result_.copied_bytes = memory->pool().copied_bytes();
    result_.frames = memory->ledger();
    // Every packet was let go and every port closed: a frame still held was lost on the way.
    result_.frames.application = 0;
    for (auto& sample : result_.ports)
        sample.frames = result_.frames;
    answer(result_.ports);
}

// Closing still sends: the counters are read behind it. The kernel has the last word on the device:
// a short run may be over before anything was told.
void shard_runner::close_port(xsk::port& port, std::uint64_t unsent) {
    const auto program = port.program();
    const auto status = port.probe();
    const auto report = port.close();
    auto& sample = result_.ports.emplace_back(sample_counters(port));
    sample.status = status;
    add_teardown(sample, report, unsent);
    if (program) result_.verdicts += program->verdicts(sample.queue);
    result_.teardowns.push_back(sample.interface + " queue " + std::to_string(sample.queue) + " " +
                                to_string(report));
}

}  // namespace skein::tool
