// SPDX-License-Identifier: Apache-2.0
#include <skein/frame_ledger.hpp>

#include "support/catch.hpp"

using skein::frame_ledger;

TEST_CASE("every row counts") {
    frame_ledger ledger;
    CHECK(ledger.balanced());
    ledger.total = 45;
    CHECK_FALSE(ledger.balanced());
    CHECK(ledger.lost() == 45);
    std::uint64_t n = 1;
    for (auto* row :
         {&ledger.free, &ledger.fill, &ledger.kernel_rx, &ledger.rx_ring, &ledger.application,
          &ledger.tx_ring, &ledger.kernel_tx, &ledger.completion, &ledger.written_off}) {
        CHECK_FALSE(ledger.balanced());
        *row = n++;
    }
    CHECK(ledger.accounted() == 45);
    CHECK(ledger.lost() == 0);
    CHECK(ledger.balanced());
}
