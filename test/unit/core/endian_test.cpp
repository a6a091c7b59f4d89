// SPDX-License-Identifier: Apache-2.0
#include <skein/endian.hpp>

#include <cstring>
#include <vector>

#include "support/catch.hpp"

using namespace skein;

namespace {

template <class Integer>
std::vector<int> raw_bytes(const Integer& integer) {
    std::vector<int> bytes;
    for (const std::byte byte : integer.bytes())
        bytes.push_back(std::to_integer<int>(byte));
    return bytes;
}

}  // namespace

TEST_CASE("a big-endian integer keeps its most significant byte first") {
    CHECK(raw_bytes(be16(0x1234)) == std::vector{0x12, 0x34});
    CHECK(raw_bytes(be32(0x12345678)) == std::vector{0x12, 0x34, 0x56, 0x78});
    CHECK(raw_bytes(be64(0x0102030405060708)) == std::vector{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("a big-endian integer gives back the host's value") {
    CHECK(be16(0xfffe).value() == 0xfffe);
    CHECK(be32(0xdeadbeef).value() == 0xdeadbeef);
    CHECK(be64(0xfedcba9876543210).value() == 0xfedcba9876543210);
    CHECK(be32().value() == 0);
}

TEST_CASE("a big-endian integer may lie at any address of a packet") {
    std::vector<std::byte> packet(16, std::byte{0xa5});
    for (std::size_t offset = 0; offset < 8; ++offset) {
        const be32 written(0x01020304);
        std::memcpy(&packet[offset], &written, sizeof written);
        be32 read;
        std::memcpy(&read, &packet[offset], sizeof read);
        CHECK(read == written);
    }
}

TEST_CASE("constant evaluation and run time agree on byte order") {
    constexpr be32 constant(0x0a0b0c0d);
    static_assert(constant.value() == 0x0a0b0c0d);
    volatile std::uint32_t hidden = 0x0a0b0c0d;
    const be32 runtime(hidden);
    CHECK(runtime == constant);
    CHECK(runtime.value() == constant.value());
}

TEST_CASE("load_be and store_be touch exactly the bytes of their type") {
    std::vector<std::byte> bytes(6, std::byte{0xa5});
    store_be(&bytes[2], std::uint16_t{0x0102});
    CHECK(bytes[1] == std::byte{0xa5});
    CHECK(bytes[2] == std::byte{1});
    CHECK(bytes[3] == std::byte{2});
    CHECK(bytes[4] == std::byte{0xa5});
    CHECK(load_be<std::uint16_t>(&bytes[2]) == 0x0102);
    CHECK(load_be<std::uint8_t>(&bytes[3]) == 2);
}
