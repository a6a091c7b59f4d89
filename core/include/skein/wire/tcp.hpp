// SPDX-License-Identifier: Apache-2.0
// The TCP header (RFC 9293 §3.1), 20 to 60 bytes.
//
//      0                 2                4
//     | source port     | destination port          |
//     | sequence number                             |
//     | acknowledgment number                       |
//     |offset| res | flags | window                 |
//     | checksum        | urgent pointer            |
//     | options, 0 to 40 bytes                      |
//
// Flags are 8 bits, CWR down to FIN; AE, bit 8 (RFC 9768), counts as a flag too. Options are
// walked with options(); mss(), window_scale() and so on find one and check its length.
#pragma once

#include <skein/wire/option.hpp>
#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

// A set of flags: tcp_flags::syn | tcp_flags::ack.
struct tcp_flags {
    std::uint16_t bits = 0;

    static const tcp_flags fin, syn, rst, psh, ack, urg, ece, cwr, ae;

    constexpr bool has(tcp_flags other) const noexcept { return (bits & other.bits) == other.bits; }
    constexpr bool has_any(tcp_flags other) const noexcept { return (bits & other.bits) != 0; }
    constexpr tcp_flags without(tcp_flags other) const noexcept {
        return {static_cast<std::uint16_t>(bits & ~other.bits)};
    }
    friend constexpr tcp_flags operator|(tcp_flags a, tcp_flags b) noexcept {
        return {static_cast<std::uint16_t>(a.bits | b.bits)};
    }
    friend constexpr bool operator==(tcp_flags, tcp_flags) noexcept = default;
};

inline constexpr tcp_flags tcp_flags::fin{0x001};
inline constexpr tcp_flags tcp_flags::syn{0x002};
inline constexpr tcp_flags tcp_flags::rst{0x004};
inline constexpr tcp_flags tcp_flags::psh{0x008};
inline constexpr tcp_flags tcp_flags::ack{0x010};
inline constexpr tcp_flags tcp_flags::urg{0x020};
inline constexpr tcp_flags tcp_flags::ece{0x040};
inline constexpr tcp_flags tcp_flags::cwr{0x080};
inline constexpr tcp_flags tcp_flags::ae{0x100};

inline constexpr std::uint8_t tcp_option_mss = 2;
inline constexpr std::uint8_t tcp_option_window_scale = 3;
inline constexpr std::uint8_t tcp_option_sack_permitted = 4;
inline constexpr std::uint8_t tcp_option_sack = 5;
inline constexpr std::uint8_t tcp_option_timestamps = 8;

struct tcp_timestamps {
    std::uint32_t value = 0;
    std::uint32_t echo_reply = 0;

    friend constexpr bool operator==(const tcp_timestamps&,
                                     const tcp_timestamps&) noexcept = default;
};

struct tcp_sack_block {
    std::uint32_t left_edge = 0;
    std::uint32_t right_edge = 0;

    friend constexpr bool operator==(const tcp_sack_block&,
                                     const tcp_sack_block&) noexcept = default;
};

// Up to four blocks (RFC 2018 §3).
struct tcp_sack_blocks {
    std::array<tcp_sack_block, 4> blocks{};
    std::size_t count = 0;
};

// Finds options in a TCP header. Each accessor is empty where the option is missing or its length
// is not the one its RFC fixes.
class tcp_option_list : public option_list {
  public:
    using option_list::option_list;

    constexpr std::optional<std::uint16_t> mss() const noexcept {
        const auto found = find_sized(tcp_option_mss, 2);
        if (!found) return std::nullopt;
        return load_be<std::uint16_t>(found->data.data());
    }
    // The shift, as it stands; above 14 it means 14 (RFC 7323 §2.3).
    constexpr std::optional<std::uint8_t> window_scale() const noexcept {
        const auto found = find_sized(tcp_option_window_scale, 1);
        if (!found) return std::nullopt;
        return std::to_integer<std::uint8_t>(found->data[0]);
    }
    constexpr bool sack_permitted() const noexcept {
        return find_sized(tcp_option_sack_permitted, 0).has_value();
    }
    constexpr std::optional<tcp_timestamps> timestamps() const noexcept {
        const auto found = find_sized(tcp_option_timestamps, 8);
        if (!found) return std::nullopt;
        return tcp_timestamps{load_be<std::uint32_t>(found->data.data()),
                              load_be<std::uint32_t>(found->data.data() + 4)};
    }
    constexpr tcp_sack_blocks sack() const noexcept {
        tcp_sack_blocks result;
        const auto found = find(tcp_option_sack);
        if (!found || found->data.size() % 8 != 0) return result;
        for (auto rest = found->data; !rest.empty() && result.count < result.blocks.size();
             rest = rest.subspan(8))
            result.blocks[result.count++] = {load_be<std::uint32_t>(rest.data()),
                                             load_be<std::uint32_t>(rest.data() + 4)};
        return result;
    }

