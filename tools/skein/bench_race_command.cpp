// SPDX-License-Identifier: Apache-2.0
#include "bench_race_command.hpp"

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench_race_report.hpp"
#include "standard_output.hpp"

namespace skein::tool {

namespace {

struct race_options {
    std::uint32_t rounds = 21;
    std::uint32_t turn_us = 2000;
    std::vector<std::string> peers;
};

int run(const race_bench& what, const race_options& options, bool json) {
    const auto peers = load_peers(options.peers, what.peers);
    const race_timing timing{options.rounds, std::chrono::microseconds{options.turn_us}};
    if (!stay_on_one_cpu()) print_error("skein: cannot stay on one CPU: expect more spread\n");
    std::vector<race_finding> findings;
    if (!json) print_out(race_heading(what.item));
    what.races(peers, [&](const race& next) {
        findings.push_back(run_race(next, timing));
        if (!json) print_out(as_rows(findings.back()));
    });
    if (json) print_out(as_json(findings, what.item, timing).dump() + "\n");
    return 0;
}

void declare(CLI::App& app, const race_bench& what, race_options& options) {
    app.add_option("--rounds", options.rounds, "turns of each contestant, 1 to 10000")
        ->type_name("COUNT")
        ->check(whole_number(1, 10000))
        ->capture_default_str();
    app.add_option("--turn", options.turn_us, "how long a turn is, 10 to 1000000 microseconds")
        ->type_name("USEC")
        ->check(whole_number(10, 1000000))
        ->capture_default_str();
    if (what.peers.empty()) return;
    app.add_option("--peer", options.peers,
                   fmt::format("load a library and measure it beside skein: {}=PATH; repeatable",
                               fmt::join(what.peers, "=PATH or ")))
        ->type_name("KIND=PATH")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->default_str("none");
}

}  // namespace

CLI::App* add_race_bench(CLI::App& bench, invocation& chosen, race_bench what) {
    auto options = std::make_shared<race_options>();
    CLI::App* app = bench.add_subcommand(
        what.name, what.purpose +
                       "\n\nContestants take turns in one process. The first is skein as it is "
                       "used; a\nratio is another's cost over its cost, round by round.");
    declare(*app, what, *options);
    app->add_flag("--json", chosen.json, "print JSON on stdout, everything else on stderr");
    add_examples(*app, what.examples);
    app->callback([options, &chosen, what = std::move(what)] {
        chosen.run = [options, &chosen, what] { return run(what, *options, chosen.json); };
    });
    return app;
}

}  // namespace skein::tool
