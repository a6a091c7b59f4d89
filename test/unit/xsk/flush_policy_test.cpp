// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/flush_policy.hpp>

#include "support/catch.hpp"

using skein::xsk::flush_policy;

TEST_CASE("send flushes at the threshold, and never where it is 0") {
    constexpr flush_policy policy{.flush_at_descriptors = 64};
    CHECK_FALSE(policy.due(63));
    CHECK(policy.due(64));
    CHECK(policy.due(65));
    constexpr flush_policy never{.flush_at_descriptors = 0};
    CHECK_FALSE(never.due(0));
    CHECK_FALSE(never.due(0xffffffff));
}

TEST_CASE("a flush ends after so many calls, or so many without progress") {
    constexpr flush_policy policy{.most_calls = 10, .patience_calls = 2};
    CHECK(policy.go_on(0, 0));
    CHECK(policy.go_on(9, 1));
    CHECK_FALSE(policy.go_on(10, 0));
    CHECK_FALSE(policy.go_on(3, 2));
}
