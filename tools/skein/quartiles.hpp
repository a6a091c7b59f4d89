// SPDX-License-Identifier: Apache-2.0
// What is typical of many measurements, and how far they lie apart.
#pragma once

#include <cstdint>
#include <vector>

namespace skein::tool {

struct quartiles {
    std::uint64_t lower = 0;
    std::uint64_t median = 0;
    std::uint64_t upper = 0;
};
// By nearest rank; zeros of nothing.
quartiles quartiles_of(std::vector<std::uint64_t> values);

}  // namespace skein::tool
