// SPDX-License-Identifier: Apache-2.0
#include "drop_remedy.hpp"

#include <skein/rx_assembler.hpp>
#include <skein/xsk/port_counters.hpp>

#include "support/catch.hpp"

using skein::tool::drop_remedy;

TEST_CASE("every reason that a live command counts is explained") {
    for (const auto reason :
         {"rx_dropped", "rx_ring_full", "rx_fill_ring_empty_descs", "rx_invalid_descs",
          "tx_invalid_descs", "kernel_dropped", "unread_at_close", "unsent_at_close",
          "waiting_at_close", "never_completed"}) {
        INFO(reason);
        CHECK(!drop_remedy(reason).empty());
    }
    for (const auto reason : {skein::rx_drop::bad_descriptor, skein::rx_drop::frame_not_ours,
                              skein::rx_drop::too_many_pieces}) {
        CHECK(!drop_remedy(to_string(reason)).empty());
    }
    CHECK(!drop_remedy(to_string(skein::xsk::tx_refusal::too_many_pieces)).empty());
    CHECK(!drop_remedy(to_string(skein::xsk::tx_refusal::too_short)).empty());
}

TEST_CASE("a reason nobody counts has no explanation") {
    CHECK(drop_remedy("no_such_reason").empty());
}
