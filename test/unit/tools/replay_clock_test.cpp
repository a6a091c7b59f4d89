// SPDX-License-Identifier: Apache-2.0
#include "replay_clock.hpp"

#include "support/catch.hpp"

using skein::tool::replay_clock;
using std::chrono::nanoseconds;

TEST_CASE("a replay's time is the latest timestamp and never goes back") {
    replay_clock clock;
    CHECK(clock.now() == nanoseconds(0));
    CHECK(clock.advance(100) == nanoseconds(100));
    CHECK(clock.advance(50) == nanoseconds(100));
    CHECK(clock.advance(100) == nanoseconds(100));
    CHECK(clock.advance(101) == nanoseconds(101));
    CHECK(clock.now() == nanoseconds(101));
}

TEST_CASE("a record without a time does not move the clock") {
    replay_clock clock;
    clock.advance(100);
    CHECK(clock.advance(0) == nanoseconds(100));
}

TEST_CASE("a time beyond what can be held is the last one") {
    replay_clock clock;
    CHECK(clock.advance(~std::uint64_t{0}) == nanoseconds::max());
    CHECK(clock.advance(5) == nanoseconds::max());
}
