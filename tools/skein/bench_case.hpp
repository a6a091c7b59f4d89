// SPDX-License-Identifier: Apache-2.0
// What `skein bench io` measures: a job, on a kind of XDP, with packets of a size.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace skein::tool {

enum class bench_job { rx, tx, forward };

constexpr std::string_view to_string(bench_job job) noexcept {
    switch (job) {
        case bench_job::rx:
            return "rx";
        case bench_job::tx:
            return "tx";
        case bench_job::forward:
            return "forward";
    }
    return "unknown";
}

struct bench_case {
    bench_job job = bench_job::rx;
    std::string mode = "native";    // or "generic"
    std::uint32_t size_bytes = 64;  // without FCS
};

// How one run goes: both sides get time to settle, then packets are counted.
struct bench_timing {
    std::chrono::milliseconds settle{600};
    std::chrono::milliseconds window{3000};
};

}  // namespace skein::tool
