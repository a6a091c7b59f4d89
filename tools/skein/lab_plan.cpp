// SPDX-License-Identifier: Apache-2.0
#include "lab_plan.hpp"

#include "command.hpp"

namespace skein::tool {

namespace {

using words = std::vector<std::string>;

struct host {
    lab_end end;
    std::string_view ipv4;
    std::string_view ipv6;
};

constexpr std::array<host, 2> hosts = {
    {{lab_ends[0], "10.77.0.1/24", "fd77::1/64"}, {lab_ends[3], "10.77.0.2/24", "fd77::2/64"}}};

void check_range(std::string_view option, std::uint32_t value, std::uint32_t lowest,
                 std::uint32_t highest) {
    if (value >= lowest && value <= highest) return;
    throw usage_failure(
        std::string(option) + " " + std::to_string(value) + " is out of range",
        "give a number from " + std::to_string(lowest) + " to " + std::to_string(highest));
}

void check(const lab_options& options) {
    check_range("--queues", options.queues, 1, 4096);
    check_range("--mtu", options.mtu, 68, 65535);
    if (options.big_tcp_bytes != 0) check_range("--big-tcp", options.big_tcp_bytes, 65536, 524280);
}

// `ip -n NAMESPACE`, followed by the rest.
run_command ip_in(std::string_view name, const words& rest) {
    words argv = {"ip", "-n", lab_namespace(name)};
    argv.insert(argv.end(), rest.begin(), rest.end());
    return {argv};
}

// Any program inside the namespace.
run_command inside(std::string_view name, const words& command) {
    words argv = {"ip", "netns", "exec", lab_namespace(name)};
    argv.insert(argv.end(), command.begin(), command.end());
    return {argv};
}

words link_settings(const lab_options& options) {
    const std::string queues = std::to_string(options.queues);
    return {"mtu", std::to_string(options.mtu), "numtxqueues", queues, "numrxqueues", queues};
}

run_command make_pair(const lab_options& options, lab_end end, lab_end middle) {
    const words settings = link_settings(options);
    words argv = {"link", "add", std::string(end.device)};
    argv.insert(argv.end(), settings.begin(), settings.end());
    for (const char* word : {"type", "veth", "peer", "name"})
        argv.emplace_back(word);
    argv.emplace_back(middle.device);
    argv.emplace_back("netns");
    argv.push_back(lab_namespace(middle.name));
    argv.insert(argv.end(), settings.begin(), settings.end());
    return ip_in(end.name, argv);
}

// Hosts send nothing unasked and use their addresses at once; middle ends have no IPv6 at all.
run_command quiet_ipv6(lab_end end) {
    const std::string key = "net.ipv6.conf." + std::string(end.device) + ".";
    if (end.name == "middle") return inside(end.name, {"sysctl", "-qw", key + "disable_ipv6=1"});
    return inside(end.name, {"sysctl", "-qw", key + "accept_ra=0", key + "autoconf=0",
                             key + "router_solicitations=0", key + "accept_dad=0"});
}

run_command plain_frames(lab_end end) {
    words argv = {"ethtool", "-K", std::string(end.device)};
    if (end.name != "middle") argv.insert(argv.end(), {"tx", "off"});
    argv.insert(argv.end(), {"txvlan", "off", "rxvlan", "off"});
    return inside(end.name, argv);
}

void add_links(std::vector<lab_step>& plan, const lab_options& options) {
    plan.emplace_back(make_pair(options, lab_ends[0], lab_ends[1]));
    plan.emplace_back(make_pair(options, lab_ends[3], lab_ends[2]));
    for (const lab_end& end : lab_ends) {
        if (lab_has_ipv6(options)) plan.emplace_back(quiet_ipv6(end));
        plan.emplace_back(plain_frames(end));
    }
}

void add_addresses(std::vector<lab_step>& plan, bool ipv6) {
    for (const auto& [end, address, address6] : hosts) {
        const std::string device(end.device);
        plan.emplace_back(ip_in(end.name, {"address", "add", std::string(address), "dev", device}));
        if (!ipv6) continue;
        plan.emplace_back(
            ip_in(end.name, {"address", "add", std::string(address6), "dev", device, "nodad"}));
    }
}

words argv_of(const make_namespace& step) {
    return {"ip", "netns", "add", step.name};
}

words argv_of(const run_command& step) {
    return step.argv;
}

words argv_of(const limit_sizes& step) {
    words argv = {"ip", "-n", step.space, "link", "set", "dev", step.device};
    for (const char* knob :
         {"gso_max_size", "gro_max_size", "gso_ipv4_max_size", "gro_ipv4_max_size"}) {
        argv.emplace_back(knob);
        argv.push_back(std::to_string(step.bytes));
    }
    return argv;
}

}  // namespace

std::string lab_namespace(std::string_view name) {
    return "skein-" + std::string(name);
}

bool lab_has_ipv6(const lab_options& options) {
    return options.ipv6 && options.mtu >= 1280;
}

std::vector<lab_step> plan_lab(const lab_options& options) {
    check(options);
    std::vector<lab_step> plan;
    for (std::string_view name : lab_names)
        plan.emplace_back(make_namespace{lab_namespace(name)});
    add_links(plan, options);
    if (options.big_tcp_bytes != 0) {
        for (const host& each : hosts)
            plan.emplace_back(limit_sizes{lab_namespace(each.end.name),
                                          std::string(each.end.device), options.big_tcp_bytes});
    }
    add_addresses(plan, lab_has_ipv6(options));
    for (std::string_view name : lab_names)
        plan.emplace_back(ip_in(name, {"link", "set", "lo", "up"}));
    for (const lab_end& end : lab_ends)
        plan.emplace_back(ip_in(end.name, {"link", "set", std::string(end.device), "up"}));
    return plan;
}

std::vector<std::string> as_argv(const lab_step& step) {
    return std::visit([](const auto& each) { return argv_of(each); }, step);
}

std::string as_text(const lab_step& step) {
    std::string text;
    for (const std::string& word : as_argv(step))
        text += (text.empty() ? "" : " ") + word;
    return text;
}

}  // namespace skein::tool
