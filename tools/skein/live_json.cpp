// SPDX-License-Identifier: Apache-2.0
#include "live_json.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

json to_json(const reason_counts& counts) {
    auto object = json::object();
    for (const auto& [reason, n] : counts)
        object[reason] = n;
    return object;
}

json to_json(const direction_sample& direction) {
    return {{"packets", direction.packets},
            {"bytes", direction.bytes},
            {"drops", to_json(direction.drops)}};
}

json to_json(const frame_ledger& frames) {
    return {{"total", frames.total},
            {"free", frames.free},
            {"fill", frames.fill},
            {"kernel_rx", frames.kernel_rx},
            {"rx_ring", frames.rx_ring},
            {"application", frames.application},
            {"tx_ring", frames.tx_ring},
            {"kernel_tx", frames.kernel_tx},
            {"completion", frames.completion},
            {"lost", frames.lost()},
            {"written_off", frames.written_off}};
}

json to_json(const port_sample& sample) {
    auto tx = to_json(sample.tx);
    tx["calls"] = sample.tx_calls;
    return {{"interface", sample.interface},
            {"queue", sample.queue},
            {"status", to_string(sample.status)},
            {"rx", to_json(sample.rx)},
            {"tx", std::move(tx)},
            {"events", to_json(sample.events)},
            {"frames", to_json(sample.frames)}};
}

json to_json(const xsk::verdict_counts& verdicts) {
    auto object = json::object();
    for (std::size_t i = 0; i < xsk::verdict_reasons; ++i) {
        if (verdicts.packets[i] == 0) continue;
        object[std::string(to_string(static_cast<xsk::verdict_reason>(i)))] = verdicts.packets[i];
    }
    return object;
}

// The queue if all ports sit on the same, else "all".
json queue_of(const std::vector<port_sample>& ports) {
    const auto same = [&](const port_sample& p) { return p.queue == ports.front().queue; };
    if (std::all_of(ports.begin(), ports.end(), same)) return ports.front().queue;
    return "all";
}

// A port puts packets on its ring as they lie and has no other form.
json tx_object(const live_totals& total) {
    auto tx = to_json(total.tx);
    tx["calls"] = total.tx_calls;
    tx["scatter"] = total.tx.packets;
    for (const char* name : {"pull", "merge", "linearise", "split", "header_bytes"})
        tx[name] = 0;
    tx["copied_bytes"] = total.copied_bytes;
    auto refused = json::object();
    for (std::size_t i = 0; i < xsk::tx_refusal_count; ++i) {
        const auto reason = std::string(to_string(static_cast<xsk::tx_refusal>(i)));
        const auto found = total.tx.drops.find(reason);
        if (found != total.tx.drops.end()) refused[reason] = found->second;
    }
    tx["refused"] = std::move(refused);
    return tx;
}

}  // namespace

json second_line(std::uint64_t t, const port_sample& port) {
    json line = {{"t", t}};
    line.update(to_json(port));
    return line;
}

json final_line(std::uint64_t t, const live_totals& total) {
    json line = {{"t", t},
                 {"final", true},
                 {"interface", fmt::format("{}", fmt::join(total.interfaces, ","))},
                 {"queue", queue_of(total.ports)},
                 {"rx", to_json(total.rx)},
                 {"tx", tx_object(total)},
                 {"events", to_json(total.events)},
                 {"frames", to_json(total.frames)},
                 {"verdicts", to_json(total.verdicts)},
                 {"ports", json::array()}};
    for (const auto& port : total.ports)
        line["ports"].push_back(to_json(port));
    return line;
}

}  // namespace skein::tool
