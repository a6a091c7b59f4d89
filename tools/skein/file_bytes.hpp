// SPDX-License-Identifier: Apache-2.0
// Integers in a capture file: in the byte order of the machine that wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <skein/endian.hpp>

namespace skein::tool {

// Loads integers that may be in the other byte order. The caller vouches for the length.
class file_bytes {
  public:
    explicit file_bytes(bool swapped = false) noexcept : swapped_(swapped) {}

    std::uint16_t u16(const std::byte* at) const noexcept { return load<std::uint16_t>(at); }
    std::uint32_t u32(const std::byte* at) const noexcept { return load<std::uint32_t>(at); }
    std::uint64_t u64(const std::byte* at) const noexcept { return load<std::uint64_t>(at); }

  private:
    template <class T>
    T load(const std::byte* at) const noexcept {
        T value;
        std::memcpy(&value, at, sizeof value);
        return swapped_ ? detail::swap_bytes(value) : value;
    }

    bool swapped_;
};

}  // namespace skein::tool
