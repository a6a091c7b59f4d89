// SPDX-License-Identifier: Apache-2.0
#include "quartiles.hpp"

#include <algorithm>

namespace skein::tool {

quartiles quartiles_of(std::vector<std::uint64_t> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto ranked = [&](std::size_t quarter) {
        const auto rank = (values.size() * quarter + 3) / 4;  // rounded up, from 1
        return values[rank - 1];
    };
    return {ranked(1), ranked(2), ranked(3)};
}

}  // namespace skein::tool
