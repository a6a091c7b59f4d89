// SPDX-License-Identifier: Apache-2.0
// skein replay: the options, and what is printed.
#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "help.hpp"
#include "replay_run.hpp"
#include "standard_output.hpp"

namespace skein::tool {

namespace {

constexpr std::array examples = std::to_array<example>({
    {"skein replay capture.pcap", "count what is in a capture, and what is malformed"},
    {"skein replay capture.pcap -o copy.pcapng", "send it through the pipeline into another file"},
    {"skein replay capture.pcap --json | jq .parse", "the counters for a program"},
    {"skein replay capture.pcap --chunk 2048 --frames 256 -o copy.pcap",
     "lay the packets into smaller and fewer frames"},
    {"skein replay - -o - < capture.pcap > copy.pcap", "as a filter"},
    {"skein replay --list-reasons", "all names that reports may count by"},
});

// What the command line says.
struct replay_options {
    replay_settings settings;
    stage_options stages;
    bool json = false;
    bool list_reasons = false;
};

void check(const replay_options& options) {
    if (options.settings.in.empty()) {
        throw usage_failure("IN is missing: the capture to replay", "see skein replay --help");
    }
    if (options.json && options.settings.out == "-") {
        throw usage_failure("-o - and --json both want standard output",
                            "give a file name to -o, or leave out --json");
    }
}

std::string line_of(const nlohmann::ordered_json& document) {
    return document.dump() + "\n";
}

void list_reasons(const replay_options& options) {
    auto lists = replay_reasons();
    for (auto& list : options.stages.reasons())
        lists.push_back(std::move(list));
    print_out(options.json ? line_of(to_json(lists)) : to_text(lists));
}

void warn_if_truncated(const replay_report& report, const std::string& in) {
    if (!report.input.truncated) return;
    print_error(
        fmt::format("skein: warning: {} ends inside a record; the {} packets before it were "
                    "processed\n",
                    in == "-" ? "standard input" : in, report.input.packets));
}

int replay(replay_options& options) {
    if (options.list_reasons) {
        list_reasons(options);
        return 0;
    }
    check(options);
    const auto report = replay_run(options.settings, options.stages).run();
    warn_if_truncated(report, options.settings.in);
    auto document = to_json(report);
    options.stages.report(document);
    if (options.json) {
        print_out(line_of(document));
    } else if (options.settings.out == "-") {
        print_error(to_text(document));
    } else {
        print_out(to_text(document));
    }
    return 0;
}

void declare(CLI::App& command, replay_options& options) {
    auto& settings = options.settings;
    command.add_option("IN", settings.in, "capture to read: pcap or pcapng; - is standard input")
        ->type_name("FILE");
    command
        .add_option("-o,--out", settings.out,
                    "where packets go: pcapng if the name ends in .pcapng, else pcap; - is "
                    "standard output")
        ->type_name("FILE")
        ->default_str("nowhere");
    command.add_option("--frames", settings.frames, "frames of memory, 1 to 1048576")
        ->type_name("FRAMES")
        ->check(whole_number(1, 1048576))
        ->capture_default_str();
    command.add_option("--chunk", settings.chunk_bytes, "size of a frame, 2048 or 4096")
        ->type_name("BYTES")
        ->check(CLI::IsMember({2048, 4096}).description(""))
        ->capture_default_str();
    command.add_flag("--json", options.json, "print the counters as one line of JSON");
    command.add_flag("--list-reasons", options.list_reasons,
                     "print every name that may appear where the report counts by reason");
    options.stages.add_to(command);
}

}  // namespace

void add_replay_command(CLI::App& app, invocation& chosen) {
    const auto options = std::make_shared<replay_options>();
    auto& command = *app.add_subcommand(
        "replay",
        "Sends a capture file through the pipeline: same memory layout, no privileges.\n"
        "Link types 0, 1, 12, 14, 101, 108, 113, 228, 229 and 276; time is the capture's.");
    declare(command, *options);
    add_examples(command, examples);
    command.callback([options, &chosen] {
        chosen.json = options->json;
        chosen.run = [options] { return replay(*options); };
    });
}

}  // namespace skein::tool