  private:
    constexpr std::optional<option> find_sized(std::uint8_t kind,
                                               std::size_t data_bytes) const noexcept {
        const auto found = find(kind);
        return found && found->data.size() == data_bytes ? found : std::nullopt;
    }
};

template <view_byte Byte>
class basic_tcp_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t min_bytes = 20;
    static constexpr std::size_t max_bytes = 60;

    static constexpr checked<basic_tcp_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < min_bytes) return parse_reason::tcp_truncated;
        const std::size_t length = basic_tcp_view(bytes).header_length_bytes();
        if (length < min_bytes) return parse_reason::tcp_bad_data_offset;
        if (length > bytes.size()) return parse_reason::tcp_options_truncated;
        return basic_tcp_view(bytes.first(length));
    }
    constexpr operator basic_tcp_view<const std::byte>() const noexcept requires(base::is_mutable) {
        return basic_tcp_view<const std::byte>(this->bytes());
    }

    // What the first min_bytes of a header say about its length, right or wrong.
    static constexpr std::size_t header_length_bytes(std::span<Byte> start) noexcept {
        return std::to_integer<std::size_t>(start[12] >> 4) * 4;
    }

    constexpr std::uint16_t source_port() const noexcept { return this->load16(0); }
    constexpr std::uint16_t destination_port() const noexcept { return this->load16(2); }
    constexpr std::uint32_t sequence() const noexcept { return this->load32(4); }
    constexpr std::uint32_t acknowledgment() const noexcept { return this->load32(8); }
    constexpr std::size_t header_length_bytes() const noexcept {
        return header_length_bytes(this->bytes());
    }
    constexpr tcp_flags flags() const noexcept {
        return {static_cast<std::uint16_t>(this->load16(12) & 0x1ff)};
    }
    // As it stands, not scaled.
    constexpr std::uint16_t window() const noexcept { return this->load16(14); }
    constexpr std::uint16_t checksum() const noexcept { return this->load16(16); }
    constexpr std::uint16_t urgent_pointer() const noexcept { return this->load16(18); }
    constexpr std::span<const std::byte> option_bytes() const noexcept {
        return this->bytes().subspan(min_bytes);
    }
    constexpr tcp_option_list options() const noexcept { return tcp_option_list(option_bytes()); }

    constexpr void set_source_port(std::uint16_t port) const noexcept requires(base::is_mutable) {
        this->store16(0, port);
    }
    constexpr void set_destination_port(std::uint16_t port) const noexcept
        requires(base::is_mutable) {
        this->store16(2, port);
    }
    constexpr void set_sequence(std::uint32_t sequence) const noexcept requires(base::is_mutable) {
        this->store32(4, sequence);
    }
    constexpr void set_flags(tcp_flags flags) const noexcept requires(base::is_mutable) {
        const auto others = this->load16(12) & 0xfe00;
        this->store16(12, static_cast<std::uint16_t>(others | (flags.bits & 0x1ff)));
    }
    constexpr void set_checksum(std::uint16_t checksum) const noexcept requires(base::is_mutable) {
        this->store16(16, checksum);
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_tcp_view;
    constexpr explicit basic_tcp_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using tcp_view = basic_tcp_view<const std::byte>;
using tcp_mutable_view = basic_tcp_view<std::byte>;

// The checksum is the caller's, who knows payload and addresses.
struct tcp_header {
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgment = 0;
    tcp_flags flags = {};
    std::uint16_t window = 0;
    std::uint16_t checksum = 0;
    std::uint16_t urgent_pointer = 0;
    option_block options = {};

    static constexpr tcp_header parse(tcp_view view) noexcept {
        tcp_header value{
            view.source_port(), view.destination_port(), view.sequence(), view.acknowledgment(),
            view.flags(),       view.window(),           view.checksum(), view.urgent_pointer()};
        value.options.append_raw(view.option_bytes());
        return value;
    }
    constexpr std::size_t size_bytes() const noexcept {
        return tcp_view::min_bytes + options.size_bytes();
    }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        if (out.size() < size_bytes()) return 0;
        std::byte* at = out.data();
        store_be(at, source_port);
        store_be(at + 2, destination_port);
        store_be(at + 4, sequence);
        store_be(at + 8, acknowledgment);
        store_be(at + 12,
                 static_cast<std::uint16_t>((size_bytes() / 4) << 12 | (flags.bits & 0x1ff)));
        store_be(at + 14, window);
        store_be(at + 16, checksum);
        store_be(at + 18, urgent_pointer);
        std::ranges::copy(options.bytes(), at + tcp_view::min_bytes);
        return size_bytes();
    }
    friend constexpr bool operator==(const tcp_header&, const tcp_header&) noexcept = default;
};

}  // namespace skein::inline v0::wire
