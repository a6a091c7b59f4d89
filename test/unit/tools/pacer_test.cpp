// SPDX-License-Identifier: Apache-2.0
#include "pacer.hpp"

#include "support/catch.hpp"

using skein::tool::pacer;
using std::chrono::milliseconds;

TEST_CASE("without a rate a whole burst may always go") {
    CHECK(pacer(std::nullopt).unbounded());
    CHECK(pacer(std::nullopt).allowed(1'000'000) == skein::burst::capacity);
}

TEST_CASE("at a rate the first packet goes at once and each other when it is due") {
    const pacer::clock::time_point start{};
    const pacer pace(1000, start);
    CHECK_FALSE(pace.unbounded());
    CHECK(pace.allowed(0, start) == 1);
    CHECK(pace.allowed(1, start) == 0);
    CHECK(pace.allowed(1, start + milliseconds{10}) == 10);
    CHECK(pace.allowed(2000, start + milliseconds{1000}) == 0);
}

TEST_CASE("queues share a rate to the last packet") {
    const auto later = pacer::clock::now() + std::chrono::hours{1};
    std::uint64_t due = 0;
    for (std::size_t queue = 0; queue < 3; ++queue)
        due += pacer::share(10, queue, 3).allowed(0, later);
    CHECK(due >= 10u * 3600u);
    CHECK(due <= 10u * 3600u + 3u + 10u);
    CHECK(pacer::share(2, 2, 3).allowed(0, later) == 0);
    CHECK(pacer::share(0, 0, 3).unbounded());
}
