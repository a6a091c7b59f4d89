// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <skein/driver_table.hpp>

#include "doctor.hpp"

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

json value_json(const caps_report& caps, capability which) {
    const auto value = value_of(caps.values, which);
    if (kind_of(which) == caps_kind::flag) return value != 0;
    return value;
}

json caps_json(const caps_report& caps) {
    json all = json::object();
    for (std::size_t i = 0; i < capability_count; ++i) {
        const auto which = static_cast<capability>(i);
        json& one = all[std::string(to_string(which))];
        one = {{"value", value_json(caps, which)}, {"source", to_string(caps.source_of(which))}};
        if (kind_of(which) != caps_kind::bits) continue;
        one["names"] = json::array();
        const auto names = bit_names(which);
        for (std::size_t bit = 0; bit < names.size(); ++bit)
            if ((value_of(caps.values, which) >> bit & 1) != 0) one["names"].push_back(names[bit]);
    }
    return all;
}

json problems_json(const std::vector<problem>& problems) {
    json all = json::array();
    for (const problem& each : problems)
        all.push_back({{"what", each.what}, {"remedy", each.remedy}});
    return all;
}

json plan_json(const xsk::discovered_device& device) {
    json all = json::array();
    for (const planned_bind& step : plan_bind(device))
        all.push_back({{"flags", step.flags},
                       {"text", step.text},
                       {"expected", step.expected},
                       {"why", step.why}});
    return all;
}

const char* owner_name(xsk::program_owner owner) {
    switch (owner) {
        case xsk::program_owner::ours_alive:
            return "skein";
        case xsk::program_owner::ours_dead:
            return "leftover";
        case xsk::program_owner::foreign:
            return "foreign";
        case xsk::program_owner::unknown:
            break;
    }
    return "unknown";
}

json programs_json(const std::vector<xsk::attached_program>& programs) {
    json all = json::array();
    for (const xsk::attached_program& each : programs)
        all.push_back({{"id", each.id},
                       {"name", each.name},
                       {"mode", each.offloaded ? "offloaded" : to_string(each.mode)},
                       {"owner", owner_name(each.owner)},
                       {"process", each.process_id}});
    return all;
}

json offloads_json(const xsk::discovered_device& device) {
    json all = json::object();
    for (const auto& each : device.offloads)
        all[each.name] = each.on;
    return all;
}

json probed_json(const xsk::discovered_device& device) {
    json all = json::object();
    for (const auto& [name, value] : device.probed)
        all[name] = value;
    return all;
}

json peer_json(const peer_facts& peer) {
    if (!peer.hidden.empty()) return {{"hidden", peer.hidden}};
    return {{"name", peer.name},      {"namespace", peer.space},
            {"mtu", peer.mtu},        {"tx_queues", peer.tx_queues},
            {"up", peer.up},          {"tx_checksum", peer.tx_checksum},
            {"tx_vlan", peer.tx_vlan}};
}

json machine_json(const machine_facts& machine) {
    return {{"architecture", machine.architecture},
            {"capabilities", machine.capabilities},
            {"memlock_bytes", machine.memlock_bytes},
            {"huge_pages", machine.huge_pages},
            {"huge_pages_free", machine.huge_pages_free},
            {"btf", machine.btf},
            {"bpffs", machine.bpffs},
            {"xdp_sockets", machine.xdp_sockets},
            {"congestion_control", machine.congestion_control},
            {"wmem_max_bytes", machine.wmem_max_bytes}};
}

template <class Value>
void put_if(json& row, const char* name, const std::optional<Value>& value) {
    if (value) row[name] = *value;
}

}  // namespace

json as_json(const device_report& report, const machine_facts& machine) {
    const auto& device = report.device;
    auto problems = problems_of(machine);
    const auto more = problems_of(report, machine);
    problems.insert(problems.end(), more.begin(), more.end());
    json all = {{"interface", device.interface},
                {"driver", device.driver},
                {"kernel", device.kernel},
                {"up", device.up},
                {"carrier", device.carrier},
                {"device_caps", caps_json(device.caps)},
                {"bind_plan", plan_json(device)},
                {"programs", programs_json(report.programs)},
                {"offloads", offloads_json(device)},
                {"probed", probed_json(device)},
                {"machine", machine_json(machine)},
                {"notes", device.notes},
                {"problems", problems_json(problems)}};
    if (const auto& rings = device.rings)
        all["rings"] = {{"rx", rings->rx},
                        {"tx", rings->tx},
                        {"rx_most", rings->rx_most},
                        {"tx_most", rings->tx_most}};
    if (const auto& channels = device.channels)
        all["channels"] = {
            {"rx", channels->rx}, {"tx", channels->tx}, {"combined", channels->combined}};
    if (report.peer) all["peer"] = peer_json(*report.peer);
    return all;
}

json as_json(const machine_facts& machine) {
    json all = {{"kernel", machine.kernel}, {"machine", machine_json(machine)}};
    all["problems"] = problems_json(problems_of(machine));
    return all;
}

json drivers_json() {
    json all = json::array();
    for (const driver_row& row : driver_table()) {
        json one = {{"driver", row.driver}, {"variant", row.variant}};
        put_if(one, "tx_no_linear", row.tx_no_linear);
        put_if(one, "min_head_bytes", row.min_head_bytes);
        put_if(one, "min_frame_bytes", row.min_frame_bytes);
        put_if(one, "xdp_native", row.xdp_native);
        put_if(one, "zero_copy", row.zero_copy);
        if (row.zero_copy.value_or(false))
            one["zero_copy_since"] = std::to_string(row.zero_copy_since.major) + "." +
                                     std::to_string(row.zero_copy_since.minor);
        put_if(one, "zc_max_segments", row.zc_max_segments);
        if (row.native_mtu != 0) one["native_mtu"] = row.native_mtu;
        one["source"] = row.source;
        all.push_back(std::move(one));
    }
    return {{"drivers", all}};
}

}  // namespace skein::tool
