// SPDX-License-Identifier: Apache-2.0
#include "live_totals.hpp"

#include <algorithm>

namespace skein::tool {

namespace {

void add_rows(frame_ledger& total, const frame_ledger& more) {
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

void add_port(live_totals& total, const port_sample& port) {
    add(total.rx, port.rx);
    add(total.tx, port.tx);
    add(total.events, port.events);
    total.tx_calls += port.tx_calls;
    total.ports.push_back(port);
    auto& names = total.interfaces;
    if (std::find(names.begin(), names.end(), port.interface) == names.end()) {
        names.push_back(port.interface);
    }
}

}  // namespace

live_totals add_up(const std::vector<shard_result>& shards) {
    live_totals total;
    for (const auto& shard : shards) {
        add_rows(total.frames, shard.frames);
        total.verdicts += shard.verdicts;
        total.copied_bytes += shard.copied_bytes;
        for (const auto& port : shard.ports)
            add_port(total, port);
    }
    return total;
}

}  // namespace skein::tool
