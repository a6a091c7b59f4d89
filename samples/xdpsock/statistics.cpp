// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cstdio>

namespace xdpsock {

namespace {

constexpr double ns_per_second = 1e9;

template <class Row>
double rate(const Row& row, double seconds) {
    return seconds > 0 ? static_cast<double>(row.total - row.before) / seconds : 0;
}

template <class Rows>
void print_rows(Rows& rows, double seconds) {
    for (auto& row : rows) {
        std::printf("%-18s %'-14.0f %'-14llu\n", row.name, rate(row, seconds),
                    static_cast<unsigned long long>(row.total));
        row.before = row.total;
    }
}

}  // namespace

std::uint64_t now_ns(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(t.tv_nsec);
}

void cycle_counts::add(std::uint64_t late_ns) noexcept {
    least_ns = std::min(least_ns, late_ns);
    most_ns = std::max(most_ns, late_ns);
    sum_ns += late_ns;
    ++cycles;
}

statistics::statistics(const options& given, std::uint64_t start_ns)
    : given_(given), last_ns_(start_ns), next_ns_(start_ns) {
    next_ns_ += static_cast<std::uint64_t>(std::chrono::nanoseconds(given.interval).count());
    if (given.interrupt.empty()) return;
    interrupts_.emplace(given.interrupt);
    interrupt_row_ = {{"irqs", 0}};
}

void statistics::watch(const skein::xsk::port& port, const loop_counts& counts) {
    watched socket{&port, &counts, {{"rx", 0}, {"tx", 0}}, {}, {}};
    if (given_.frags) socket.packets = {{"rx", 0}, {"rx frags", 0}, {"tx", 0}, {"tx frags", 0}};
    if (given_.extra_statistics) {
        socket.kernel = {{"rx dropped", 0},    {"rx invalid", 0},      {"tx invalid", 0},
                         {"rx queue full", 0}, {"fill ring empty", 0}, {"tx ring empty", 0}};
    }
    if (given_.application_statistics) {
        socket.calls = {{"rx empty polls", 0},
                        {"fill fail polls", 0},
                        {"copy tx sendtos", 0},
                        {"tx wakeup sendtos", 0},
                        {"opt polls", 0}};
    }
    sockets_.push_back(std::move(socket));
}

bool statistics::print_if_due(std::uint64_t now_ns) {
    if (now_ns < next_ns_) return false;
    const auto interval = std::chrono::nanoseconds(given_.interval).count();
    next_ns_ = now_ns + static_cast<std::uint64_t>(interval);
    if (!given_.quiet) print(now_ns);
    return true;
}

void statistics::look(watched& socket) const {
    const auto put = [](std::vector<row>& rows, std::initializer_list<std::uint64_t> totals) {
        if (rows.size() != totals.size()) return;
        std::size_t i = 0;
        for (const auto total : totals)
            rows[i++].total = total;
    };
    const auto& port = *socket.port;
    const auto& counts = *socket.counts;
    const auto rx = port.received().packets.value();
    const auto tx = port.counters().tx_packets.value();
    put(socket.packets, {rx, tx});
    const auto tx_frames = port.counters().completed.value() + port.under_way();
    put(socket.packets, {rx, counts.rx_frames, tx, tx_frames});

    const auto kernel = port.kernel_statistics();
    put(socket.kernel,
        {kernel.rx_dropped, kernel.rx_invalid_descriptors, kernel.tx_invalid_descriptors,
         kernel.rx_ring_full, kernel.rx_fill_ring_empty, kernel.tx_ring_empty});
    // As ever: "copy" are the calls that copying makes necessary on the way back of -l.
    const auto sends = port.counters().tx_calls.value();
    const bool copies = given_.what == benchmark::l2fwd && !port.bound().zero_copy;
    put(socket.calls,
        {port.counters().rx_calls.value() + counts.busy_polls, port.counters().fill_starved.value(),
         copies ? sends : 0, copies ? 0 : sends, counts.polls});
}

void statistics::print_head(std::size_t number, const skein::xsk::port& port) const {
    const char* what = given_.what == benchmark::rxdrop   ? "rxdrop"
                       : given_.what == benchmark::txonly ? "txonly"
                                                          : "l2fwd";
    const bool generic = port.program()
                             ? port.program()->attached().mode == skein::xsk::xdp_mode::generic
                             : given_.generic;
    std::printf("\n sock%zu@%s:%u %s %s %s\n", number, given_.interface.c_str(),
                port.options().queue, what, generic ? "xdp-skb" : "xdp-drv",
                given_.poll ? "poll() " : "");
}

void statistics::print_packets(std::vector<row>& rows, double seconds) const {
    if (!given_.frags) {
        std::printf("%-18s %-14s %-14s %-14.2f\n", "", "pps", "pkts", seconds);
        print_rows(rows, seconds);
        return;
    }
    std::printf("%-18s %-14s %-14s %-14s %-14s %-14.2f\n", "", "pps", "pkts", "fps", "frags",
                seconds);
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
        auto& packets = rows[i];
        auto& frames = rows[i + 1];
        std::printf("%-18s %'-14.0f %'-14llu %'-14.0f %'-14llu\n", packets.name,
                    rate(packets, seconds), static_cast<unsigned long long>(packets.total),
                    rate(frames, seconds), static_cast<unsigned long long>(frames.total));
        packets.before = packets.total;
        frames.before = frames.total;
    }
}

void statistics::print_cycles() const {
    const auto& c = cycles_;
    std::printf("\n%-18s %-10s %-10s %-10s %-10s %-10s\n", "", "period", "min", "ave", "max",
                "cycle");
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("%-18s %-10llu %-10llu %-10llu %-10llu %-10llu\n", "Cyclic TX",
                number(static_cast<std::uint64_t>(given_.cycle.count()) * 1000),
                number(c.cycles == 0 ? 0 : c.least_ns),
                number(c.cycles == 0 ? 0 : c.sum_ns / c.cycles), number(c.most_ns),
                number(c.cycles));
}

void statistics::print(std::uint64_t now_ns) {
    const auto seconds = static_cast<double>(now_ns - last_ns_) / ns_per_second;
    last_ns_ = now_ns;
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
        auto& socket = sockets_[i];
        look(socket);
        print_head(i, *socket.port);
        print_packets(socket.packets, seconds);
        print_rows(socket.kernel, seconds);
    }
    for (auto& socket : sockets_) {
        if (socket.calls.empty()) continue;
        std::printf("\n%-18s %-14s %-14s\n", "", "calls/s", "count");
        print_rows(socket.calls, seconds);
    }
    if (given_.application_statistics && given_.cycle.count() != 0) print_cycles();
    if (interrupts_) {
        interrupt_row_[0].total = interrupts_->since_start();
        std::printf("\n%-18s %-14s %-14s\n", "", "intrs/s", "count");
        print_rows(interrupt_row_, seconds);
    }
    std::fflush(stdout);
}

}  // namespace xdpsock
