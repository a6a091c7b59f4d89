// SPDX-License-Identifier: Apache-2.0
#include "live_options.hpp"

#include <sched.h>

#include <algorithm>
#include <limits>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <skein/xsk/interface.hpp>
#include <skein/xsk/rules.hpp>

#include "command.hpp"
#include "help.hpp"

namespace skein::tool {

namespace {

// "all" or a queue number.
std::string check_queue(const std::string& text) {
    const bool digits = !text.empty() && text.size() <= 5 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    return digits || text == "all" ? std::string{} : "a queue number or `all`, not `" + text + "`";
}

std::string check_power_of_two(const std::string& text) {
    std::uint32_t value = 0;
    if (!CLI::detail::lexical_cast(text, value) || value < 2 || value > (1u << 20) ||
        (value & (value - 1)) != 0) {
        return "a power of two from 2 to 1048576, not `" + text + "`";
    }
    return {};
}

// A CPU that this process may run on.
std::string check_cpu(const std::string& text) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    unsigned cpu = 0;
    if (!CLI::detail::lexical_cast(text, cpu)) return text + " is not the number of a CPU";
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
    if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed)) return {};
    return "this process may not run on CPU " + text + " (`taskset -p $$` shows on which)";
}

// Which sizes there are depends on another option.
void check_chunk(const live_options& options) {
    const auto chunk = options.chunk_bytes;
    const bool in_range =
        chunk >= frame_area::min_chunk_bytes && chunk <= frame_area::max_chunk_bytes;
    if (options.unaligned ? in_range : chunk == 2048 || chunk == 4096) return;
    throw CLI::ValidationError(
        "--chunk", options.unaligned ? fmt::format("{} not in [2048,4096]", chunk)
                                     : fmt::format("{} not in {{2048,4096}}{}", chunk,
                                                   in_range ? " without --unaligned" : ""));
}

void add_port_options(CLI::App& command, live_options& options) {
    command.add_option("--queue", options.queue, "queue to use: a number, or all")
        ->check(check_queue)
        ->type_name("N|all")
        ->capture_default_str();
    command
        .add_option("--mode", options.mode, "XDP mode: native, generic, or auto (best there is)")
        ->check(CLI::IsMember({"native", "generic", "auto"}))
        ->type_name("MODE")
        ->capture_default_str();
    auto* zero_copy =
        command.add_flag("--zc", options.zero_copy, "insist on zero-copy (default: try)");
    command.add_flag("--copy", options.copy, "insist on copy mode (default: only as fallback)")
        ->excludes(zero_copy);
    command.add_option("--frames", options.frames, "UMEM frames a port")
        ->check(whole_number(16, 1u << 22))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--chunk", options.chunk_bytes,
                    "bytes a frame: 2048 or 4096, with --unaligned from 2048 to 4096")
        ->type_name("BYTES")
        ->capture_default_str();
    command.add_flag("--unaligned", options.unaligned,
                     "frames of any size, copy mode only: with --chunk 2304 and the like less of "
                     "each is left unused");
    command.parse_complete_callback([&options] { check_chunk(options); });
    command.add_option("--ring", options.ring_entries, "entries of each ring, a power of two")
        ->check(check_power_of_two)
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--huge", options.huge_pages, "use 2 MiB pages where the system has them");
    command.add_flag("--no-sg", options.no_scatter_gather,
                     "do without scatter-gather: one frame a packet");
}

void add_run_options(CLI::App& command, live_options& options) {
    command
        .add_option("--cpu", options.cpus, "CPUs to run on, one thread each (default: not pinned)")
        ->delimiter(',')
        ->check(check_cpu)
        ->type_name("N,...");
    command.add_option("--wait", options.wait, "when idle: spin, adaptive, poll, or busy (poll)")
        ->check(CLI::IsMember({"spin", "adaptive", "poll", "busy"}))
        ->type_name("HOW")
        ->capture_default_str();
    command.add_option("--duration", options.duration_s, "stop after so many seconds (0: Ctrl-C)")
        ->check(whole_number(0, 1u << 31))
        ->type_name("SECONDS")
        ->capture_default_str();
    command.add_option("--count", options.count, "stop after so many packets (0: no limit)")
        ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--pcap", options.pcap, "also write every packet to this pcapng file")
        ->type_name("FILE");
    command.add_flag("--json", options.json, "write one JSON object a line and second to stdout");
}

// tx takes them, too, and attaches nothing.
void add_attach_options(CLI::App& command, live_options& options, bool receives) {
    const std::string no_effect = receives ? "" : "; tx attaches none";
    command.add_option("--attach", options.attach, "how the XDP program is attached" + no_effect)
        ->check(CLI::IsMember({"link", "dispatcher"}))
        ->type_name("link|dispatcher")
        ->capture_default_str();
    command.add_flag("--replace", options.replace,
                     "take the place of another XDP program" + no_effect);
}

