// SPDX-License-Identifier: Apache-2.0
#include "bench_run.hpp"

#include <algorithm>

#include "background_process.hpp"
#include "command.hpp"

namespace skein::tool {

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds patience{10000};

// Longer than any run: what is left behind by a kill -9 ends by itself.
std::chrono::seconds bound_of(const bench_timing& timing) {
    return std::chrono::duration_cast<std::chrono::seconds>(3 * timing.settle + timing.window) +
           std::chrono::seconds{6};
}

std::string last_words(const background_process& process) {
    auto text = process.errors();
    constexpr std::size_t most = 400;
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.size() > most ? "…" + text.substr(text.size() - most) : text;
}

void expect_running(background_process& process, const contender& who) {
    if (!process.ended()) return;
    throw command_failure("'" + process.command_line() + "' ended at once: " + last_words(process),
                          who.remedy(process.errors()));
}

background_process start_contender(const bench_lab& lab, const contender& who,
                                   const bench_case& what, const bench_timing& timing) {
    const auto where = what.job == bench_job::tx ? "client" : "middle";
    return background_process(
        lab.inside(where, choose_cpus().measured, who.command(what, bound_of(timing))),
        who.directory());
}

background_process start_sender(const bench_lab& lab, const bench_case& what,
                                milliseconds duration) {
    const auto seconds = (duration.count() + 999) / 1000;
    return background_process(lab.inside(
        "client", choose_cpus().sender,
        {own_path(), "tx", "client0", "--size", std::to_string(what.size_bytes), "--src-mac",
         "02:00:00:00:00:03", "--wait", "spin", "--json", "--duration", std::to_string(seconds)}));
}

void expect_success(background_process& process) {
    if (process.wait(patience) == 0) return;
    throw command_failure("'" + process.command_line() + "' failed: " + last_words(process));
}

// Ends the contender; what it says of itself. The kernel gives its queue back a little later, and
// not every contender waits for that.
bench_tally finish(background_process& process, const contender& who) {
    constexpr milliseconds queue_release{300};
    expect_running(process, who);
    process.interrupt();
    process.wait(patience);
    sleep_unless_stopped(queue_release);
    return who.tally(process.output());
}

std::uint64_t calls_per_million(std::uint64_t calls, std::uint64_t packets) {
    return packets == 0 ? 0 : calls * 1'000'000 / packets;
}

// Packets a second that reach a device, over the window.
std::uint64_t watch(const bench_lab& lab, std::string_view name, const std::string& device,
                    milliseconds window) {
    const auto before = lab.received(name, device);
    const auto start = clock::now();
    sleep_unless_stopped(window);
    const auto packets = lab.received(name, device) - before;
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - start);
    return packets * 1'000'000 /
           static_cast<std::uint64_t>(std::max<std::int64_t>(took.count(), 1));
}

bench_result run_rx(const bench_lab& lab, const contender& who, const bench_case& what,
                    const bench_timing& timing) {
    auto receiver = start_contender(lab, who, what, timing);
    sleep_unless_stopped(timing.settle);
    expect_running(receiver, who);
    auto sender = start_sender(lab, what, timing.window);
    sleep_unless_stopped(timing.window);
    expect_success(sender);
    sleep_unless_stopped(who.lag());
    const auto tally = finish(receiver, who);
    const auto milli = static_cast<std::uint64_t>(timing.window.count());
    return {tally.received * 1000 / milli, calls_per_million(tally.calls, tally.received)};
}

bench_result run_tx(const bench_lab& lab, const contender& who, const bench_case& what,
                    const bench_timing& timing) {
    auto sender = start_contender(lab, who, what, timing);
    sleep_unless_stopped(timing.settle);
    expect_running(sender, who);
    const auto rate = watch(lab, "middle", "left", timing.window);
    sleep_unless_stopped(who.lag());
    const auto tally = finish(sender, who);
    return {rate, calls_per_million(tally.calls, tally.sent)};
}

bench_result run_forward(const bench_lab& lab, const contender& who, const bench_case& what,
                         const bench_timing& timing) {
    auto forwarder = start_contender(lab, who, what, timing);
    sleep_unless_stopped(timing.settle);
    expect_running(forwarder, who);
    auto sender = start_sender(lab, what, 2 * timing.settle + timing.window);
    sleep_unless_stopped(timing.settle);
    const auto rate = who.forwards_back() ? watch(lab, "client", "client0", timing.window)
                                          : watch(lab, "server", "server0", timing.window);
    expect_success(sender);
    sleep_unless_stopped(who.lag());
    const auto tally = finish(forwarder, who);
    return {rate, calls_per_million(tally.calls, tally.sent)};
}

}  // namespace

bench_result run_once(const bench_lab& lab, const contender& who, const bench_case& what,
                      const bench_timing& timing) {
    const auto result = what.job == bench_job::rx   ? run_rx(lab, who, what, timing)
                        : what.job == bench_job::tx ? run_tx(lab, who, what, timing)
                                                    : run_forward(lab, who, what, timing);
    if (result.packets_per_second == 0)
        throw command_failure(who.name() + " moved no packet in '" +
                                  std::string(to_string(what.job)) + "', " + what.mode + " XDP",
                              "run it by hand in a lab: skein lab up");
    return result;
}

}  // namespace skein::tool
