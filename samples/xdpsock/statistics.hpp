// SPDX-License-Identifier: Apache-2.0
// The tables that xdpsock prints: what moved since the last one, a second and in all.
#pragma once

#include <cstdint>
#include <vector>

#include <skein/xsk/port.hpp>

#include "interrupts.hpp"
#include "options.hpp"

namespace xdpsock {

// Of the clock that was chosen.
std::uint64_t now_ns(clockid_t clock);

// What a port does not count itself.
struct loop_counts {
    std::uint64_t rx_frames = 0;   // counted with -F only
    std::uint64_t polls = 0;       // poll()
    std::uint64_t busy_polls = 0;  // recvfrom() by -B
};

// How far from its time each cycle of -T began.
struct cycle_counts {
    std::uint64_t least_ns = ~0ull;
    std::uint64_t most_ns = 0;
    std::uint64_t sum_ns = 0;
    std::uint64_t cycles = 0;

    void add(std::uint64_t late_ns) noexcept;
};

class statistics {
  public:
    statistics(const options& given, std::uint64_t start_ns);

    // The port and the counts must outlive the statistics.
    void watch(const skein::xsk::port& port, const loop_counts& counts);
    cycle_counts& cycles() noexcept { return cycles_; }

    std::uint64_t next_ns() const noexcept { return next_ns_; }
    // Prints if it is time, and says so.
    bool print_if_due(std::uint64_t now_ns);
    void print(std::uint64_t now_ns);

  private:
    struct row {
        const char* name;
        std::uint64_t total;
        std::uint64_t before = 0;
    };
    struct watched {
        const skein::xsk::port* port;
        const loop_counts* counts;
        std::vector<row> packets;  // rx and tx; with -F their frames behind each
        std::vector<row> kernel;
        std::vector<row> calls;
    };

    void look(watched& socket) const;
    void print_head(std::size_t number, const skein::xsk::port& port) const;
    void print_packets(std::vector<row>& rows, double seconds) const;
    void print_cycles() const;

    const options& given_;
    std::vector<watched> sockets_;
    cycle_counts cycles_;
    std::optional<interrupt_counter> interrupts_;
    std::vector<row> interrupt_row_;
    std::uint64_t last_ns_;
    std::uint64_t next_ns_;
};

}  // namespace xdpsock
