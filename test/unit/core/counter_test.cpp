// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <skein/counter.hpp>

#include "support/catch.hpp"

using skein::counter;

TEST_CASE("a counter counts, and its copy keeps the value it had") {
    counter a;
    ++a;
    a += 41;
    const counter b = a;
    a.add(1);
    CHECK(a.value() == 43);
    CHECK(b.value() == 42);
    counter c;
    c = a;
    CHECK(c.value() == 43);
}

TEST_CASE("a reader in another thread sees values that only grow") {
    counter shared;
    std::thread writer([&] {
        for (int i = 0; i < 100000; ++i)
            ++shared;
    });
    std::uint64_t last = 0;
    bool grows = true;
    while (last < 100000) {
        const auto now = shared.value();
        grows = grows && now >= last;
        last = now;
    }
    writer.join();
    CHECK(grows);
    CHECK(shared.value() == 100000);
}
