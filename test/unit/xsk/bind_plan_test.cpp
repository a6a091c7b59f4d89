// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include <skein/xsk/bind_plan.hpp>
#include <skein/xsk/uapi.hpp>

#include "support/catch.hpp"

using namespace skein::xsk;

namespace {

constexpr auto zc = uapi::bind_zero_copy;
constexpr auto copy = uapi::bind_copy;
constexpr auto sg = uapi::bind_scatter_gather;
constexpr auto wake = uapi::bind_need_wakeup;

using flags = std::vector<std::uint16_t>;

}  // namespace

TEST_CASE("by default everything is asked for, best first") {
    CHECK(bind_plan({}) ==
          flags{zc | sg | wake, zc | wake, zc, copy | sg | wake, copy | wake, copy});
}

TEST_CASE("what is forbidden is never asked for, what is required never left out") {
    for (const auto zero_copy : {choice::automatic, choice::required, choice::forbidden}) {
        for (const auto pieces : {choice::automatic, choice::required, choice::forbidden}) {
            const auto plan = bind_plan({zero_copy, pieces, false});
            REQUIRE_FALSE(plan.empty());
            for (const auto f : plan) {
                CHECK(((f & zc) != 0) != ((f & copy) != 0));
                if (zero_copy == choice::required) CHECK((f & zc) != 0);
                if (zero_copy == choice::forbidden) CHECK((f & zc) == 0);
                if (pieces == choice::required) CHECK((f & sg) != 0);
                if (pieces == choice::forbidden) CHECK((f & sg) == 0);
            }
        }
    }
}

TEST_CASE("an MTU beyond a frame leaves only scatter-gather") {
    CHECK(bind_plan({choice::automatic, choice::automatic, true}) ==
          flags{zc | sg | wake, copy | sg | wake});
}

TEST_CASE("need_wakeup is left out where it is forbidden, and insisted on where it is required") {
    CHECK(bind_plan({.scatter_gather = choice::forbidden, .need_wakeup = choice::forbidden}) ==
          flags{zc, copy});
    CHECK(bind_plan({.need_wakeup = choice::required}) ==
          flags{zc | sg | wake, zc | wake, copy | sg | wake, copy | wake});
}

TEST_CASE("flags read as words") {
    CHECK(describe_bind_flags(zc | sg | wake) == "zero-copy, scatter-gather, need_wakeup");
    CHECK(describe_bind_flags(uapi::bind_shared_umem) == "shared UMEM");
    CHECK(describe_bind_flags(copy) == "copy");
}

TEST_CASE("a result reads as one line with what was refused") {
    bind_result result;
    result.zero_copy = true;
    result.scatter_gather = true;
    result.attempts = {{zc | sg | wake, 0}};
    CHECK(to_string(result) == "zero-copy, scatter-gather");

    result = {};
    result.need_wakeup = true;
    result.tx_budget = 32;
    result.busy_wait = std::chrono::microseconds{1500};
    result.attempts = {{zc | sg | wake, EOPNOTSUPP}, {copy | sg | wake, EINVAL}, {copy | wake, 0}};
    result.notes = {"TX budget stays 32"};
    const auto text = to_string(result);
    CHECK(
        text.starts_with("copy, no scatter-gather, need_wakeup, TX budget 32, "
                         "waited 1500 us for the queue ("));
    CHECK(text.find("zero-copy refused: EOPNOTSUPP") != std::string::npos);
    CHECK(text.find("scatter-gather refused: EOPNOTSUPP") != std::string::npos);
    CHECK(text.find("TX budget stays 32") != std::string::npos);
}
