// SPDX-License-Identifier: Apache-2.0
#include "live_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "drop_remedy.hpp"
#include "standard_output.hpp"

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

void add(frame_ledger& total, const frame_ledger& more) {
    total.total += more.total;
    total.free += more.free;
    total.fill += more.fill;
    total.kernel_rx += more.kernel_rx;
    total.rx_ring += more.rx_ring;
    total.application += more.application;
    total.tx_ring += more.tx_ring;
    total.kernel_tx += more.kernel_tx;
    total.completion += more.completion;
    total.written_off += more.written_off;
}

// Everything added up over shards and ports.
struct grand_total {
    std::vector<port_sample> ports;
    std::vector<std::string> interfaces;
    direction_sample rx;
    direction_sample tx;
    std::uint64_t tx_calls = 0;
    frame_ledger frames;
    xsk::verdict_counts verdicts;
};

grand_total add_up(const std::vector<shard_result>& shards) {
    grand_total total;
    for (const auto& shard : shards) {
        add(total.frames, shard.frames);
        total.verdicts += shard.verdicts;
        for (const auto& port : shard.ports) {
            add(total.rx, port.rx);
            add(total.tx, port.tx);
            total.tx_calls += port.tx_calls;
            total.ports.push_back(port);
            auto& names = total.interfaces;
            if (std::find(names.begin(), names.end(), port.interface) == names.end()) {
                names.push_back(port.interface);
            }
        }
    }
    return total;
}

// The queue if all ports sit on the same, else "all".
json queue_of(const std::vector<port_sample>& ports) {
    const auto same = [&](const port_sample& p) { return p.queue == ports.front().queue; };
    if (std::all_of(ports.begin(), ports.end(), same)) return ports.front().queue;
    return "all";
}

json tx_object(const grand_total& total) {
    auto tx = to_json(total.tx);
    tx["calls"] = total.tx_calls;
    tx["scatter"] = total.tx.packets;
    for (const char* name :
         {"pull", "merge", "linearise", "split", "header_bytes", "copied_bytes"}) {
        tx[name] = 0;
    }
    auto refused = json::object();
    for (std::size_t i = 0; i < xsk::tx_refusal_count; ++i) {
        const auto reason = std::string(to_string(static_cast<xsk::tx_refusal>(i)));
        const auto found = total.tx.drops.find(reason);
        if (found != total.tx.drops.end()) refused[reason] = found->second;
    }
    tx["refused"] = std::move(refused);
    return tx;
}

std::string bit_rate(std::uint64_t bytes, std::uint64_t seconds) {
    const double bits = 8.0 * static_cast<double>(bytes) / static_cast<double>(seconds);
    if (bits >= 1e9) return fmt::format("{:.2f} Gb/s", bits / 1e9);
    if (bits >= 1e6) return fmt::format("{:.2f} Mb/s", bits / 1e6);
    return fmt::format("{:.2f} kb/s", bits / 1e3);
}

std::string reasons_text(const reason_counts& drops) {
    std::string text;
    for (const auto& [reason, n] : drops) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason, n);
    }
    return text.empty() ? "none" : text;
}

std::string port_name(const port_sample& sample) {
    return fmt::format("{} q{}", sample.interface, sample.queue);
}

std::string second_text(std::uint64_t t, const port_sample& sample) {
    auto line = fmt::format("{:>4} s  {:<14} rx {:>9} pps {:>12}   tx {:>9} pps {:>12}", t,
                            port_name(sample), sample.rx.packets, bit_rate(sample.rx.bytes, 1),
                            sample.tx.packets, bit_rate(sample.tx.bytes, 1));
    auto drops = sample.rx.drops;
    for (const auto& [reason, n] : sample.tx.drops)
        drops[reason] += n;
    if (!drops.empty()) line += "   dropped: " + reasons_text(drops);
    return line;
}

