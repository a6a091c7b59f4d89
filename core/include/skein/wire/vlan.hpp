// SPDX-License-Identifier: Apache-2.0
// VLAN tags (IEEE 802.1Q §9): a TPID where the type would be, then 4 bytes a tag.
//
//      0      2        4          6
//     | TPID | TCI    | type ... |        TCI = PCP (3 bits) DEI (1) VID (12)
//            |<- vlan_view ->|
//
// TPIDs are 0x8100, 0x88a8 and, from before 802.1ad, 0x9100 (is_vlan_tpid in types.hpp). Tags are
// listed outermost first. A VID of 0 is a priority tag: a tag all the same. The view covers the 4
// bytes after the TPID, because the TPID is the type field of what comes before.
#pragma once

#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

// Tag control information. Values out of range lose their upper bits.
struct vlan_tci {
    std::uint16_t word = 0;

    constexpr std::uint16_t vid() const noexcept { return word & 0x0fff; }
    constexpr std::uint8_t pcp() const noexcept { return static_cast<std::uint8_t>(word >> 13); }
    constexpr bool dei() const noexcept { return (word & 0x1000) != 0; }

    constexpr vlan_tci with_vid(std::uint16_t vid) const noexcept {
        return {static_cast<std::uint16_t>((word & 0xf000) | (vid & 0x0fff))};
    }
    constexpr vlan_tci with_pcp(std::uint8_t pcp) const noexcept {
        return {static_cast<std::uint16_t>((word & 0x1fff) | ((pcp & 7) << 13))};
    }
    constexpr vlan_tci with_dei(bool dei) const noexcept {
        return {static_cast<std::uint16_t>((word & 0xefff) | (dei ? 0x1000 : 0))};
    }
    friend constexpr bool operator==(vlan_tci, vlan_tci) noexcept = default;
};

// One tag as recorded: which kind, one of is_vlan_tpid's, and what it says.
struct vlan_tag {
    ether_type tpid{};
    vlan_tci tci = {};

    // Kind and VID alone tell flows apart; priority is no part of a VLAN's identity.
    constexpr bool same_vlan(const vlan_tag& other) const noexcept {
        return tpid == other.tpid && tci.vid() == other.tci.vid();
    }
    friend constexpr bool operator==(vlan_tag, vlan_tag) noexcept = default;
};

template <view_byte Byte>
class basic_vlan_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 4;

    static constexpr checked<basic_vlan_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return parse_reason::vlan_truncated;
        return basic_vlan_view(bytes.first(size_bytes));
    }
    constexpr operator basic_vlan_view<const std::byte>() const noexcept
        requires(base::is_mutable) {
        return basic_vlan_view<const std::byte>(this->bytes());
    }

    constexpr vlan_tci tci() const noexcept { return {this->load16(0)}; }
    // Type of what follows: perhaps a TPID again.
    constexpr ether_type type() const noexcept { return ether_type{this->load16(2)}; }

    constexpr void set_tci(vlan_tci tci) const noexcept requires(base::is_mutable) {
        this->store16(0, tci.word);
    }
    constexpr void set_type(ether_type type) const noexcept requires(base::is_mutable) {
        this->store16(2, number(type));
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_vlan_view;
    constexpr explicit basic_vlan_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using vlan_view = basic_vlan_view<const std::byte>;
using vlan_mutable_view = basic_vlan_view<std::byte>;

// The 4 bytes after a TPID.
struct vlan_header {
    vlan_tci tci = {};
    ether_type type = ether_type::ipv4;

    static constexpr vlan_header parse(vlan_view view) noexcept {
        return {view.tci(), view.type()};
    }
    constexpr std::size_t size_bytes() const noexcept { return vlan_view::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        const auto view = vlan_mutable_view::check(out);
        if (!view) return 0;
        view->set_tci(tci);
        view->set_type(type);
        return size_bytes();
    }
    friend constexpr bool operator==(const vlan_header&, const vlan_header&) noexcept = default;
};

}  // namespace skein::inline v0::wire
