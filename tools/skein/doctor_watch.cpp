// SPDX-License-Identifier: Apache-2.0
#include "doctor_watch.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stop_signal.hpp"

namespace skein::tool {

namespace {

std::uint64_t device_counter(const std::string& interface, const char* name) {
    std::uint64_t value = 0;
    std::ifstream(fmt::format("/sys/class/net/{}/statistics/{}", interface, name)) >> value;
    return value;
}

xsk::verdict_counts less(const xsk::verdict_counts& after, const xsk::verdict_counts& before) {
    xsk::verdict_counts result;
    for (std::size_t i = 0; i < xsk::verdict_reasons; ++i)
        result.packets[i] = after.packets[i] - std::min(after.packets[i], before.packets[i]);
    return result;
}

std::string queue_list(const std::map<std::uint32_t, std::uint64_t>& queues) {
    std::string text;
    for (const auto& [queue, packets] : queues)
        text += fmt::format("{}queue {} got {}", text.empty() ? "" : ", ", queue, packets);
    return text;
}

// Packets by queue, by the better witness of the two.
std::map<std::uint32_t, std::uint64_t> by_queue(const watch_sample& counted) {
    std::map<std::uint32_t, std::uint64_t> queues;
    for (std::uint32_t queue = 0; queue < counted.verdicts.size(); ++queue) {
        const auto& verdicts = counted.verdicts[queue];
        const auto packets = verdicts.taken() + verdicts.passed();
        if (packets != 0) queues[queue] = packets;
    }
    if (!counted.verdicts.empty()) return queues;
    for (const auto& [queue, packets] : counted.queues)
        if (packets != 0) queues[queue] = packets;
    return queues;
}

problem elsewhere(const std::map<std::uint32_t, std::uint64_t>& queues, std::uint32_t queue,
                  const std::string& interface) {
    const auto most = std::max_element(queues.begin(), queues.end(),
                                       [](auto& a, auto& b) { return a.second < b.second; });
    return {
        fmt::format("queue {} got nothing: {}", queue, queue_list(queues)),
        fmt::format("skein rx {} --queue {}, or --queue all; on a NIC ethtool -L {} combined 1, "
                    "or ethtool -X {} equal 1, brings everything to queue 0",
                    interface, most->first, interface, interface)};
}

problem passed_on(const xsk::verdict_counts& verdicts, std::uint32_t queue) {
    using enum xsk::verdict_reason;
    if (verdicts[passed_no_socket] != 0)
        return {
            fmt::format("queue {} got {} packets that were to be taken, but no socket sits there",
                        queue, verdicts[passed_no_socket]),
            fmt::format("bind to queue {}, or --queue all", queue)};
    return {fmt::format("queue {} got {} packets, and the rules left all of them to the kernel",
                        queue, verdicts.passed()),
            "see --rule and --otherwise; a tag or a fragment may hide what a rule names"};
}

}  // namespace

// rx_queue_0_packets, rx_queue_0_xdp_packets (veth, igb, ixgbe), rx0_packets (mlx5, virtio),
// rx-0.packets (i40e, ice), queue_0_rx_cnt (ena).
std::optional<std::uint32_t> queue_of_counter(std::string_view name) {
    struct form {
        std::string_view before, after;
    };
    constexpr form forms[] = {{"rx_queue_", "_packets"}, {"rx_queue_", "_xdp_packets"},
                              {"rx", "_packets"},        {"rx-", ".packets"},
                              {"rx_", "_packets"},       {"queue_", "_rx_cnt"}};
    for (const auto& [before, after] : forms) {
        if (!name.starts_with(before) || !name.ends_with(after)) continue;
        if (name.size() <= before.size() + after.size()) continue;
        const auto digits = name.substr(before.size(), name.size() - before.size() - after.size());
        std::uint32_t queue = 0;
        const auto* end = digits.data() + digits.size();
        const auto [stopped, error] = std::from_chars(digits.data(), end, queue);
        if (error == std::errc{} && stopped == end) return queue;
    }
    return {};
}

watch_sample look(const std::string& interface) {
    watch_sample sample{.packets = device_counter(interface, "rx_packets"),
                        .dropped = device_counter(interface, "rx_dropped") +
                                   device_counter(interface, "rx_missed_errors"),
                        .queues = {},
                        .verdicts = {}};
    for (const auto& [name, value] : xsk::device_statistics(interface))
        if (const auto queue = queue_of_counter(name)) sample.queues[*queue] += value;
    for (const auto& program : xsk::attached_programs(interface))
        if (program.owner == xsk::program_owner::ours_alive)
            sample.verdicts = xsk::queue_verdicts(program.id);
    return sample;
}

watch_sample difference(const watch_sample& before, const watch_sample& after) {
    watch_sample result = after;
    result.packets -= std::min(after.packets, before.packets);
    result.dropped -= std::min(after.dropped, before.dropped);
    for (auto& [queue, packets] : result.queues) {
        const auto earlier = before.queues.find(queue);
        if (earlier != before.queues.end()) packets -= std::min(packets, earlier->second);
    }
    for (std::size_t i = 0; i < std::min(after.verdicts.size(), before.verdicts.size()); ++i)
        result.verdicts[i] = less(after.verdicts[i], before.verdicts[i]);
    return result;
}

watch_result watch(const std::string& interface, std::uint32_t queue, std::uint32_t seconds) {
    using clock = std::chrono::steady_clock;
    const stop_signal stop;
    const watch_sample before = look(interface);
    const auto start = clock::now();
    const auto end = start + std::chrono::seconds(seconds);
    while (clock::now() < end && !stop_signal::requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto passed = std::chrono::round<std::chrono::seconds>(clock::now() - start);
    return {static_cast<std::uint32_t>(passed.count()), queue, difference(before, look(interface))};
}

std::vector<problem> findings_of(const watch_result& result, const std::string& interface) {
    const watch_sample& counted = result.counted;
    const auto queues = by_queue(counted);
    if (queues.empty() && counted.packets == 0)
        return {{fmt::format("no packet arrived at {} in {} s{}", interface, result.seconds,
                             counted.dropped == 0
                                 ? std::string()
                                 : fmt::format(", {} were dropped before", counted.dropped)),
                 fmt::format("look at the sender and the link; a NIC drops frames for another MAC: "
                             "ip link set {} promisc on",
                             interface)}};
    if (queues.empty())
        return {{fmt::format("{} packets arrived, and nothing tells on which queue: the driver "
                             "counts none by queue in this mode, and no program of skein's runs",
                             counted.packets),
                 fmt::format("run skein rx {} --queue all, and watch again", interface)}};
    if (!queues.contains(result.queue)) return {elsewhere(queues, result.queue, interface)};
    if (result.queue < counted.verdicts.size()) {
        const auto& verdicts = counted.verdicts[result.queue];
        if (verdicts.taken() == 0) return {passed_on(verdicts, result.queue)};
        return {{fmt::format("queue {} got {} packets, {} of them for its socket", result.queue,
                             verdicts.taken() + verdicts.passed(), verdicts.taken()),
                 ""}};
    }
    return {{fmt::format("queue {} got packets: {}", result.queue, queue_list(queues)), ""}};
}

nlohmann::ordered_json as_json(const watch_result& result) {
    using json = nlohmann::ordered_json;
    const auto& counted = result.counted;
    json queues = json::array();
    for (const auto& [queue, packets] : by_queue(counted)) {
        json one = {{"queue", queue}, {"packets", packets}};
        if (queue < counted.verdicts.size()) one["taken"] = counted.verdicts[queue].taken();
        queues.push_back(std::move(one));
    }
    return {{"seconds", result.seconds},
            {"queue", result.queue},
            {"packets", counted.packets},
            {"dropped", counted.dropped},
            {"source", !counted.verdicts.empty() ? "skein"
                       : !counted.queues.empty() ? "driver"
                                                 : "none"},
            {"queues", queues}};
}

}  // namespace skein::tool
