// SPDX-License-Identifier: Apache-2.0
// The VLAN tags of one packet, outermost first: up to eight.
//
// Tags beyond size() are not initialised, because clearing them would cost every untagged packet
// more than its parsing.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include <skein/wire/vlan.hpp>

namespace skein::inline v0::wire {

inline constexpr std::size_t max_vlan_tags = 8;

class vlan_stack {
  public:
    vlan_stack() noexcept : size_(0) {}

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    bool is_full() const noexcept { return size_ == max_vlan_tags; }

    // 0 is the outermost.
    vlan_tag operator[](std::size_t index) const noexcept {
        assert(index < size_);
        return {tags_[index].tpid, {tags_[index].tci}};
    }
    // Further inside than all before; only where it is not full.
    void push(vlan_tag tag) noexcept {
        assert(!is_full());
        tags_[size_++] = {tag.tpid, tag.tci.word};
    }

    friend bool operator==(const vlan_stack& a, const vlan_stack& b) noexcept {
        return a.is_equal_by(b, [](vlan_tag x, vlan_tag y) { return x == y; });
    }
    // The same VLAN in the same depth, whatever the priorities.
    bool same_vlans(const vlan_stack& other) const noexcept {
        return is_equal_by(other, [](vlan_tag x, vlan_tag y) { return x.same_vlan(y); });
    }

  private:
    struct plain_tag {  // a vlan_tag that starts without a value
        ether_type tpid;
        std::uint16_t tci;
    };

    template <class Same>
    bool is_equal_by(const vlan_stack& other, Same same) const noexcept {
        if (size_ != other.size_) return false;
        for (std::size_t i = 0; i < size_; ++i)
            if (!same((*this)[i], other[i])) return false;
        return true;
    }

    std::uint32_t size_;
    std::array<plain_tag, max_vlan_tags> tags_;
};

}  // namespace skein::inline v0::wire
