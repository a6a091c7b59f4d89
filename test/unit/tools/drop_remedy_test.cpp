// SPDX-License-Identifier: Apache-2.0
#include "drop_remedy.hpp"

#include <cstddef>
#include <string>

#include <skein/rx_assembler.hpp>
#include <skein/xsk/port_counters.hpp>

#include "support/catch.hpp"

using skein::tool::drop_remedy;

namespace {

// Every value of a reason that counts from 0, by its name.
template <class Reason>
void check_all(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name{to_string(static_cast<Reason>(i))};
        CAPTURE(name);
        CHECK(name != "unknown");
        CHECK_FALSE(drop_remedy(name).empty());
    }
    // The count is the whole of them.
    CHECK(to_string(static_cast<Reason>(count)) == "unknown");
}

}  // namespace

TEST_CASE("every reason that a port counts is explained") {
    check_all<skein::rx_drop>(skein::rx_drop_count);
    check_all<skein::xsk::tx_refusal>(skein::xsk::tx_refusal_count);
    check_all<skein::xsk::tx_trouble>(skein::xsk::tx_trouble_count);
}

// They have no enumeration: the kernel's statistics, the ends of a run, events that are no drops.
TEST_CASE("every name that a live command counts by itself is explained") {
    for (const auto* name :
         {"rx_dropped", "rx_ring_full", "rx_fill_ring_empty_descs", "rx_invalid_descs",
          "tx_invalid_descs", "unread_at_close", "unsent_at_close", "waiting_at_close",
          "never_completed", "completion_refused", "fill_starved", "tx_ring_full", "tx_again",
          "send_failed"}) {
        CAPTURE(name);
        CHECK_FALSE(drop_remedy(name).empty());
    }
}

TEST_CASE("a reason nobody counts has no explanation") {
    CHECK(drop_remedy("no_such_reason").empty());
    CHECK(drop_remedy("").empty());
    CHECK(drop_remedy("unknown").empty());
}
