// SPDX-License-Identifier: Apache-2.0
// What a test does where it lacks privileges: it is skipped (exit status 77, which ctest knows), or
// fails where SKEIN_REQUIRE_NETNS=1 promises that privileges are there.
//
// Catch2 version 2 cannot skip at run time, so the whole program exits; ctest runs each case in a
// process of its own.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/catch.hpp"

namespace skein::test {

inline bool skips_are_failures() {
    const char* value = std::getenv("SKEIN_REQUIRE_NETNS");
    return value != nullptr && std::string_view(value) == "1";
}

// Call it where something the test needs is missing.
inline void skip(const std::string& reason) {
    if (skips_are_failures()) FAIL("SKEIN_REQUIRE_NETNS=1, but " << reason);
    std::fprintf(stderr, "skipped: %s\n", reason.c_str());
    std::exit(77);
}

}  // namespace skein::test
