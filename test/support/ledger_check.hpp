// SPDX-License-Identifier: Apache-2.0
// After whatever happened: every frame is where the ledger says, the pool's counts agree with its
// records, and the port broke no rule of the rings. The fake kernel's own view is the judge.
#pragma once

#include <skein/frame_pool.hpp>
#include <skein/xsk/umem.hpp>

#include "support/catch.hpp"
#include "support/fake_kernel.hpp"

namespace skein::test {

inline void ledger_check(const frame_pool& pool) {
    CHECK(pool.audit());
}

inline void ledger_check(fake_kernel& kernel, const xsk::umem& memory) {
    kernel.observe();
    CHECK(kernel.violations() == std::vector<std::string>{});
    ledger_check(memory.pool());

    const auto rows = memory.ledger();
    CHECK(rows.lost() == 0);
    CHECK(rows.balanced());
    const auto truth = kernel.custody(memory.area().data(frame_id{0}));
    CHECK(rows.fill == truth.fill);
    // What is received but not published looks like the kernel's from outside.
    CHECK(rows.kernel_rx + rows.rx_ring == truth.kernel_rx + truth.rx_ring);
    CHECK(rows.tx_ring + rows.kernel_tx + rows.completion + rows.written_off == truth.tx);
}

}  // namespace skein::test
