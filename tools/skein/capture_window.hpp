// SPDX-License-Identifier: Apache-2.0
// A window that moves over a byte stream: look at the next n bytes, then step over them.
//
//     ....consumed....|<------- peek(n) ------->|.... not read yet ....
//                     ^ position()
//
// Memory: one buffer of 64 KiB. It grows only to what a peek asked for and only while bytes really
// arrive, so a length field that lies costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "byte_stream.hpp"

namespace skein::tool {

class capture_window {
  public:
    explicit capture_window(byte_input& input) : input_(&input), buffer_(initial_bytes) {}

    // The next n bytes, contiguous; fewer at the end of the stream. Valid until the next call.
    std::span<const std::byte> peek(std::size_t n) {
        if (end_ - begin_ < n) fill(n);
        return {buffer_.data() + begin_, end_ - begin_ < n ? end_ - begin_ : n};
    }

    // Steps over n bytes, or to the end of the stream; returns how many.
    std::uint64_t skip(std::uint64_t n);

    // How many bytes were stepped over.
    std::uint64_t position() const noexcept { return position_; }

  private:
    static constexpr std::size_t initial_bytes = 64 << 10;

    void fill(std::size_t n);

    byte_input* input_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0;  // buffer_[begin_, end_) was read and not stepped over
    std::size_t end_ = 0;
    std::uint64_t position_ = 0;
};

}  // namespace skein::tool
