// SPDX-License-Identifier: Apache-2.0
// In which order a socket asks the kernel for what it would like, and what came of it.
//
// Everything optional is negotiated: zero-copy before copy, scatter-gather before single frames,
// need_wakeup before none. The plan is a pure function of the wishes, so that it can be shown
// before anything is opened; the outcome is a value that can be printed, never silent.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <skein/export.hpp>

namespace skein::inline v0::xsk {

enum class choice { automatic, required, forbidden };

struct bind_wishes {
    choice zero_copy = choice::automatic;
    choice scatter_gather = choice::automatic;
    // A packet of the device's MTU does not fit one frame: without scatter-gather it would be lost.
    bool needs_scatter_gather = false;
    // Forbidden: a zero-copy driver is woken by every flush, asked for or not.
    choice need_wakeup = choice::automatic;
};

// The flags of each bind() to try, best first. Never empty.
SKEIN_EXPORT std::vector<std::uint16_t> bind_plan(const bind_wishes& wishes);

// "zero-copy, scatter-gather, need_wakeup"
SKEIN_EXPORT std::string describe_bind_flags(std::uint16_t flags);

struct bind_attempt {
    std::uint16_t flags;
    int error;  // 0: accepted; else a positive errno
};

// Which requests (tx_request) packets may carry here.
struct tx_metadata_result {
    std::uint32_t bytes = 0;  // below the data of every descriptor; 0: no metadata at all
    bool checksum = false;
    bool software_checksum = false;  // by the kernel: right only for packets of one piece
    bool timestamp = false;
    bool launch = false;
};

struct bind_result {
    std::vector<bind_attempt> attempts;
    bool zero_copy = false;  // what the kernel says, not what was asked for
    bool scatter_gather = false;
    bool need_wakeup = false;
    bool shared_umem = false;
    // The queue was still being released by its last user.
    std::chrono::microseconds busy_wait{0};
    tx_metadata_result tx_metadata;
    std::uint32_t tx_budget = 0;  // descriptors one send call moves; 0: not limited (zero-copy)
    std::uint64_t send_buffer_bytes = 0;  // what SO_SNDBUF came to
    std::vector<std::string> notes;       // what was asked for and not obtained, and why
};

// "TX metadata (checksum, timestamp)"
SKEIN_EXPORT std::string to_string(const tx_metadata_result& result);

// One line: "copy, scatter-gather, need_wakeup, budget 1024 (zero-copy refused: EOPNOTSUPP …)".
SKEIN_EXPORT std::string to_string(const bind_result& result);

}  // namespace skein::inline v0::xsk
