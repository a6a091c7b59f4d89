// SPDX-License-Identifier: Apache-2.0
// When a port makes a system call to get its TX ring moving.
//
// In copy mode nothing is sent without a call, and each call has a fixed price: waiting for more
// descriptors makes it cheaper per packet, waiting too long adds latency and lets the ring run
// full. The policy is a value, so that it can be chosen, tested and printed.
#pragma once

#include <cstdint>

namespace skein::inline v0::xsk {

struct flush_policy {
    // send() flushes by itself once this many descriptors wait. An explicit flush(), which a loop
    // makes at the end of each round, sends what is left. 0: only an explicit flush.
    std::uint32_t flush_at_descriptors = 512;
    // How often one flush calls again while the kernel says that more is pending (EAGAIN), as long
    // as it makes progress.
    std::uint32_t most_calls = 256;
    // How many calls without any progress end a flush: the device is busy; the rest stays in the
    // ring for the next flush.
    std::uint32_t patience_calls = 2;

    constexpr bool due(std::uint32_t waiting_descriptors) const noexcept {
        return flush_at_descriptors != 0 && waiting_descriptors >= flush_at_descriptors;
    }
    constexpr bool go_on(std::uint32_t calls, std::uint32_t idle_calls) const noexcept {
        return calls < most_calls && idle_calls < patience_calls;
    }
};

}  // namespace skein::inline v0::xsk
