// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include <skein/xsk/error.hpp>

#include "support/catch.hpp"

using namespace skein::xsk;

TEST_CASE("a set-up error reads as a sentence with the errno's name") {
    const setup_error error(EBUSY, {.operation = "bind", .interface = "veth0", .queue = 3});
    CHECK(std::string(error.what()) == "bind on veth0 queue 3: EBUSY (Device or resource busy)");
    CHECK(error.code() == std::errc::device_or_resource_busy);
    CHECK(error.remedy().empty());
}

TEST_CASE("a known cause comes before the errno, which stays visible") {
    const setup_error error(EINVAL, {.operation = "choose queue",
                                     .cause = "the device has 1 queue",
                                     .remedy = "choose queue 0"});
    CHECK(std::string(error.what()) ==
          "choose queue: the device has 1 queue [EINVAL (Invalid argument)]");
    CHECK(error.remedy() == "choose queue 0");
}

TEST_CASE("an error without an errno names none") {
    const setup_error error(0, {.operation = "attach", .cause = "no program"});
    CHECK(std::string(error.what()) == "attach: no program");
}

TEST_CASE("an errno without a name is still told") {
    CHECK(errno_text(ENOBUFS) == "ENOBUFS (No buffer space available)");
    CHECK(errno_text(12345) == "errno 12345");
}
