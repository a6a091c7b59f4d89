// SPDX-License-Identifier: Apache-2.0
// The command line of xdpsock: the letters, names, units and defaults that its users know.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <skein/wire/address.hpp>

namespace xdpsock {

enum class benchmark { rxdrop, txonly, l2fwd };

struct options {
    benchmark what = benchmark::rxdrop;
    std::string interface;
    std::uint32_t queue = 0;
    bool poll = false;

    // How the socket is set up.
    bool generic = false;  // -S
    bool native = false;   // -N: insisted on
    bool zero_copy = false;
    bool copy = false;
    bool need_wakeup = true;
    bool frags = false;
    bool unaligned = false;
    bool several_queues = false;  // -M
    bool busy_poll = false;
    std::uint32_t frame_bytes = 4096;
    std::uint32_t batch = 64;

    // What is sent.
    std::uint64_t packets = 0;        // 0: without end
    std::uint32_t packet_bytes = 64;  // counts the four bytes of the FCS, which the device adds
    std::uint32_t pattern = 0x12345678;
    bool vlan = false;
    std::uint16_t vlan_id = 1;
    std::uint8_t vlan_priority = 0;
    skein::wire::mac_address destination;
    skein::wire::mac_address source;
    bool timestamps = false;
    std::chrono::microseconds cycle{0};  // 0: as fast as it goes
    std::uint32_t retries = 3;           // seconds to wait for the last completions

    // How it runs and what it says.
    std::chrono::seconds interval{1};
    std::chrono::seconds duration{0};  // 0: without end
    clockid_t clock = CLOCK_MONOTONIC;
    std::optional<int> policy;  // of the scheduler
    std::optional<int> priority;
    bool reduce_capabilities = false;
    bool extra_statistics = false;
    bool application_statistics = false;
    bool quiet = false;
    std::string interrupt;  // a piece of its line in /proc/interrupts
};

// A command line that makes no sense; what() says why.
struct usage_error : std::runtime_error {
    using runtime_error::runtime_error;
};

// Nothing if only the help was wanted, which has been printed then. Throws usage_error.
std::optional<options> parse(int argc, char** argv);

}  // namespace xdpsock
