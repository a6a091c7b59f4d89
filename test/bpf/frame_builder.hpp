// SPDX-License-Identifier: Apache-2.0
// Frames for the XDP program, written header by header. Nothing is checked, so that frames that
// contradict themselves can be written too; length fields are filled in unless given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <skein/endian.hpp>
#include <skein/wire/address.hpp>
#include <skein/wire/types.hpp>

namespace skein::test {

class frame_builder {
  public:
    // The type field comes with what follows: tag(), ipv4(), ipv6() or type().
    frame_builder() : bytes_(12, std::byte{0x02}) {}

    frame_builder& tag(std::uint16_t id, std::uint16_t tpid = 0x8100, std::uint16_t bits = 0) {
        return u16(tpid).u16(static_cast<std::uint16_t>(id | bits));
    }
    frame_builder& type(std::uint16_t value) { return u16(value); }

    struct ipv4_fields {
        std::string_view source = "10.1.2.3";
        std::string_view destination = "192.0.2.9";
        std::uint16_t fragment = 0;  // flags and offset as in the header
        std::size_t option_bytes = 0;
        std::uint8_t version = 4;
        int total_length = -1;  // what follows, unless given
    };
    frame_builder& ipv4(wire::ip_protocol protocol, const ipv4_fields& fields) {
        type(0x0800);
        start_ = bytes_.size();
        if (fields.total_length < 0) length_at_ = start_ + 2;
        const auto words = 5 + fields.option_bytes / 4;
        u8(static_cast<std::uint8_t>(fields.version << 4 | static_cast<int>(words))).u8(0);
        u16(static_cast<std::uint16_t>(fields.total_length < 0 ? 0 : fields.total_length));
        u16(0x1234).u16(fields.fragment).u8(64).u8(number(protocol)).u16(0);
        add(wire::parse_ipv4(fields.source)->bytes);
        add(wire::parse_ipv4(fields.destination)->bytes);
        return fill(fields.option_bytes, 1);
    }
    frame_builder& ipv4(wire::ip_protocol protocol) { return ipv4(protocol, {}); }

    struct ipv6_fields {
        std::string_view source = "2001:db8::1";
        std::string_view destination = "2001:db8:ffff::2";
        std::uint8_t version = 6;
        int payload_length = -1;
    };
    frame_builder& ipv6(wire::ip_protocol next, const ipv6_fields& fields) {
        type(0x86dd);
        start_ = bytes_.size() + 40;
        if (fields.payload_length < 0) length_at_ = bytes_.size() + 4;
        u8(static_cast<std::uint8_t>(fields.version << 4)).u8(0).u16(0);
        u16(static_cast<std::uint16_t>(fields.payload_length < 0 ? 0 : fields.payload_length));
        u8(number(next)).u8(64);
        add(wire::parse_ipv6(fields.source)->bytes);
        add(wire::parse_ipv6(fields.destination)->bytes);
        return *this;
    }
    frame_builder& ipv6(wire::ip_protocol next) { return ipv6(next, {}); }

    // An extension header with a length field in units of 8 bytes behind the first 8.
    frame_builder& extension(wire::ip_protocol next, std::uint8_t length = 0) {
        return u8(number(next)).u8(length).fill(6u + 8u * length, 0);
    }
    frame_builder& authentication(wire::ip_protocol next, std::uint8_t length = 4) {
        return u8(number(next)).u8(length).fill(4u * (length + 2u) - 2, 0);
    }
    // `offset` in bytes, a multiple of 8.
    frame_builder& fragment(wire::ip_protocol next, std::uint16_t offset, bool more) {
        u8(number(next)).u8(0).u16(static_cast<std::uint16_t>(offset | (more ? 1 : 0)));
        return u16(0).u16(77);
    }
    frame_builder& ports(std::uint16_t source, std::uint16_t destination) {
        return u16(source).u16(destination);
    }
    frame_builder& fill(std::size_t count, std::uint8_t value = 0xa5) {
        bytes_.insert(bytes_.end(), count, std::byte{value});
        return *this;
    }
    // Ends the IP packet here: what is added further is padding.
    frame_builder& end_ip() {
        if (length_at_ != 0)
            store_be(bytes_.data() + length_at_,
                     static_cast<std::uint16_t>(bytes_.size() - start_));
        length_at_ = 0;
        return *this;
    }

    std::vector<std::byte> bytes() const {
        frame_builder copy = *this;
        return copy.end_ip().bytes_;
    }
    operator std::vector<std::byte>() const { return bytes(); }

  private:
    frame_builder& u8(std::uint8_t value) { return fill(1, value); }
    frame_builder& u16(std::uint16_t value) {
        return u8(static_cast<std::uint8_t>(value >> 8)).u8(static_cast<std::uint8_t>(value));
    }
    void add(std::span<const std::byte> more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
    }

    std::vector<std::byte> bytes_;
    std::size_t start_ = 0;      // where the length field counts from
    std::size_t length_at_ = 0;  // the length field to fill in, 0 for none
};

}  // namespace skein::test
