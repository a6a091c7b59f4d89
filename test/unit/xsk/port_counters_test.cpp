// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include <skein/xsk/port_counters.hpp>

#include "support/catch.hpp"

using namespace skein::xsk;

TEST_CASE("every reason has a name of its own and a counter of its own") {
    port_counters counters;
    std::set<std::string> names;
    for (std::size_t i = 0; i < tx_refusal_count; ++i) {
        names.emplace(to_string(static_cast<tx_refusal>(i)));
        ++counters.refusals(static_cast<tx_refusal>(i));
    }
    CHECK(names.size() == tx_refusal_count);
    for (std::size_t i = 0; i < tx_trouble_count; ++i) {
        names.emplace(to_string(static_cast<tx_trouble>(i)));
        counters.troubles(static_cast<tx_trouble>(i)) += 2;
    }
    CHECK(names.size() == tx_refusal_count + tx_trouble_count);
    CHECK(names.count("unknown") == 0);
    for (const auto& n : counters.refused)
        CHECK(n.value() == 1);
    for (const auto& n : counters.trouble)
        CHECK(n.value() == 2);
}

TEST_CASE("a reason nobody defined has a name, too") {
    CHECK(to_string(static_cast<tx_refusal>(99)) == "unknown");
    CHECK(to_string(static_cast<tx_trouble>(99)) == "unknown");
}
