// SPDX-License-Identifier: Apache-2.0
// Where a parser reads from: contiguous bytes, or just these few copied into scratch.
//
// A packet may lie in many segments. It is never rearranged to be read: a reader asks for n bytes
// at an offset and gets a pointer to n contiguous bytes, in place where they lie in one segment,
// else copied to the scratch space it brought along. The pointer is null when the bytes are not all
// there. It is valid as long as the packet and the scratch are.
//
// Anything with this peek and size is a byte_source. contiguous_source is the plain one, over a
// span; sub_source narrows another source to a window.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>

namespace skein::inline v0 {

template <class Source>
concept byte_source = requires(const Source& source, std::size_t n, std::byte* scratch) {
    { source.peek(n, n, scratch) }
    noexcept->std::same_as<const std::byte*>;
    { source.size() }
    noexcept->std::convertible_to<std::size_t>;
};

class contiguous_source {
  public:
    explicit contiguous_source(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    const std::byte* peek(std::size_t offset, std::size_t n, std::byte*) const noexcept {
        if (offset > bytes_.size() || n > bytes_.size() - offset) return nullptr;
        return bytes_.data() + offset;
    }
    std::size_t size() const noexcept { return bytes_.size(); }

  private:
    std::span<const std::byte> bytes_;
};

// At most length bytes of another source, from offset on. The source must outlive it.
template <byte_source Source>
class sub_source {
  public:
    sub_source(const Source& source, std::size_t offset, std::size_t length) noexcept
        : source_(source),
          offset_(std::min(offset, source.size())),
          size_(std::min(length, source.size() - offset_)) {}

    const std::byte* peek(std::size_t offset, std::size_t n, std::byte* scratch) const noexcept {
        if (offset > size_ || n > size_ - offset) return nullptr;
        return source_.peek(offset_ + offset, n, scratch);
    }
    std::size_t size() const noexcept { return size_; }

  private:
    const Source& source_;
    std::size_t offset_;
    std::size_t size_;
};

}  // namespace skein::inline v0
