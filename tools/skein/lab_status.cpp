// SPDX-License-Identifier: Apache-2.0
#include "lab_status.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "lab_plan.hpp"
#include "lab_process.hpp"

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

struct offload {
    const char* feature;  // ethtool's long name
    const char* name;     // its short one
};

// What decides whether frames arrive as they would on a wire.
constexpr std::array<offload, 6> watched_offloads = {{{"tx-checksumming", "tx"},
                                                      {"tx-tcp-segmentation", "tso"},
                                                      {"generic-segmentation-offload", "gso"},
                                                      {"generic-receive-offload", "gro"},
                                                      {"tx-vlan-offload", "txvlan"},
                                                      {"rx-vlan-offload", "rxvlan"}}};

json parsed_output(const std::vector<std::string>& argv) {
    json parsed = json::parse(run_or_fail(argv), nullptr, false);
    if (!parsed.is_array())
        throw command_failure("'" + argv.front() + "' printed something else than JSON",
                              "this needs iproute2 5.0 and ethtool 5.7 or later");
    return parsed;
}

// IFLA_XDP_ATTACHED, Linux 6.12 include/uapi/linux/if_link.h.
const char* mode_name(int mode) {
    switch (mode) {
        case 1:
            return "native";
        case 2:
            return "generic";
        case 3:
            return "offloaded";
        default:
            return "unknown";
    }
}

std::vector<attached_program> programs_of(const json& link) {
    std::vector<attached_program> programs;
    const json attached = link.value(json::json_pointer("/xdp/attached"), json::array());
    for (const json& each : attached)
        programs.push_back({mode_name(each.value("mode", 0)),
                            each.value(json::json_pointer("/prog/id"), std::uint32_t{0})});
    return programs;
}

std::vector<std::string> addresses_of(const json& link) {
    std::vector<std::string> addresses;
    for (const json& each : link.value("addr_info", json::array())) {
        if (each.value("scope", "") == "link") continue;
        addresses.push_back(
            fmt::format("{}/{}", each.value("local", ""), each.value("prefixlen", 0)));
    }
    return addresses;
}

std::vector<std::string> offloads_of(const std::string& space, const std::string& device) {
    const json listed =
        parsed_output({"ip", "netns", "exec", space, "ethtool", "--json", "-k", device});
    std::vector<std::string> on;
    for (const json& features : listed) {
        for (const auto& [feature, name] : watched_offloads) {
            if (features.value(feature, json::object()).value("active", false))
                on.emplace_back(name);
        }
    }
    return on;
}

bool has_carrier(const json& link) {
    const json flags = link.value("flags", json::array());
    return std::find(flags.begin(), flags.end(), "LOWER_UP") != flags.end();
}

device_status read_device(const std::string& space, const json& link) {
    device_status device;
    device.name = link.value("ifname", "");
    device.mtu = link.value("mtu", 0U);
    device.rx_queues = link.value("num_rx_queues", 0U);
    device.tx_queues = link.value("num_tx_queues", 0U);
    device.carrier = has_carrier(link);
    device.addresses = addresses_of(link);
    device.offloads = offloads_of(space, device.name);
    device.programs = programs_of(link);
    device.limits = read_size_limits(space, device.name);
    return device;
}

namespace_status read_namespace(const std::string& space) {
    namespace_status status{space, {}, inhabitants(space)};
    for (const json& link : parsed_output({"ip", "-n", space, "-json", "-details", "address"})) {
        if (link.value("link_type", "") != "loopback")
            status.devices.push_back(read_device(space, link));
    }
    return status;
}

json device_json(const device_status& device) {
    json programs = json::array();
    for (const auto& [mode, id] : device.programs)
        programs.push_back({{"mode", mode}, {"id", id}});
    return {{"name", device.name},
            {"mtu", device.mtu},
            {"queues", {{"rx", device.rx_queues}, {"tx", device.tx_queues}}},
            {"carrier", device.carrier},
            {"addresses", device.addresses},
            {"offloads", device.offloads},
            {"size_limits",
             {{"gso", device.limits.gso},
              {"gro", device.limits.gro},
              {"gso_ipv4", device.limits.gso_ipv4},
              {"gro_ipv4", device.limits.gro_ipv4}}},
            {"xdp", programs}};
}

json namespace_json(const namespace_status& space) {
    json devices = json::array();
    for (const device_status& device : space.devices)
        devices.push_back(device_json(device));
    json processes = json::array();
    for (const inhabitant& each : space.processes)
        processes.push_back({{"pid", each.pid}, {"name", each.name}});
    return {{"name", space.name}, {"devices", devices}, {"processes", processes}};
}

std::string joined(const std::vector<std::string>& words) {
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, " "));
}

std::string device_text(const device_status& device) {
    std::string text =
        fmt::format("  {:<8} mtu {}, {} rx and {} tx queues, carrier {}\n", device.name, device.mtu,
                    device.rx_queues, device.tx_queues, device.carrier ? "yes" : "no");
    text += fmt::format("           addresses {}; offloads on: {}\n", joined(device.addresses),
                        joined(device.offloads));
    if (device.limits.gso > 65536 || device.limits.gro > 65536)
        text +=
            fmt::format("           gso {}, gro {}; IPv4 gso {}, gro {} bytes\n", device.limits.gso,
                        device.limits.gro, device.limits.gso_ipv4, device.limits.gro_ipv4);
    for (const auto& [mode, id] : device.programs)
        text += fmt::format("           XDP program {} ({})\n", id, mode);
    return text;
}

}  // namespace

std::vector<namespace_status> read_lab_status() {
    std::vector<namespace_status> lab;
    for (const std::string& space : lab_namespaces())
        lab.push_back(read_namespace(space));
    return lab;
}

nlohmann::ordered_json as_json(const std::vector<namespace_status>& lab) {
    json namespaces = json::array();
    for (const namespace_status& space : lab)
        namespaces.push_back(namespace_json(space));
    return {{"up", lab.size() == lab_names.size()}, {"namespaces", namespaces}};
}

std::string as_text(const std::vector<namespace_status>& lab) {
    if (lab.empty()) return "no lab is up; make one: skein lab up\n";
    std::string text;
    for (const namespace_status& space : lab) {
        text += space.name + "\n";
        for (const device_status& device : space.devices)
            text += device_text(device);
        for (const inhabitant& each : space.processes)
            text += fmt::format("  process  {} ({})\n", each.pid, each.name);
    }
    if (lab.size() < lab_names.size())
        text += "a part of the lab is missing; start afresh: skein lab down && skein lab up\n";
    return text;
}

}  // namespace skein::tool
