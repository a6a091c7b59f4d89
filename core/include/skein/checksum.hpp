// SPDX-License-Identifier: Apache-2.0
// The Internet checksum: over pieces, with pseudo headers, and updated without reading the data.
//
// The sum is that of 16-bit words in one's complement, an odd last byte padded with zero on the
// right (RFC 1071 §1). All numbers here are host values: be16(sum.finish()) is what goes on the
// wire.
//
// Pieces. A packet lies in segments of any length, so a piece may begin at an odd offset of the
// covered area. internet_sum keeps count: a piece at an odd offset is summed as if it began even,
// and the sum is byte-swapped before it is added (RFC 1071 §2 (B)). append() does the same with a
// sum someone else made, so that checksums of strands combine to that of the whole.
//
// Zero. 0x0000 and 0xffff are the same number in one's complement. A receiver must take a field as
// right whenever the sum including it folds to 0xffff. UDP alone sends a computed 0 as 0xffff,
// because 0 there means "none" (RFC 768, RFC 8200 §8.1); use udp_checksum() for it and nothing
// else.
//
// Updates. checksum_delta collects old and new words and changes a checksum field accordingly
// (RFC 1624 §3, equation 3). It takes words at even offsets; deliberately no bytes at odd ones. The
// covered area must hold a word that is not 0, as every packet's does (protocol, version): for an
// area of zeros alone the equation's 0 is the wrong one of the two zeros.
//
// Everything is a value, free of state elsewhere, and safe to use from any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <skein/export.hpp>
#include <skein/wire/types.hpp>

namespace skein::inline v0 {

// The folded sum of bytes as if they began at an even offset; not inverted.
SKEIN_EXPORT std::uint16_t sum_bytes(std::span<const std::byte> bytes) noexcept;

// Counts payload bytes read for checksums; only the sum itself increments it.
struct summed_bytes {
    std::uint64_t count = 0;
};

// A sum of the two halves of a 32-bit one, again and again until nothing is carried.
constexpr std::uint16_t fold_sum(std::uint64_t sum) noexcept {
    sum = (sum & 0xffffffff) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>((sum & 0xffff) + (sum >> 16));
}

class internet_sum {
  public:
    constexpr internet_sum() noexcept = default;
    explicit internet_sum(std::span<const std::byte> bytes) noexcept { add(bytes); }
    // A folded sum of length bytes computed elsewhere, as if they began at an even offset.
    static constexpr internet_sum of_folded(std::uint16_t folded, std::size_t length) noexcept {
        internet_sum sum;
        sum.sum_ = folded;
        sum.odd_ = length % 2 != 0;
        return sum;
    }

    // The bytes that follow what was added so far.
    void add(std::span<const std::byte> bytes) noexcept { append_folded(sum_bytes(bytes), bytes); }
    void add(std::span<const std::byte> bytes, summed_bytes& meter) noexcept {
        meter.count += bytes.size();
        add(bytes);
    }
    // Words of a header or pseudo header; they stand at even offsets wherever the rest ends.
    constexpr void add_word(std::uint16_t word) noexcept { sum_ += word; }
    constexpr void add_word32(std::uint32_t word) noexcept {
        sum_ += (word >> 16) + (word & 0xffff);
    }
    // The area another sum covers follows this one's.
    constexpr void append(const internet_sum& next) noexcept {
        add_folded(next.fold());
        odd_ ^= next.odd_;
    }

    constexpr bool ends_odd() const noexcept { return odd_; }
    constexpr std::uint16_t fold() const noexcept { return fold_sum(sum_); }
    // The value of the checksum field.
    constexpr std::uint16_t finish() const noexcept { return static_cast<std::uint16_t>(~fold()); }
    // Right, when the area included its checksum field (and the pseudo header).
    constexpr bool is_valid() const noexcept { return fold() == 0xffff; }

  private:
    static constexpr std::uint16_t swapped(std::uint16_t word) noexcept {
        return static_cast<std::uint16_t>((word << 8) | (word >> 8));
    }
    constexpr void add_folded(std::uint16_t folded) noexcept {
        sum_ += odd_ ? swapped(folded) : folded;
    }
    constexpr void append_folded(std::uint16_t folded, std::span<const std::byte> of) noexcept {
        add_folded(folded);
        odd_ ^= of.size() % 2 != 0;
    }

