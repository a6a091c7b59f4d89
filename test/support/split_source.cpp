// SPDX-License-Identifier: Apache-2.0
#include "support/split_source.hpp"

#include <algorithm>

namespace skein::test {

split_source::split_source(std::span<const std::byte> bytes, std::span<const std::size_t> cuts)
    : size_(bytes.size()) {
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
        const auto piece = bytes.subspan(begin, cut - begin);
        pieces_.emplace_back(piece.begin(), piece.end());
        begin = cut;
    }
    const auto rest = bytes.subspan(begin);
    pieces_.emplace_back(rest.begin(), rest.end());
}

const std::byte* split_source::peek(std::size_t offset, std::size_t n,
                                    std::byte* scratch) const noexcept {
    if (offset > size_ || n > size_ - offset) return nullptr;
    std::size_t copied = 0;
    for (const auto& piece : pieces_) {
        if (offset >= piece.size()) {
            offset -= piece.size();
            continue;
        }
        const std::size_t here = std::min(n - copied, piece.size() - offset);
        if (here == n) return piece.data() + offset;
        std::copy_n(piece.data() + offset, here, scratch + copied);
        copied += here;
        offset = 0;
        if (copied == n) break;
    }
    return scratch;
}

std::vector<std::size_t> random_cuts(random_numbers& random, std::size_t size,
                                     std::size_t max_cuts) {
    std::vector<std::size_t> cuts(random.between(0, max_cuts));
    for (std::size_t& cut : cuts)
        cut = random.between(0, size);
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

}  // namespace skein::test
