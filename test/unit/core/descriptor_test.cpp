// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <skein/descriptor.hpp>

#include "support/catch.hpp"

using namespace skein;

TEST_CASE("a descriptor is 16 bytes: address, length, options") {
    const descriptor d{.address = 0x0102030405060708, .length = 0x11121314, .options = 0x21222324};
    std::uint32_t words[4];
    static_assert(sizeof words == sizeof d);
    std::memcpy(words, &d, sizeof d);
    std::uint64_t address = 0;
    std::memcpy(&address, &d, sizeof address);
    CHECK(address == d.address);
    CHECK(words[2] == d.length);
    CHECK(words[3] == d.options);
    CHECK((descriptor_continues & descriptor_has_metadata) == 0);
}
