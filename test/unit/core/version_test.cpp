// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <skein/version.hpp>

#include "support/catch.hpp"

TEST_CASE("the header's version is the one the macros state and the build was told") {
    CHECK(skein::header_version.major == SKEIN_VERSION_MAJOR);
    CHECK(skein::header_version.minor == SKEIN_VERSION_MINOR);
    CHECK(skein::header_version.patch == SKEIN_VERSION_PATCH);
    const auto text = std::to_string(SKEIN_VERSION_MAJOR) + "." +
                      std::to_string(SKEIN_VERSION_MINOR) + "." +
                      std::to_string(SKEIN_VERSION_PATCH);
    CHECK(text == SKEIN_TEST_PROJECT_VERSION);
}
