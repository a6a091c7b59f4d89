// SPDX-License-Identifier: Apache-2.0
// What holds of every result of parse_packet, whatever the bytes.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include <skein/parse.hpp>

namespace skein::test {

// The combinations of parse_options that differ.
std::array<parse_options, 5> every_parse_option();

// The name of the first invariant that does not hold; empty where all do. The bytes are those that
// were parsed. Views are made over everything found, and all they offer is read.
std::string_view violated_invariant(std::span<const std::byte> bytes, const parsed_headers& found);

}  // namespace skein::test
