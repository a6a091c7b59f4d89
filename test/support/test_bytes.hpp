// SPDX-License-Identifier: Apache-2.0
// Bytes and addresses as tests write them. A text that is not what it should be throws: a fault of
// the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <skein/wire/address.hpp>

namespace skein::test {

using bytes = std::vector<std::byte>;

// Bytes from hexadecimal digits; blanks are skipped.
bytes from_hex(std::string_view digits);

// Bytes that differ from their neighbours, from the same start always the same.
bytes pattern(std::size_t size, std::uint8_t start = 1);

wire::mac_address mac(std::string_view text);
wire::ipv4_address ipv4(std::string_view text);
wire::ipv6_address ipv6(std::string_view text);

// The CRC32c of SCTP, bit by bit.
std::uint32_t slow_crc32c(std::span<const std::byte> data);

}  // namespace skein::test
