// SPDX-License-Identifier: Apache-2.0
// SCTP: the common header (RFC 9260 §3.1), 12 bytes, and the chunks behind it (§3.2).
//
//     0             2                  4                  8         12
//     | source port | destination port | verification tag | CRC32c  | chunk, chunk, ...
//
//     | type | flags | length | value ... | padding to 4 bytes |
//
// The checksum is a CRC32c whose bytes go out least significant first (RFC 9260 appendix A), the
// one field of all these headers that is not big-endian: checksum() returns the CRC as a number.
// A chunk's length counts its 4 bytes of header but not the padding; the padding of the last chunk
// may be missing at the end of the bytes.
#pragma once

#include <algorithm>
#include <iterator>

#include <skein/wire/types.hpp>
#include <skein/wire/view.hpp>

namespace skein::inline v0::wire {

enum class sctp_chunk_type : std::uint8_t {
    data = 0,
    init = 1,
    init_ack = 2,
    sack = 3,
    heartbeat = 4,
    heartbeat_ack = 5,
    abort = 6,
    shutdown = 7,
    shutdown_ack = 8,
    error = 9,
    cookie_echo = 10,
    cookie_ack = 11,
    shutdown_complete = 14,
    i_data = 64,
};

template <view_byte Byte>
class basic_sctp_view : public header_bytes<Byte> {
    using base = header_bytes<Byte>;

  public:
    static constexpr std::size_t size_bytes = 12;

    static constexpr checked<basic_sctp_view> check(std::span<Byte> bytes) noexcept {
        if (bytes.size() < size_bytes) return parse_reason::sctp_truncated;
        return basic_sctp_view(bytes.first(size_bytes));
    }
    constexpr operator basic_sctp_view<const std::byte>() const noexcept
        requires(base::is_mutable) {
        return basic_sctp_view<const std::byte>(this->bytes());
    }

    constexpr std::uint16_t source_port() const noexcept { return this->load16(0); }
    constexpr std::uint16_t destination_port() const noexcept { return this->load16(2); }
    constexpr std::uint32_t verification_tag() const noexcept { return this->load32(4); }
    constexpr std::uint32_t checksum() const noexcept {
        return skein::detail::swap_bytes(this->load32(8));
    }

    constexpr void set_source_port(std::uint16_t port) const noexcept requires(base::is_mutable) {
        this->store16(0, port);
    }
    constexpr void set_destination_port(std::uint16_t port) const noexcept
        requires(base::is_mutable) {
        this->store16(2, port);
    }
    constexpr void set_checksum(std::uint32_t crc) const noexcept requires(base::is_mutable) {
        this->store32(8, skein::detail::swap_bytes(crc));
    }

  private:
    template <class>
    friend class checked;
    template <view_byte>
    friend class basic_sctp_view;
    constexpr explicit basic_sctp_view(std::span<Byte> bytes) noexcept : base(bytes) {}
};

using sctp_view = basic_sctp_view<const std::byte>;
using sctp_mutable_view = basic_sctp_view<std::byte>;

struct sctp_header {
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint32_t verification_tag = 0;
    std::uint32_t checksum = 0;  // the CRC as a number

    static constexpr sctp_header parse(sctp_view view) noexcept {
        return {view.source_port(), view.destination_port(), view.verification_tag(),
                view.checksum()};
    }
    constexpr std::size_t size_bytes() const noexcept { return sctp_view::size_bytes; }
    constexpr std::size_t emit(std::span<std::byte> out) const noexcept {
        if (out.size() < size_bytes()) return 0;
        store_be(out.data(), source_port);
        store_be(out.data() + 2, destination_port);
        store_be(out.data() + 4, verification_tag);
        sctp_mutable_view::check(out)->set_checksum(checksum);
        return size_bytes();
    }
    friend constexpr bool operator==(const sctp_header&, const sctp_header&) noexcept = default;
};

struct sctp_chunk {
    sctp_chunk_type type = sctp_chunk_type::data;
    std::uint8_t flags = 0;
    std::span<const std::byte> value = {};  // without header and padding
};

// A range over the chunks in bytes that follow the common header. It ends at their end or at a
// chunk that does not fit; reason() tells.
class sctp_chunk_list {
  public:
    class iterator {
      public:
        using value_type = sctp_chunk;
        using difference_type = std::ptrdiff_t;

        constexpr iterator() noexcept = default;
        constexpr explicit iterator(std::span<const std::byte> rest) noexcept : rest_(rest) {
            look();
        }
        constexpr const sctp_chunk& operator*() const noexcept { return current_; }
        constexpr const sctp_chunk* operator->() const noexcept { return &current_; }
        constexpr iterator& operator++() noexcept {
            const std::size_t padded =
                (chunk_header_bytes + current_.value.size() + 3) & ~std::size_t{3};
            rest_ = rest_.subspan(std::min(padded, rest_.size()));
            look();
            return *this;
        }
        constexpr void operator++(int) noexcept { ++*this; }
        friend constexpr bool operator==(const iterator& it, std::default_sentinel_t) noexcept {
            return it.rest_.empty() || it.reason_ != parse_reason::none;
        }
        constexpr parse_reason reason() const noexcept { return reason_; }

      private:
        static constexpr std::size_t chunk_header_bytes = 4;

        constexpr void look() noexcept {
            if (!rest_.empty()) reason_ = look_at(rest_);
        }
        constexpr parse_reason look_at(std::span<const std::byte> bytes) noexcept {
            if (bytes.size() < chunk_header_bytes) return parse_reason::sctp_chunk_truncated;
            const std::size_t length = load_be<std::uint16_t>(bytes.data() + 2);
            if (length < chunk_header_bytes) return parse_reason::sctp_chunk_bad_length;
            if (length > bytes.size()) return parse_reason::sctp_chunk_truncated;
            current_ = {sctp_chunk_type{std::to_integer<std::uint8_t>(bytes[0])},
                        std::to_integer<std::uint8_t>(bytes[1]),
                        bytes.subspan(chunk_header_bytes, length - chunk_header_bytes)};
            return parse_reason::none;
        }

        std::span<const std::byte> rest_;
        sctp_chunk current_;
        parse_reason reason_ = parse_reason::none;
    };

    constexpr explicit sctp_chunk_list(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    constexpr iterator begin() const noexcept { return iterator(bytes_); }
    constexpr std::default_sentinel_t end() const noexcept { return {}; }
    constexpr parse_reason reason() const noexcept {
        auto it = begin();
        while (it != end())
            ++it;
        return it.reason();
    }

  private:
    std::span<const std::byte> bytes_;
};

}  // namespace skein::inline v0::wire
