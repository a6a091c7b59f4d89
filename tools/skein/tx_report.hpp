// SPDX-License-Identifier: Apache-2.0
// In what form packets were put out, and what that cost: the "tx" object of the report.
//
// Each packet put out is exactly one of scatter (as it lies; one segment, too), pull, merge and
// linearise. `split` counts packets cut into several, in addition.
#pragma once

#include <cstdint>

namespace skein::tool {

struct tx_report {
    std::uint64_t scatter = 0;
    std::uint64_t pull = 0;
    std::uint64_t merge = 0;
    std::uint64_t linearise = 0;
    std::uint64_t split = 0;
    std::uint64_t header_bytes = 0;  // headers written
    std::uint64_t copied_bytes = 0;  // of received packets
};

}  // namespace skein::tool
