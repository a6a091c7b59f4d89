// SPDX-License-Identifier: Apache-2.0
#include "live_sample.hpp"

#include <algorithm>

namespace skein::tool {

namespace {

void note(reason_counts& drops, std::string_view reason, std::uint64_t n) {
    if (n != 0) drops[std::string(reason)] += n;
}

template <class Reason, class Counters>
void note_each(reason_counts& drops, const Counters& counters) {
    for (std::size_t i = 0; i < counters.size(); ++i) {
        note(drops, to_string(static_cast<Reason>(i)), counters[i].value());
    }
}

reason_counts difference(const reason_counts& later, const reason_counts& earlier) {
    reason_counts gap;
    for (const auto& [reason, n] : later) {
        const auto before = earlier.find(reason);
        note(gap, reason, n - (before == earlier.end() ? 0 : before->second));
    }
    return gap;
}

direction_sample difference(const direction_sample& later, const direction_sample& earlier) {
    return {later.packets - earlier.packets, later.bytes - earlier.bytes,
            difference(later.drops, earlier.drops)};
}

void note_kernel_drops(port_sample& sample, const xsk::port& port) {
    const auto kernel = port.kernel_statistics();
    // In copy mode a frame that found FILL empty is in both counters: it is named by its cause.
    const auto named = port.bound().zero_copy ? 0 : kernel.rx_fill_ring_empty;
    note(sample.rx.drops, "rx_dropped", kernel.rx_dropped - std::min(kernel.rx_dropped, named));
    note(sample.rx.drops, "rx_ring_full", kernel.rx_ring_full);
    note(sample.rx.drops, "rx_fill_ring_empty_descs", kernel.rx_fill_ring_empty);
    note(sample.rx.drops, "rx_invalid_descs", kernel.rx_invalid_descriptors);
    note(sample.tx.drops, "tx_invalid_descs", kernel.tx_invalid_descriptors);
}

void note_events(port_sample& sample, const xsk::port_counters& counters) {
    const auto trouble = [&](xsk::tx_trouble kind) {
        return counters.trouble[static_cast<std::size_t>(kind)].value();
    };
    note(sample.events, "tx_again", counters.tx_again.value());
    note(sample.events, "tx_ring_full", counters.tx_ring_full.value());
    note(sample.events, "fill_starved", counters.fill_starved.value());
    note(sample.events, "completion_refused", counters.completion_refused.value());
    note(sample.events, "link_down", trouble(xsk::tx_trouble::link_down));
    note(sample.events, "device_gone", trouble(xsk::tx_trouble::device_gone));
    note(sample.events, "rejected", trouble(xsk::tx_trouble::rejected));
    note(sample.events, "send_failed", trouble(xsk::tx_trouble::other));
}

}  // namespace

port_sample sample_counters(const xsk::port& port) {
    port_sample sample;
    sample.interface = port.device();
    sample.queue = port.options().queue;
    sample.status = port.status();

    const auto& received = port.received();
    sample.rx = {received.packets.value(), received.bytes.value(), {}};
    note_each<rx_drop>(sample.rx.drops, received.dropped);

    const auto& counters = port.counters();
    sample.tx = {counters.tx_packets.value(), counters.tx_bytes.value(), {}};
    note_each<xsk::tx_refusal>(sample.tx.drops, counters.refused);
    note(sample.tx.drops, to_string(xsk::tx_trouble::kernel_dropped),
         counters.trouble[static_cast<std::size_t>(xsk::tx_trouble::kernel_dropped)].value());
    sample.tx_calls = counters.tx_calls.value();

    note_kernel_drops(sample, port);
    note_events(sample, counters);
    return sample;
}

void add_teardown(port_sample& sample, const xsk::teardown_report& report, std::uint64_t waiting) {
    note(sample.rx.drops, "unread_at_close", report.unread_descriptors);
    note(sample.tx.drops, "unsent_at_close", report.unsent_descriptors);
    note(sample.tx.drops, "never_completed", report.written_off.size());
    note(sample.tx.drops, "waiting_at_close", waiting);
}

port_sample difference(const port_sample& later, const port_sample& earlier) {
    auto gap = later;
    gap.rx = difference(later.rx, earlier.rx);
    gap.tx = difference(later.tx, earlier.tx);
    gap.tx_calls = later.tx_calls - earlier.tx_calls;
    gap.events = difference(later.events, earlier.events);
    return gap;
}

void add(reason_counts& total, const reason_counts& more) {
    for (const auto& [reason, n] : more)
        total[reason] += n;
}

void add(direction_sample& total, const direction_sample& more) {
    total.packets += more.packets;
    total.bytes += more.bytes;
    add(total.drops, more.drops);
}

}  // namespace skein::tool
