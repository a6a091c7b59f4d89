// SPDX-License-Identifier: Apache-2.0
// Opening and closing ports on a veth, again and again: how long it takes, and that nothing is
// left.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include <skein/xsk/port.hpp>

#include "support/catch.hpp"
#include "support/network_namespace.hpp"

using namespace skein::test;
using namespace skein::xsk;

namespace {

using clock_type = std::chrono::steady_clock;
using milliseconds = std::chrono::duration<double, std::milli>;

// What an open cost, the wait for the queue's last user apart.
struct opening {
    milliseconds set_up;
    milliseconds busy_wait;
};

opening open_and_close() {
    const auto start = clock_type::now();
    port opened({.interface = "cable"});
    const milliseconds took = clock_type::now() - start;
    const milliseconds waited = opened.bound().busy_wait;
    REQUIRE(opened.close().written_off.empty());
    return {took - waited, waited};
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Memory of this process that is resident now, and the part of it that is locked or mapped anew
// would show as growth.
std::size_t resident_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::size_t kib = 0;
        if (word == "VmRSS:" && status >> kib) return kib;
    }
    return 0;
}

}  // namespace

TEST_CASE("a port is set up within 100 ms, its program's loading included") {
    const network_namespace space;
    space.add_veth("cable");
    space.raise_veth("cable");
    std::vector<double> set_up;
    std::vector<double> waited;
    for (int i = 0; i < 31; ++i) {
        const auto [cost, wait] = open_and_close();
        set_up.push_back(cost.count());
        waited.push_back(wait.count());
    }
    std::cout << "port set-up on veth, 31 times: median " << median(set_up) << " ms, longest "
              << *std::max_element(set_up.begin(), set_up.end())
              << " ms; waiting for the queue apart: median " << median(waited) << " ms\n";
    CHECK(median(set_up) <= 100.0);
}

TEST_CASE("two hundred ports come and go and leave nothing") {
    const network_namespace space;
    space.add_veth("cable");
    space.raise_veth("cable");
    for (int i = 0; i < 20; ++i)
        open_and_close();
    const auto descriptors = open_descriptors();
    const auto resident = resident_kib();
    for (int i = 0; i < 200; ++i)
        open_and_close();
    CHECK(open_descriptors() == descriptors);
    CHECK(resident_kib() < resident + 2048);
    CHECK(attached_programs("cable").empty());
}

// The kernel releases a queue behind close(), from a workqueue: bind says EBUSY until then.
TEST_CASE("a queue just released is waited for, and that is said") {
    const network_namespace space;
    space.add_veth("cable");
    space.raise_veth("cable");
    std::string descriptions;
    for (int i = 0; i < 40; ++i) {
        port sender({.interface = "cable", .receives = false});
        descriptions += sender.description() + '\n';
        sender.close();
    }
    CHECK_THAT(descriptions, Catch::Contains(" us for the queue"));
}

TEST_CASE("a set-up that fails half way leaves nothing") {
    const network_namespace space;
    space.add_veth("cable");
    space.raise_veth("cable");
    const port holder({.interface = "cable", .receives = false});
    const port_options second{.interface = "cable", .busy_patience = std::chrono::milliseconds{5}};
    CHECK_THROWS_AS(port(second), setup_error);
    const auto descriptors = open_descriptors();
    for (int i = 0; i < 20; ++i)
        CHECK_THROWS_AS(port(second), setup_error);
    CHECK(open_descriptors() == descriptors);
    CHECK(attached_programs("cable").empty());
}
