// SPDX-License-Identifier: Apache-2.0
#include "support/test_bytes.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace skein::test {

namespace {

// A text that is not an address is a fault of the test.
template <class Address>
Address required(std::optional<Address> address, std::string_view text) {
    if (!address) throw std::invalid_argument("not an address: " + std::string(text));
    return *address;
}

unsigned hex_digit(char c) {
    const std::string_view digits = "0123456789abcdef";
    const auto at = digits.find(c);
    if (at == digits.npos) throw std::invalid_argument("not a hexadecimal digit");
    return static_cast<unsigned>(at);
}

}  // namespace

bytes from_hex(std::string_view digits) {
    std::string plain;
    for (const char c : digits)
        if (c != ' ' && c != '\n') plain += c;
    if (plain.size() % 2 != 0) throw std::invalid_argument("odd number of digits");
    bytes result;
    for (std::size_t i = 0; i < plain.size(); i += 2)
        result.push_back(
            static_cast<std::byte>(hex_digit(plain[i]) << 4 | hex_digit(plain[i + 1])));
    return result;
}

bytes pattern(std::size_t size, std::uint8_t start) {
    bytes result(size);
    unsigned value = start;
    for (std::byte& byte : result) {
        byte = static_cast<std::byte>(value & 0xff);
        value = value * 5 + 3;
    }
    return result;
}

wire::mac_address mac(std::string_view text) {
    return required(wire::parse_mac(text), text);
}
wire::ipv4_address ipv4(std::string_view text) {
    return required(wire::parse_ipv4(text), text);
}
wire::ipv6_address ipv6(std::string_view text) {
    return required(wire::parse_ipv6(text), text);
}

std::uint32_t slow_crc32c(std::span<const std::byte> data) {
    constexpr std::uint32_t reflected_polynomial = 0x82f63b78;
    std::uint32_t crc = 0xffffffff;
    for (const std::byte byte : data) {
        crc ^= std::to_integer<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? reflected_polynomial : 0);
    }
    return ~crc;
}

}  // namespace skein::test
