// SPDX-License-Identifier: Apache-2.0
// Lists of options as IPv4 and TCP write them, and the room a value keeps for them.
//
//     kind 0: end of list     kind 1: no operation     other: | kind | length | data ... |
//
// Both protocols use the same form (RFC 791 §3.1, RFC 9293 §3.1); length counts its own two bytes.
// option_list is a range over one. It ends at the end of the bytes, at kind 0, or at the first
// option that does not fit: whoever must know which asks is_well_formed(). No-operations are
// skipped. Every step moves on by at least one byte, so the walk is bounded by 40 steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include <skein/endian.hpp>

namespace skein::inline v0::wire {

inline constexpr std::uint8_t option_end = 0;
inline constexpr std::uint8_t option_no_operation = 1;

struct option {
    std::uint8_t kind = option_end;
    std::span<const std::byte> data = {};  // without kind and length
};

class option_list {
  public:
    class iterator {
      public:
        using value_type = option;
        using difference_type = std::ptrdiff_t;

        constexpr iterator() noexcept = default;
        constexpr explicit iterator(std::span<const std::byte> rest) noexcept : rest_(rest) {
            settle();
        }
        constexpr const option& operator*() const noexcept { return current_; }
        constexpr const option* operator->() const noexcept { return &current_; }
        constexpr iterator& operator++() noexcept {
            rest_ = rest_.subspan(2 + current_.data.size());
            settle();
            return *this;
        }
        constexpr void operator++(int) noexcept { ++*this; }
        friend constexpr bool operator==(const iterator& it, std::default_sentinel_t) noexcept {
            return it.state_ != state::at_option;
        }
        constexpr bool is_malformed() const noexcept { return state_ == state::malformed; }

      private:
        enum class state : std::uint8_t { at_option, ended, malformed };

        // Skips no-operations and looks at what stands here.
        constexpr void settle() noexcept {
            while (!rest_.empty() && kind() == option_no_operation)
                rest_ = rest_.subspan(1);
            state_ = look();
        }
        constexpr state look() noexcept {
            if (rest_.empty() || kind() == option_end) return state::ended;
            if (rest_.size() < 2) return state::malformed;
            const auto length = std::to_integer<std::size_t>(rest_[1]);
            if (length < 2 || length > rest_.size()) return state::malformed;
            current_ = {kind(), rest_.subspan(2, length - 2)};
            return state::at_option;
        }
        constexpr std::uint8_t kind() const noexcept {
            return std::to_integer<std::uint8_t>(rest_[0]);
        }

        std::span<const std::byte> rest_;
        option current_;
        state state_ = state::ended;
    };

    constexpr option_list() noexcept = default;
    constexpr explicit option_list(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    constexpr iterator begin() const noexcept { return iterator(bytes_); }
    constexpr std::default_sentinel_t end() const noexcept { return {}; }

    constexpr bool is_well_formed() const noexcept {
        auto it = begin();
        while (it != end())
            ++it;
        return !it.is_malformed();
    }
    // The first option of that kind.
    constexpr std::optional<option> find(std::uint8_t kind) const noexcept {
        for (const option& candidate : *this)
            if (candidate.kind == kind) return candidate;
        return std::nullopt;
    }

  private:
    std::span<const std::byte> bytes_;
};

// Up to 40 bytes of options, always a multiple of 4, filled up with kind 0.
class option_block {
  public:
    static constexpr std::size_t capacity_bytes = 40;

    constexpr option_block() noexcept = default;

    constexpr std::span<const std::byte> bytes() const noexcept {
        return std::span(bytes_).first(size_bytes());
    }
    constexpr std::size_t size_bytes() const noexcept { return (used_ + 3) & ~std::size_t{3}; }
    constexpr option_list options() const noexcept { return option_list(bytes()); }

    // Each appends and returns true, or returns false where there is no room.
    constexpr bool append_raw(std::span<const std::byte> raw) noexcept {
        if (raw.size() > capacity_bytes - used_) return false;
        std::copy(raw.begin(), raw.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(used_));
        used_ += raw.size();
        return true;
    }
    constexpr bool append(std::uint8_t kind, std::span<const std::byte> data) noexcept {
        if (data.size() + 2 > capacity_bytes - used_) return false;
        bytes_[used_] = std::byte{kind};
        bytes_[used_ + 1] = static_cast<std::byte>(data.size() + 2);
        used_ += 2;
        return append_raw(data);
    }
    constexpr bool append_no_operation() noexcept {
        return append_raw(std::array{std::byte{option_no_operation}});
    }

    friend constexpr bool operator==(const option_block& a, const option_block& b) noexcept {
        return std::ranges::equal(a.bytes(), b.bytes());
    }

  private:
    std::array<std::byte, capacity_bytes> bytes_{};
    std::size_t used_ = 0;
};

}  // namespace skein::inline v0::wire
