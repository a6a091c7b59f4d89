// SPDX-License-Identifier: Apache-2.0
// skein lab: three network namespaces in a row, to try things on a machine without hardware.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "help.hpp"
#include "lab_plan.hpp"
#include "lab_process.hpp"
#include "lab_setup.hpp"
#include "lab_status.hpp"
#include "standard_output.hpp"

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

void require_root() {
    if (::geteuid() == 0) return;
    throw command_failure("skein lab needs root: it makes network namespaces",
                          "run it as root, for instance with sudo");
}

void print_json(const json& value) {
    print_out(value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

struct up_options {
    lab_options lab;
    bool dry_run = false;
};

int print_plan(const std::vector<lab_step>& plan, bool as_json_text) {
    json steps = json::array();
    for (const lab_step& step : plan) {
        if (as_json_text)
            steps.push_back(as_argv(step));
        else
            print_out(as_text(step) + "\n");
    }
    if (as_json_text) print_json({{"steps", steps}});
    return 0;
}

// A kernel that does not know a limit leaves it alone: say so rather than let it pass for set.
void warn_about_limits(const std::vector<namespace_status>& lab, std::uint32_t bytes) {
    for (const namespace_status& space : lab) {
        for (const device_status& device : space.devices) {
            const size_limits& limits = device.limits;
            if (space.name == lab_namespace("middle") || limits.gso_ipv4 == bytes) continue;
            print_error(
                fmt::format("skein: {} in {}: this kernel has no IPv4 size limits (Linux 6.3); "
                            "BIG TCP is on for IPv6 alone\n",
                            device.name, space.name));
        }
    }
}

int up(up_options options, bool as_json_text) {
    options.lab.ipv6 = std::filesystem::exists("/proc/sys/net/ipv6");
    const std::vector<lab_step> plan = plan_lab(options.lab);
    if (options.dry_run) return print_plan(plan, as_json_text);
    require_root();
    require_programs();
    bring_up(plan);
    const std::vector<namespace_status> lab = read_lab_status();
    if (options.lab.big_tcp_bytes != 0) warn_about_limits(lab, options.lab.big_tcp_bytes);
    if (!lab_has_ipv6(options.lab))
        print_error(
            "skein: no IPv6 in this lab: it needs a kernel that has it, and links of 1280 "
            "bytes\n");
    if (as_json_text)
        print_json(as_json(lab));
    else
        print_out(as_text(lab) + "next: skein lab exec middle -- skein forward left right\n");
    return 0;
}

json removal_json(const removal& done) {
    json processes = json::array();
    for (const inhabitant& each : done.still_inside)
        processes.push_back({{"pid", each.pid}, {"name", each.name}, {"namespace", each.space}});
    return {{"removed", done.spaces}, {"processes", processes}};
}

int down(bool as_json_text) {
    require_root();
    require_programs();
    const removal done = take_down();
    for (const inhabitant& each : done.still_inside)
        print_error(fmt::format(
            "skein: process {} ({}) is still inside {}: it was left alone and keeps the namespace "
            "alive, without a name and without the lab's devices\n",
            each.pid, each.name, each.space));
    if (as_json_text)
        print_json(removal_json(done));
    else if (done.spaces.empty())
        print_out("no lab is up: nothing to remove\n");
    else
        print_out(fmt::format("removed {}\n", fmt::join(done.spaces, ", ")));
    return 0;
}

int status(bool as_json_text) {
    require_root();
    require_programs();
    const std::vector<namespace_status> lab = read_lab_status();
    if (as_json_text)
        print_json(as_json(lab));
    else
        print_out(as_text(lab));
    return 0;
}

int exec(const std::string& name, const std::vector<std::string>& command) {
    if (std::find(lab_names.begin(), lab_names.end(), name) == lab_names.end())
        throw usage_failure("the lab has no namespace '" + name + "'",
                            fmt::format("it has {}", fmt::join(lab_names, ", ")));
    if (command.empty())
        throw usage_failure("no command given", "skein lab exec " + name + " -- COMMAND");
    require_root();
    if (!namespace_exists(lab_namespace(name)))
        throw command_failure("no lab is up", "make one: skein lab up");
    exec_inside(lab_namespace(name), command);
}

constexpr std::array lab_examples = std::to_array<example>({
    {"skein lab up", "make it"},
    {"skein lab exec middle -- skein forward left right --duration 10", "join the two sides"},
    {"skein lab down", "remove it"},
});

constexpr std::array up_examples = std::to_array<example>({
    {"skein lab up --dry-run", "see the commands, to paste and change them"},
    {"skein lab up --queues 4 --mtu 9000", "four queues, jumbo frames"},
    {"skein lab up --big-tcp 185000 --json", "BIG TCP aggregates at the ends, for a program"},
});

constexpr std::array down_examples = std::to_array<example>({{"skein lab down", "remove it"}});

constexpr std::array status_examples = std::to_array<example>({
    {"skein lab status", "what stands, and which XDP programs are attached"},
    {"skein lab status --json", "the same, for a program"},
});

constexpr std::array exec_examples = std::to_array<example>({
    {"skein lab exec middle -- skein forward left right --duration 10", "join the two sides"},
    {"skein lab exec client -- ip -brief address", "the exit status is the command's"},
});

constexpr std::string_view drawing =
    "three network namespaces in a row, on veth\n\n"
    "  skein-client         skein-middle         skein-server\n"
    "  client0 ----------- left     right ----------- server0\n"
    "  10.77.0.1/24                              10.77.0.2/24\n"
    "  fd77::1/64                                  fd77::2/64";

constexpr std::string_view all_in_json = "print JSON on stdout, everything else on stderr";
constexpr std::string_view errors_in_json =
    "print JSON where skein itself fails; once CMD runs, stdout is CMD's alone";

CLI::App* add_verb(CLI::App& lab, const std::string& name, const std::string& purpose,
                   invocation& chosen, std::string_view json_help = all_in_json) {
    CLI::App* app = lab.add_subcommand(name, purpose);
    app->add_flag("--json", chosen.json, std::string(json_help));
    return app;
}

void add_up(CLI::App& lab, invocation& chosen) {
    auto options = std::make_shared<up_options>();
    CLI::App* app = add_verb(lab, "up", "make the lab", chosen);
    app->add_option("--queues", options->lab.queues,
                    "receive and transmit queues of each device, 1 to 4096")
        ->type_name("COUNT")
        ->capture_default_str();
    app->add_option("--mtu", options->lab.mtu, "MTU of each device, 68 to 65535 bytes")
        ->type_name("BYTES")
        ->capture_default_str();
    app->add_option("--big-tcp", options->lab.big_tcp_bytes,
                    "largest aggregate at the two ends, 65536 to 524280 bytes")
        ->type_name("BYTES")
        ->default_str("as the kernel has it");
    app->add_flag("--dry-run", options->dry_run, "print the commands instead of running them");
    add_examples(*app, up_examples);
    app->callback([options, &chosen] {
        chosen.run = [options, &chosen] { return up(*options, chosen.json); };
    });
}

void add_down(CLI::App& lab, invocation& chosen) {
    CLI::App* app = add_verb(lab, "down", "remove the lab; safe to repeat", chosen);
    add_examples(*app, down_examples);
    app->callback([&chosen] { chosen.run = [&chosen] { return down(chosen.json); }; });
}

void add_status(CLI::App& lab, invocation& chosen) {
    CLI::App* app = add_verb(lab, "status", "show namespaces, devices, what is attached", chosen);
    add_examples(*app, status_examples);
    app->callback([&chosen] { chosen.run = [&chosen] { return status(chosen.json); }; });
}

// The words of the command are left over by the parser, untouched.
std::vector<std::string> leftover(const CLI::App& app) {
    std::vector<std::string> words = app.remaining();
    if (!words.empty() && words.front() == "--") words.erase(words.begin());
    return words;
}

// CLI11 reads a positional "[a,b]" as two words. So CMD is there for the help and to keep the words
// after -- from being taken for options, but declines each of them.
void declare_command_words(CLI::App* app) {
    auto none = std::make_shared<std::vector<std::string>>();
    app->add_option("CMD", *none, "the command, after --")->check([none](const std::string&) {
        return std::string("left over on purpose");
    });
    app->validate_positionals();
    app->prefix_command();
}

void add_exec(CLI::App& lab, invocation& chosen) {
    auto name = std::make_shared<std::string>();
    CLI::App* app =
        add_verb(lab, "exec", "run a command inside one of the namespaces", chosen, errors_in_json);
    app->add_option("NAME", *name, "client, middle or server")->required();
    declare_command_words(app);
    add_examples(*app, exec_examples);
    app->callback([name, app, &chosen] {
        chosen.run = [name, command = leftover(*app)] { return exec(*name, command); };
    });
}

}  // namespace

void add_lab_command(CLI::App& app, invocation& chosen) {
    CLI::App* lab = app.add_subcommand("lab", std::string(drawing));
    lab->require_subcommand(1);
    add_examples(*lab, lab_examples);
    add_up(*lab, chosen);
    add_down(*lab, chosen);
    add_status(*lab, chosen);
    add_exec(*lab, chosen);
}

}  // namespace skein::tool