std::string ledger_text(const frame_ledger& f) {
    return fmt::format(
        "frames: {} total = {} free + {} fill + {} kernel rx + {} rx ring + {} application + {} tx "
        "ring + {} kernel tx + {} completion + {} written off; {} lost",
        f.total, f.free, f.fill, f.kernel_rx, f.rx_ring, f.application, f.tx_ring, f.kernel_tx,
        f.completion, f.written_off, f.lost());
}

// A line for each reason that something was dropped.
std::vector<std::string> remedies(const grand_total& total) {
    auto drops = total.rx.drops;
    for (const auto& [reason, n] : total.tx.drops)
        drops[reason] += n;
    std::vector<std::string> lines;
    for (const auto& [reason, n] : drops) {
        const auto text = drop_remedy(reason);
        if (!text.empty()) lines.push_back(fmt::format("{} {}: {}", reason, n, text));
    }
    return lines;
}

}  // namespace

void live_report::say(const std::string& text) const {
    json_ ? print_error(text + "\n") : print_out(text + "\n");
}

void live_report::opened(const std::vector<std::string>& descriptions) const {
    for (const auto& line : descriptions)
        say(line);
}

void live_report::second(std::uint64_t t, const std::vector<port_sample>& ports) const {
    std::string text;
    for (const auto& sample : ports) {
        if (json_) {
            json line = {{"t", t}};
            line.update(to_json(sample));
            text += line.dump() + "\n";
        } else {
            text += second_text(t, sample) + "\n";
        }
    }
    print_out(text);
}

void live_report::notice(const std::string& text) const {
    print_error(text + "\n");
}

void live_report::final(std::uint64_t t, const std::vector<shard_result>& shards,
                        const command_failure* failure) const {
    json_ ? final_json(t, shards, failure) : final_text(t, shards);
    for (const auto& line : remedies(add_up(shards)))
        notice(line);
}

void live_report::final_json(std::uint64_t t, const std::vector<shard_result>& shards,
                             const command_failure* failure) const {
    const auto total = add_up(shards);
    json line = {{"t", t},
                 {"final", true},
                 {"interface", fmt::format("{}", fmt::join(total.interfaces, ","))},
                 {"queue", queue_of(total.ports)},
                 {"rx", to_json(total.rx)},
                 {"tx", tx_object(total)},
                 {"frames", to_json(total.frames)},
                 {"verdicts", to_json(total.verdicts)},
                 {"ports", json::array()}};
    for (const auto& port : total.ports)
        line["ports"].push_back(to_json(port));
    stages_->report(line);
    if (failure != nullptr) {
        line["error"] = {{"what", failure->what()}, {"remedy", failure->remedy()}};
    }
    print_out(line.dump() + "\n");
    for (const auto& shard : shards) {
        for (const auto& teardown : shard.teardowns)
            say(teardown);
    }
}

void live_report::final_text(std::uint64_t t, const std::vector<shard_result>& shards) const {
    const auto total = add_up(shards);
    std::string text = fmt::format("total of {} s\n", t);
    const auto seconds = std::max<std::uint64_t>(t, 1);
    for (const auto& port : total.ports) {
        text += fmt::format("  {:<14} rx {} packets, {} bytes ({}); dropped: {}\n", port_name(port),
                            port.rx.packets, port.rx.bytes, bit_rate(port.rx.bytes, seconds),
                            reasons_text(port.rx.drops));
        text += fmt::format("  {:<14} tx {} packets, {} bytes ({}), {} calls; dropped: {}\n", "",
                            port.tx.packets, port.tx.bytes, bit_rate(port.tx.bytes, seconds),
                            port.tx_calls, reasons_text(port.tx.drops));
    }
    for (const auto& shard : shards) {
        for (const auto& teardown : shard.teardowns)
            text += "  " + teardown + "\n";
    }
    print_out(text + ledger_text(total.frames) + "\n");
}

}  // namespace skein::tool
