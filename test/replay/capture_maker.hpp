// SPDX-License-Identifier: Apache-2.0
// Capture files made byte by byte, in either byte order, with every oddity a test needs. Shares no
// code with what it tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::test {

using byte_vector = std::vector<std::byte>;

// n bytes that tell their position and the seed.
inline byte_vector pattern(std::size_t n, unsigned seed = 0xa5) {
    byte_vector bytes(n);
    for (std::size_t i = 0; i < n; ++i)
        bytes[i] = static_cast<std::byte>(seed + i * 7 + i / 251);
    return bytes;
}

inline byte_vector bytes_of(std::string_view text) {
    byte_vector bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

inline byte_vector behind(const byte_vector& header, const byte_vector& rest) {
    byte_vector whole = header;
    whole.insert(whole.end(), rest.begin(), rest.end());
    return whole;
}

enum class byte_order { little, big };

// Appends integers in a chosen byte order.
class byte_maker {
  public:
    explicit byte_maker(byte_order order) : order_(order) {}

    byte_maker& u16(std::uint64_t value) { return number(value, 2); }
    byte_maker& u32(std::uint64_t value) { return number(value, 4); }
    byte_maker& u64(std::uint64_t value) { return number(value, 8); }
    byte_maker& raw(std::span<const std::byte> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return *this;
    }
    byte_maker& pad(std::size_t to = 4) {
        while (bytes_.size() % to != 0)
            bytes_.push_back(std::byte{0});
        return *this;
    }
    byte_maker& option(std::uint16_t code, std::span<const std::byte> value) {
        return u16(code).u16(value.size()).raw(value).pad();
    }
    const byte_vector& bytes() const { return bytes_; }
    byte_order order() const { return order_; }

  private:
    byte_maker& number(std::uint64_t value, unsigned size) {
        for (unsigned i = 0; i < size; ++i) {
            const auto at = order_ == byte_order::little ? i : size - 1 - i;
            bytes_.push_back(static_cast<std::byte>(value >> (8 * at)));
        }
        return *this;
    }

    byte_order order_;
    byte_vector bytes_;
};

struct sample {
    std::uint64_t time_ns = 0;
    byte_vector bytes = {};
    std::uint32_t original = 0;  // 0: as long as bytes

    std::uint32_t length() const {
        return original != 0 ? original : static_cast<std::uint32_t>(bytes.size());
    }
};

struct pcap_kind {
    std::uint32_t link = 1;
    bool nanoseconds = false;
    byte_order order = byte_order::little;
};

inline byte_vector make_pcap(const std::vector<sample>& samples, pcap_kind kind = {}) {
    byte_maker file(kind.order);
    file.u32(kind.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4).u16(2).u16(4).u64(0).u32(65535);
    file.u32(kind.link);
    for (const auto& s : samples) {
        const auto fraction = s.time_ns % 1'000'000'000;
        file.u32(s.time_ns / 1'000'000'000).u32(kind.nanoseconds ? fraction : fraction / 1000);
        file.u32(s.bytes.size()).u32(s.length()).raw(s.bytes);
    }
    return file.bytes();
}

class pcapng_maker {
  public:
    explicit pcapng_maker(byte_order order = byte_order::little) { section(order); }

    // Begins a section; later blocks are in its byte order.
    pcapng_maker& section(byte_order order) {
        byte_maker body(order);
        return block(0x0a0d0d0a, body.u32(0x1a2b3c4d).u16(1).u16(0).u64(~0ull));
    }
    // `options`: made with byte_maker::option, without the end of options.
    pcapng_maker& interface(std::uint16_t link, std::uint32_t snap = 0, byte_vector options = {}) {
        return block(1, body().u16(link).u16(0).u32(snap).raw(options).u32(0));
    }
    pcapng_maker& enhanced(std::uint32_t interface, std::uint64_t units, const byte_vector& bytes,
                           std::uint32_t original = 0, byte_vector options = {}) {
        auto made = body().u32(interface).u32(units >> 32).u32(units & 0xffffffff);
        made.u32(bytes.size()).u32(original != 0 ? original : bytes.size()).raw(bytes).pad();
        return block(6, made.raw(options));
    }
    pcapng_maker& simple(const byte_vector& bytes, std::uint32_t original = 0) {
        return block(3, body().u32(original != 0 ? original : bytes.size()).raw(bytes).pad());
    }
    pcapng_maker& obsolete(std::uint16_t interface, std::uint64_t units, const byte_vector& bytes) {
        auto made = body().u16(interface).u16(0).u32(units >> 32).u32(units & 0xffffffff);
        return block(2, made.u32(bytes.size()).u32(bytes.size()).raw(bytes).pad());
    }
    pcapng_maker& other(std::uint32_t type, const byte_vector& bytes) {
        return block(type, body().raw(bytes).pad());
    }

    byte_maker body() const { return byte_maker(order_); }
    const byte_vector& bytes() const { return file_; }

  private:
    pcapng_maker& block(std::uint32_t type, const byte_maker& body) {
        order_ = body.order();
        byte_maker made(order_);
        const auto length = body.bytes().size() + 12;
        made.u32(type).u32(length).raw(body.bytes()).u32(length);
        file_.insert(file_.end(), made.bytes().begin(), made.bytes().end());
        return *this;
    }
    byte_order order_ = byte_order::little;
    byte_vector file_;
};

}  // namespace skein::test
