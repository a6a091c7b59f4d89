// SPDX-License-Identifier: Apache-2.0
#include "live_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "drop_remedy.hpp"

namespace skein::tool {

namespace {

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

std::string ledger_text(const frame_ledger& f) {
    return fmt::format(
        "frames: {} total = {} free + {} fill + {} kernel rx + {} rx ring + {} application + {} tx "
        "ring + {} kernel tx + {} completion + {} written off; {} lost",
        f.total, f.free, f.fill, f.kernel_rx, f.rx_ring, f.application, f.tx_ring, f.kernel_tx,
        f.completion, f.written_off, f.lost());
}

std::string verdicts_text(const xsk::verdict_counts& verdicts) {
    std::string text;
    for (std::size_t i = 0; i < xsk::verdict_reasons; ++i) {
        if (verdicts.packets[i] == 0) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            to_string(static_cast<xsk::verdict_reason>(i)), verdicts.packets[i]);
    }
    return text;
}

std::string port_text(const port_sample& port, std::uint64_t seconds) {
    return fmt::format(
        "  {:<14} rx {} packets, {} bytes ({}); dropped: {}\n"
        "  {:<14} tx {} packets, {} bytes ({}), {} calls; dropped: {}\n",
        port_name(port), port.rx.packets, port.rx.bytes, bit_rate(port.rx.bytes, seconds),
        reasons_text(port.rx.drops), "", port.tx.packets, port.tx.bytes,
        bit_rate(port.tx.bytes, seconds), port.tx_calls, reasons_text(port.tx.drops));
}

}  // namespace

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

std::string final_text(std::uint64_t t, const live_totals& total,
                       const std::vector<shard_result>& shards) {
    auto text = fmt::format("total of {} s\n", t);
    for (const auto& port : total.ports)
        text += port_text(port, std::max<std::uint64_t>(t, 1));
    const auto verdicts = verdicts_text(total.verdicts);
    if (!verdicts.empty()) text += "  XDP program: " + verdicts + "\n";
    for (const auto& shard : shards) {
        for (const auto& teardown : shard.teardowns)
            text += "  " + teardown + "\n";
    }
    return text + ledger_text(total.frames) + "\n";
}

std::vector<std::string> remedies(const live_totals& total) {
    auto reasons = total.rx.drops;
    add(reasons, total.tx.drops);
    add(reasons, total.events);
    std::vector<std::string> lines;
    for (const auto& [reason, n] : reasons) {
        const auto text = drop_remedy(reason);
        if (!text.empty()) lines.push_back(fmt::format("{} {}: {}", reason, n, text));
    }
    return lines;
}

}  // namespace skein::tool
