// SPDX-License-Identifier: Apache-2.0
#include "packet_limit.hpp"

#include <thread>
#include <vector>

#include "support/catch.hpp"

using skein::tool::packet_limit;

TEST_CASE("without a limit everything wanted is granted") {
    packet_limit limit(0);
    CHECK(limit.claim(64) == 64);
    limit.settle(64, 64);
    CHECK(limit.claim(64) == 64);
    CHECK_FALSE(limit.reached());
}

TEST_CASE("no more is granted than the limit has left") {
    packet_limit limit(100);
    CHECK(limit.claim(64) == 64);
    CHECK(limit.claim(64) == 36);
    CHECK(limit.claim(64) == 0);
    CHECK_FALSE(limit.reached());  // claimed, and nothing handled yet
}

TEST_CASE("what was claimed and not handled can be claimed again") {
    packet_limit limit(10);
    CHECK(limit.claim(64) == 10);
    limit.settle(10, 3);
    CHECK_FALSE(limit.reached());
    CHECK(limit.claim(64) == 7);
    limit.settle(7, 7);
    CHECK(limit.reached());
}

TEST_CASE("threads handle exactly the limit together") {
    constexpr std::uint64_t packets = 100'003;
    packet_limit limit(packets);
    std::atomic<std::uint64_t> handled{0};
    std::vector<std::thread> shards;
    for (std::size_t shard = 1; shard <= 4; ++shard) {
        shards.emplace_back([&limit, &handled, shard] {
            while (!limit.reached()) {
                const auto claimed = limit.claim(16 * shard);
                const auto done =
                    (claimed + shard - 1) / shard;  // some find less than they claimed
                limit.settle(claimed, done);
                handled += done;
            }
        });
    }
    for (auto& shard : shards)
        shard.join();
    CHECK(handled == packets);
}
