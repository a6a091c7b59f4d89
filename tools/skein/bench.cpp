// SPDX-License-Identifier: Apache-2.0
// skein bench: how fast it is here, beside a peer where one is given.
#include <unistd.h>

#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench_report.hpp"
#include "command.hpp"
#include "help.hpp"
#include "standard_output.hpp"
#include "stop_signal.hpp"

namespace skein::tool {

namespace {

constexpr std::array bench_examples = std::to_array<example>({
    {"skein bench io --job rx --size 64 --rounds 3 --seconds 1", "a first look"},
});

constexpr std::array io_examples = std::to_array<example>({
    {"skein bench io --job rx --size 64 --rounds 3 --seconds 1", "a first look"},
    {"skein bench io --job tx --mode generic --size 1500 --rounds 1 --seconds 1 --json",
     "one case, for a program"},
});

struct io_options {
    std::vector<std::string> jobs = {"rx", "tx", "forward"};
    std::vector<std::string> modes = {"native", "generic"};
    std::vector<std::uint32_t> sizes = {64, 1500};
    std::uint32_t rounds = 11;
    std::uint32_t seconds = 3;
    std::string peer;
    std::string wait = "spin";
};

bench_job job_of(const std::string& name) {
    if (name == "rx") return bench_job::rx;
    return name == "tx" ? bench_job::tx : bench_job::forward;
}

std::vector<bench_case> cases_of(const io_options& options) {
    std::vector<bench_case> all;
    for (const auto& job : options.jobs) {
        for (const auto& mode : options.modes) {
            for (const auto size : options.sizes)
                all.push_back({job_of(job), mode, size});
        }
    }
    return all;
}

// On a terminal, a line that is written over: how far a case has come.
class round_line {
  public:
    round_line(const bench_case& what, std::uint32_t rounds)
        : text_(fmt::format("{} {} {} bytes", to_string(what.job), what.mode, what.size_bytes)),
          rounds_(rounds) {
        show(0);
    }
    round_line(const round_line&) = delete;
    round_line& operator=(const round_line&) = delete;
    ~round_line() {
        if (enabled_) print_error("\r\x1b[K");
    }

    void show(std::uint32_t done) const {
        if (enabled_) print_error(fmt::format("\r{}: {} of {} rounds\x1b[K", text_, done, rounds_));
    }

  private:
    std::string text_;
    std::uint32_t rounds_;
    bool enabled_ = ::isatty(STDERR_FILENO) != 0;
};

bench_finding measure(const bench_lab& lab, const contender& own, const contender* peer,
                      const bench_case& what, const io_options& options) {
    const bench_timing timing{.window = std::chrono::seconds{options.seconds}};
    const round_line line(what, options.rounds);
    return {what, run_series(lab, own, peer, what, timing, options.rounds,
                             [&](std::uint32_t done) { line.show(done); })};
}

int run_io(const io_options& options, bool json) {
    const auto own = make_skein(options.wait);
    const auto peer = options.peer.empty() ? nullptr : make_peer(options.peer);
    const auto peer_name = peer ? peer->name() : std::string{};
    const stop_signal stop;
    const bench_lab lab;
    if (choose_cpus().sender == choose_cpus().measured)
        print_error("skein: only one CPU: sender and receiver take turns on it\n");
    std::vector<bench_finding> findings;
    if (!json) print_out(bench_heading(peer_name));
    for (const auto& what : cases_of(options)) {
        findings.push_back(measure(lab, *own, peer.get(), what, options));
        if (!json) print_out(as_row(findings.back(), peer != nullptr));
    }
    if (json) print_out(as_json(findings, peer_name, options.seconds).dump() + "\n");
    return 0;
}

void declare_cases(CLI::App& app, io_options& options) {
    app.add_option("--job", options.jobs, "rx (drop), tx, forward; several: repeat it")
        ->type_name("JOB")
        ->check(CLI::IsMember({"rx", "tx", "forward"}))
        ->default_str("all three");
    app.add_option("--mode", options.modes, "XDP native or generic; several: repeat it")
        ->type_name("MODE")
        ->check(CLI::IsMember({"native", "generic"}))
        ->default_str("both");
    app.add_option("--size", options.sizes,
                   "of a packet, without FCS, 60 to 1514 bytes; several: repeat it")
        ->type_name("BYTES")
        ->check(whole_number(60, 1514))
        ->default_str("64 and 1500");
}

void declare_runs(CLI::App& app, io_options& options) {
    app.add_option("--rounds", options.rounds, "runs of each case (with a peer: pairs), 1 to 1000")
        ->type_name("COUNT")
        ->check(whole_number(1, 1000))
        ->capture_default_str();
    app.add_option("--seconds", options.seconds, "how long packets are counted in a run, 1 to 60")
        ->type_name("SECONDS")
        ->check(whole_number(1, 60))
        ->capture_default_str();
    app.add_option("--peer", options.peer, "run another program beside it: xdpsock=PATH")
        ->type_name("KIND=PATH")
        ->default_str("none");
    app.add_option("--wait", options.wait, "what skein does while nothing arrives")
        ->type_name("HOW")
        ->check(CLI::IsMember({"spin", "adaptive", "poll", "busy"}))
        ->capture_default_str();
}

void add_io(CLI::App& bench, invocation& chosen) {
    auto options = std::make_shared<io_options>();
    CLI::App* app = bench.add_subcommand(
        "io",
        "packets a second through a veth device: received, sent, forwarded\n\n"
        "Medians over alternating rounds, in network namespaces of its own. ratio: skein / peer,\n"
        "round by round. forward: skein bridges to a second device, xdpsock sends back where the\n"
        "packets came from; either way a packet is received once and sent once. calls/1e6: system\n"
        "calls for a million packets, of skein those that send: with --wait spin there are no "
        "others.");
    declare_cases(*app, *options);
    declare_runs(*app, *options);
    app->add_flag("--json", chosen.json, "print JSON on stdout, everything else on stderr");
    add_examples(*app, io_examples);
    app->callback([options, &chosen] {
        chosen.run = [options, &chosen] { return run_io(*options, chosen.json); };
    });
}

}  // namespace

void add_bench_command(CLI::App& app, invocation& chosen) {
    CLI::App* bench = app.add_subcommand("bench", "Measure, beside a peer where one is given");
    bench->require_subcommand(1);
    add_examples(*bench, bench_examples);
    add_io(*bench, chosen);
}

}  // namespace skein::tool
