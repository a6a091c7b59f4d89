// SPDX-License-Identifier: Apache-2.0
#include "capture_window.hpp"

#include "replay/capture_maker.hpp"
#include "support/catch.hpp"
#include "unit/tools/memory_stream.hpp"

using namespace skein::test;
using skein::tool::capture_window;

TEST_CASE("a window shows what lies ahead and steps over it, however the bytes arrive") {
    const auto piece = GENERATE(1u, 7u, 4096u, 1u << 30);
    const auto bytes = pattern(1'000'000);
    memory_input input(bytes, piece);
    capture_window window(input);
    std::size_t at = 0;
    for (const std::size_t step : {0u, 1u, 3u, 100'000u, 262'144u, 262'145u, 12u}) {
        const auto seen = window.peek(step);
        REQUIRE(seen.size() == step);
        REQUIRE(
            std::equal(seen.begin(), seen.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at)));
        REQUIRE(window.skip(step) == step);
        at += step;
        REQUIRE(window.position() == at);
    }
}

TEST_CASE("a window ends where the stream does") {
    const auto bytes = pattern(100);
    memory_input input(bytes, 9);
    capture_window window(input);
    CHECK(window.peek(std::size_t{1} << 40).size() == 100);
    CHECK(window.skip(60) == 60);
    CHECK(window.peek(50).size() == 40);
    CHECK(window.skip(std::uint64_t{1} << 60) == 40);
    CHECK(window.peek(1).empty());
    CHECK(window.skip(1) == 0);
    CHECK(window.position() == 100);
}