void add_rule_options(CLI::App& command, live_options& options) {
    command
        .add_option("--rule", options.rules, "what to take: e.g. \"take udp dport 53\"; repeatable")
        ->type_name("RULE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1);
    command
        .add_option("--otherwise", options.otherwise,
                    "what to take where no rule matches (default: everything; nothing with --rule)")
        ->check(CLI::IsMember({"everything", "nothing"}))
        ->type_name("WHAT");
}

xsk::default_action otherwise(const live_options& options) {
    if (options.otherwise == "nothing") return xsk::default_action::nothing;
    if (options.otherwise == "everything" || options.rules.empty()) {
        return xsk::default_action::everything;
    }
    return xsk::default_action::nothing;
}

xsk::xdp_mode mode_of(const live_options& options) {
    if (options.mode == "native") return xsk::xdp_mode::native;
    if (options.mode == "generic") return xsk::xdp_mode::generic;
    return xsk::xdp_mode::any;
}

std::vector<xsk::rule> rules_of(const live_options& options) {
    std::vector<xsk::rule> rules;
    for (const auto& text : options.rules) {
        try {
            rules.push_back(xsk::parse_rule(text));
        } catch (const xsk::rule_error& problem) {
            throw usage_failure("--rule \"" + text + "\": " + problem.what(), problem.remedy());
        }
    }
    return rules;
}

}  // namespace

void add_live_options(CLI::App& command, live_options& options, bool receives) {
    add_port_options(command, options);
    add_attach_options(command, options, receives);
    if (receives) add_rule_options(command, options);
    add_run_options(command, options);
    options.stages.add_to(command);
}

std::vector<std::uint32_t> chosen_queues(const live_options& options,
                                         const std::string& interface) {
    if (options.queue != "all") return {static_cast<std::uint32_t>(std::stoul(options.queue))};
    const auto device = xsk::parse_device_name(interface);
    std::vector<std::uint32_t> queues(xsk::queue_count(device.interface, device.network_namespace));
    for (std::uint32_t i = 0; i < queues.size(); ++i)
        queues[i] = i;
    return queues;
}

std::size_t shard_count(const live_options& options, std::size_t queues) {
    const std::size_t cpus = options.cpus.empty()
                                 ? std::max(1u, std::thread::hardware_concurrency())
                                 : options.cpus.size();
    return std::min(cpus, queues);
}

xsk::port_options port_options_for(const live_options& options, const std::string& interface,
                                   std::uint32_t queue) {
    auto device = xsk::parse_device_name(interface);
    xsk::port_options port;
    port.interface = std::move(device.interface);
    port.network_namespace = std::move(device.network_namespace);
    port.queue = queue;
    port.rings = {.fill = options.ring_entries,
                  .rx = options.ring_entries,
                  .tx = options.ring_entries,
                  .completion = options.ring_entries};
    if (options.zero_copy) port.zero_copy = xsk::choice::required;
    if (options.copy) port.zero_copy = xsk::choice::forbidden;
    if (options.no_scatter_gather) port.scatter_gather = xsk::choice::forbidden;
    return port;
}

std::shared_ptr<xsk::redirect_program> attach_program(const live_options& options,
                                                      const std::string& interface) {
    auto device = xsk::parse_device_name(interface);
    return std::make_shared<xsk::redirect_program>(xsk::program_options{
        .interface = std::move(device.interface),
        .network_namespace = std::move(device.network_namespace),
        .mode = mode_of(options),
        .method = options.attach == "dispatcher" ? xsk::attach_method::dispatcher
                                                 : xsk::attach_method::link,
        .replace = options.replace,
        .rules = rules_of(options),
        .otherwise = otherwise(options)});
}

std::shared_ptr<xsk::umem> map_memory(const live_options& options, std::size_t ports) {
    constexpr std::size_t most_ports = 256;  // of one umem
    if (ports > most_ports) {
        throw command_failure(std::to_string(ports) + " ports are too many for one thread",
                              "give more CPUs to --cpu, or choose one queue with --queue");
    }
    const auto frames = std::uint64_t{options.frames} * ports;
    if (frames > std::numeric_limits<std::uint32_t>::max()) {
        throw usage_failure(std::to_string(options.frames) + " frames for each of " +
                                std::to_string(ports) + " ports are too many",
                            "choose fewer --frames");
    }
    return std::make_shared<xsk::umem>(
        xsk::umem_options{.frames = static_cast<std::uint32_t>(frames),
                          .chunk_bytes = options.chunk_bytes,
                          .unaligned = options.unaligned,
                          .huge_pages = options.huge_pages});
}

xsk::wait_options wait_options_for(const live_options& options) {
    xsk::wait_options wait;
    if (options.wait == "spin") wait.strategy = xsk::wait_strategy::spin;
    if (options.wait == "poll") wait.strategy = xsk::wait_strategy::poll;
    if (options.wait == "busy") wait.strategy = xsk::wait_strategy::busy;
    return wait;
}

}  // namespace skein::tool
