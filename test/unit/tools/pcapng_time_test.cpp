// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "pcapng_reader.hpp"
#include "support/catch.hpp"

using skein::tool::pcapng_time;

namespace {

constexpr auto most = ~std::uint64_t{0};

}  // namespace

TEST_CASE("timestamps of any resolution become nanoseconds") {
    CHECK(pcapng_time().nanoseconds(1'234'567) == 1'234'567'000);
    CHECK(pcapng_time(0, 0).nanoseconds(7) == 7'000'000'000);
    CHECK(pcapng_time(3, 0).nanoseconds(7) == 7'000'000);
    CHECK(pcapng_time(9, 0).nanoseconds(most) == most);
    CHECK(pcapng_time(12, 0).nanoseconds(1'999) == 1);
    CHECK(pcapng_time(0x80 | 1, 0).nanoseconds(3) == 1'500'000'000);
    CHECK(pcapng_time(0x80 | 32, 0).nanoseconds(std::uint64_t{5} << 31) == 2'500'000'000);
    CHECK(pcapng_time(0x80, 0).nanoseconds(2) == 2'000'000'000);
}

TEST_CASE("an offset is added, and time stays between 1970 and 2554") {
    CHECK(pcapng_time(6, 10).nanoseconds(5) == 10'000'005'000);
    CHECK(pcapng_time(6, -10).nanoseconds(11'000'000) == 1'000'000'000);
    CHECK(pcapng_time(6, -10).nanoseconds(5) == 0);
    CHECK(pcapng_time(0, 0).nanoseconds(most) == most);
    CHECK(pcapng_time(6, 0).nanoseconds(most) == most);
    CHECK(pcapng_time(9, std::numeric_limits<std::int64_t>::max()).nanoseconds(1) == most);
    CHECK(pcapng_time(9, std::numeric_limits<std::int64_t>::min()).nanoseconds(most) == 0);
}

TEST_CASE("every resolution byte is coped with") {
    for (unsigned byte = 0; byte < 256; ++byte) {
        const pcapng_time time(static_cast<std::uint8_t>(byte), 0);
        CHECK(time.nanoseconds(0) == 0);
        CHECK(time.nanoseconds(most) >= time.nanoseconds(most / 2));
    }
}

TEST_CASE("finer than a microsecond is known as such") {
    CHECK_FALSE(pcapng_time(6, 0).finer_than_microseconds());
    CHECK(pcapng_time(7, 0).finer_than_microseconds());
    CHECK_FALSE(pcapng_time(0x80 | 19, 0).finer_than_microseconds());
    CHECK(pcapng_time(0x80 | 20, 0).finer_than_microseconds());
}
