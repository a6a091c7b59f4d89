// SPDX-License-Identifier: Apache-2.0
// skein doctor: what this machine and a device can do, what will bite, and what helps.
#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <skein/xsk/interface.hpp>

#include "command.hpp"
#include "doctor.hpp"
#include "doctor_watch.hpp"
#include "help.hpp"
#include "lab_namespace.hpp"
#include "standard_output.hpp"

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

constexpr std::array examples = std::to_array<example>({
    {"skein doctor", "the machine, and a line for each device"},
    {"skein doctor lo", "one device: what it can do, how it would be opened, what will bite"},
    {"skein doctor lo --json", "the same, for a program"},
    {"skein doctor lo --caps tx_no_linear=on", "what would follow from another capability"},
    {"skein doctor lo --watch 2", "why no packets arrive: where do they go?"},
    {"skein doctor --drivers", "what is known of drivers, and where it was read"},
    {"skein doctor --clean", "remove programs that dead skein processes left behind"},
});

struct doctor_options {
    std::string interface;
    std::string space;
    std::string caps;
    bool drivers = false;
    bool clean = false;
    std::uint32_t watch_seconds = 0;
    std::uint32_t queue = 0;
    bool in_json = false;
};

void print_json(const json& value) {
    print_out(value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

caps_overrides overrides_of(const doctor_options& options) {
    if (options.caps.empty()) return {};
    try {
        return parse_caps(options.caps);
    } catch (const caps_error& wrong) {
        throw usage_failure(wrong.what(), wrong.remedy());
    }
}

device_report examine(const std::string& interface, const caps_overrides& overrides) {
    device_report report{xsk::discover(interface, overrides), {}, {}};
    report.programs = xsk::attached_programs(interface);
    report.peer = find_peer(report.device);
    return report;
}

int show_drivers(bool in_json) {
    if (in_json)
        print_json(drivers_json());
    else
        print_out(drivers_text());
    return 0;
}

int show_all(const doctor_options& options) {
    const machine_facts machine = inspect_machine();
    json devices = json::array();
    std::string lines;
    for (const std::string& name : device_names()) {
        const device_report report{xsk::discover(name), xsk::attached_programs(name), {}};
        devices.push_back({{"interface", name},
                           {"driver", report.device.driver},
                           {"up", report.device.up},
                           {"xdp_native", report.device.caps.values.xdp_native},
                           {"zero_copy", report.device.caps.values.zero_copy}});
        lines += as_line(report);
    }
    if (options.in_json) {
        json all = as_json(machine);
        all["interfaces"] = devices;
        print_json(all);
    } else {
        print_out(as_text(machine) + "\n" + lines + "\n" + as_text(problems_of(machine)) +
                  "more of one: skein doctor IFACE\n");
    }
    return 0;
}

int show_device(const doctor_options& options, const caps_overrides& overrides) {
    const machine_facts machine = inspect_machine();
    const device_report report = examine(options.interface, overrides);
    if (options.in_json)
        print_json(as_json(report, machine));
    else
        print_out(as_text(report, machine));
    return 0;
}

int watch_device(const doctor_options& options, const caps_overrides& overrides) {
    const device_report report = examine(options.interface, overrides);
    if (options.queue >= report.device.caps.values.queues)
        throw usage_failure(fmt::format("{} has no queue {}", options.interface, options.queue),
                            fmt::format("choose 0 to {}", report.device.caps.values.queues - 1));
    const auto result = watch(options.interface, options.queue, options.watch_seconds);
    const auto findings = findings_of(result, options.interface);
    if (options.in_json) {
        json all = as_json(report, inspect_machine());
        all["watch"] = as_json(result);
        for (const problem& each : findings) {
            all["watch"]["finding"] = each.what;
            if (!each.remedy.empty())
                all["problems"].push_back({{"what", each.what}, {"remedy", each.remedy}});
        }
        print_json(all);
        return 0;
    }
    for (const problem& each : findings) {
        print_out(each.what + "\n");
        if (!each.remedy.empty()) print_out(fmt::format("  remedy: {}\n", each.remedy));
    }
    return 0;
}

int clean(const doctor_options& options) {
    json removed = json::array();
    std::string text;
    const auto devices =
        options.interface.empty() ? device_names() : std::vector<std::string>{options.interface};
    for (const std::string& device : devices) {
        for (const auto& program : xsk::remove_leftovers(device)) {
            removed.push_back({{"interface", device},
                               {"id", program.id},
                               {"name", program.name},
                               {"process", program.process_id}});
            text += fmt::format("removed {} from {}, left behind by skein process {}\n",
                                to_string(program), device, program.process_id);
        }
    }
    if (options.in_json)
        print_json({{"removed", removed}});
    else
        print_out(text.empty() ? "nothing to remove\n" : text);
    return 0;
}

// "blue/eth0" is a device of the namespace blue, as the live commands have it.
doctor_options with_namespace(doctor_options options) {
    const auto device = xsk::parse_device_name(options.interface);
    if (device.network_namespace.empty()) return options;
    if (!options.space.empty())
        throw usage_failure("the namespace is given twice", "leave out --netns");
    options.interface = device.interface;
    options.space = device.network_namespace;
    return options;
}

int run(const doctor_options& given) {
    const doctor_options options = with_namespace(given);
    if (options.drivers) return show_drivers(options.in_json);
    const caps_overrides overrides = overrides_of(options);
    if (options.watch_seconds != 0 && options.interface.empty())
        throw usage_failure("--watch needs an interface", "skein doctor IFACE --watch 5");
    if (!options.space.empty()) move_into(options.space);
    if (!options.interface.empty()) require_device(options.interface);
    if (options.clean) return clean(options);
    if (options.interface.empty()) return show_all(options);
    return options.watch_seconds == 0 ? show_device(options, overrides)
                                      : watch_device(options, overrides);
}

void declare(CLI::App& command, doctor_options& options) {
    command.add_option("IFACE", options.interface,
                       "interface to look at, NETNS/IFACE in another network namespace; without: "
                       "all, in brief");
    command
        .add_option("--netns", options.space,
                    "network namespace to look into: a name under /run/netns, or a path")
        ->type_name("NAME|PATH")
        ->default_str("this one");
    auto* drivers = command.add_flag("--drivers", options.drivers,
                                     "print the table of drivers, each row with its source");
    auto* seconds = command
                        .add_option("--watch", options.watch_seconds,
                                    "look for so long where packets go, 1 to 3600 seconds")
                        ->type_name("SECONDS")
                        ->check(whole_number(1, 3600));
    command
        .add_option("--queue", options.queue, "with --watch: the queue your program is bound to")
        ->type_name("N")
        ->check(whole_number(0, 65535))
        ->capture_default_str()
        ->needs(seconds);
    auto* clean_up = command.add_flag(
        "--clean", options.clean, "remove programs of skein whose process is dead, and no more");
    clean_up->excludes(seconds)->excludes(drivers);
    drivers->excludes(seconds);
    command
        .add_option("--caps", options.caps,
                    "capabilities to take for true: driver=NAME[:VARIANT],KEY=VALUE,...")
        ->type_name("LIST");
    command.add_flag("--json", options.in_json, "print JSON on stdout, everything else on stderr");
}

}  // namespace

void add_doctor_command(CLI::App& app, invocation& chosen) {
    auto* command =
        app.add_subcommand("doctor", "Tell what a device can do, what will bite, and what helps");
    auto options = std::make_shared<doctor_options>();
    declare(*command, *options);
    add_examples(*command, examples);
    command->callback([=, &chosen] {
        chosen.json = options->in_json;
        chosen.run = [=] { return run(*options); };
    });
}

}  // namespace skein::tool
