// SPDX-License-Identifier: Apache-2.0
#include "interrupts.hpp"

#include <fstream>
#include <sstream>

#include "options.hpp"

namespace xdpsock {

interrupt_counter::interrupt_counter(const std::string& text) {
    std::ifstream table("/proc/interrupts");
    for (std::string line; std::getline(table, line);) {
        if (line.find(text) == std::string::npos) continue;
        std::istringstream words(line);
        unsigned number = 0;
        if (!(words >> number)) continue;  // NMI, LOC and their like have no counts of their own
        counts_file_ = "/sys/kernel/irq/" + std::to_string(number) + "/per_cpu_count";
        at_start_ = now();
        return;
    }
    throw usage_error("-I " + text + ": no interrupt in /proc/interrupts has this in its line");
}

// "12,0,7": a number for each CPU.
std::uint64_t interrupt_counter::now() const {
    std::ifstream counts(counts_file_);
    std::uint64_t sum = 0;
    for (std::string one; std::getline(counts, one, ',');)
        sum += std::stoull(one);
    return sum;
}

}  // namespace xdpsock
