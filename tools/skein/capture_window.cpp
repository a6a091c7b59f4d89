// SPDX-License-Identifier: Apache-2.0
#include "capture_window.hpp"

#include <algorithm>

namespace skein::tool {

void capture_window::fill(std::size_t n) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    while (end_ < n) {
        if (end_ == buffer_.size()) buffer_.resize(std::min(n, 2 * buffer_.size()));
        const auto got = input_->read(std::span(buffer_).subspan(end_));
        if (got == 0) break;
        end_ += got;
    }
}

std::uint64_t capture_window::skip(std::uint64_t n) {
    std::uint64_t skipped = 0;
    while (skipped < n) {
        const auto here = peek(static_cast<std::size_t>(
            std::min<std::uint64_t>(n - skipped, std::max<std::size_t>(1, end_ - begin_))));
        if (here.empty()) break;
        begin_ += here.size();
        skipped += here.size();
    }
    position_ += skipped;
    return skipped;
}

}  // namespace skein::tool