    std::uint64_t sum_ = 0;  // of 16-bit words: cannot overflow below 2^48 additions
    bool odd_ = false;       // the area so far ends at an odd offset
};

// length is that of the transport header and payload, in bytes. It may exceed 65535 in an aggregate
// and then adds as the 32-bit number it is in IPv6. The protocol is the transport's, never an
// extension header's (RFC 8200 §8.1).
constexpr internet_sum pseudo_header_sum(const wire::ipv4_address& source,
                                         const wire::ipv4_address& destination,
                                         wire::ip_protocol protocol,
                                         std::uint32_t length) noexcept {
    internet_sum sum;
    sum.add_word32(source.value());
    sum.add_word32(destination.value());
    sum.add_word(wire::number(protocol));
    sum.add_word32(length);
    return sum;
}

constexpr internet_sum pseudo_header_sum(const wire::ipv6_address& source,
                                         const wire::ipv6_address& destination,
                                         wire::ip_protocol protocol,
                                         std::uint32_t length) noexcept {
    internet_sum sum;
    for (std::size_t i = 0; i < 8; ++i)
        sum.add_word(source.group(i));
    for (std::size_t i = 0; i < 8; ++i)
        sum.add_word(destination.group(i));
    sum.add_word(wire::number(protocol));
    sum.add_word32(length);
    return sum;
}

// What UDP sends for a finished checksum: never 0.
constexpr std::uint16_t udp_checksum(std::uint16_t finished) noexcept {
    return finished == 0 ? 0xffff : finished;
}

// What changes in a checksum when the data under it does: HC' = ~(~HC + ~m + m').
class checksum_delta {
  public:
    constexpr void replace(std::uint16_t old_word, std::uint16_t new_word) noexcept {
        sum_ += static_cast<std::uint16_t>(~old_word);
        sum_ += new_word;
    }
    constexpr void replace32(std::uint32_t old_word, std::uint32_t new_word) noexcept {
        replace(static_cast<std::uint16_t>(old_word >> 16),
                static_cast<std::uint16_t>(new_word >> 16));
        replace(static_cast<std::uint16_t>(old_word), static_cast<std::uint16_t>(new_word));
    }
    constexpr void replace(const wire::ipv4_address& old_one,
                           const wire::ipv4_address& new_one) noexcept {
        replace32(old_one.value(), new_one.value());
    }
    constexpr void replace(const wire::ipv6_address& old_one,
                           const wire::ipv6_address& new_one) noexcept {
        for (std::size_t i = 0; i < 8; ++i)
            replace(old_one.group(i), new_one.group(i));
    }

    // The whole change as one 16-bit number; adding it to a folded sum is the same as apply().
    constexpr std::uint16_t fold() const noexcept { return fold_sum(sum_); }
    constexpr std::uint16_t apply(std::uint16_t checksum) const noexcept {
        return static_cast<std::uint16_t>(~fold_sum(sum_ + static_cast<std::uint16_t>(~checksum)));
    }
    // UDP over IPv4: "none" stays "none", a computed 0 becomes 0xffff.
    constexpr std::uint16_t apply_udp(std::uint16_t checksum) const noexcept {
        return checksum == 0 ? checksum : udp_checksum(apply(checksum));
    }

  private:
    std::uint64_t sum_ = 0;
};

constexpr std::uint16_t update_checksum(std::uint16_t checksum, std::uint16_t old_word,
                                        std::uint16_t new_word) noexcept {
    checksum_delta delta;
    delta.replace(old_word, new_word);
    return delta.apply(checksum);
}

constexpr std::uint16_t update_checksum32(std::uint16_t checksum, std::uint32_t old_word,
                                          std::uint32_t new_word) noexcept {
    checksum_delta delta;
    delta.replace32(old_word, new_word);
    return delta.apply(checksum);
}

}  // namespace skein::inline v0
