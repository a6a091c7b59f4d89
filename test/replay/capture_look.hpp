// SPDX-License-Identifier: Apache-2.0
// A second, simple reader of captures in the machine's byte order or the other: what is in a file,
// as a list. Asserts instead of coping; shares no code with what it checks.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "replay/capture_maker.hpp"

namespace skein::test {

struct looked_packet {
    std::uint32_t link = 0;
    std::uint32_t interface = 0;
    std::uint64_t time_ns = 0;
    std::uint32_t original = 0;
    byte_vector bytes = {};

    friend bool operator==(const looked_packet&, const looked_packet&) = default;
};

struct looked_capture {
    bool pcapng = false;
    bool nanoseconds = false;  // pcap only
    std::vector<std::uint32_t> links = {};
    std::vector<std::string> names = {};  // of interfaces, pcapng only
    std::vector<looked_packet> packets = {};
};

inline byte_vector read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot open " + path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return bytes_of(text);
}

inline void write_file(const std::string& path, std::span<const std::byte> bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file) throw std::runtime_error("cannot write " + path);
}

class capture_look {
  public:
    // tolerant: a pcap file may end inside a record.
    explicit capture_look(const byte_vector& file, bool tolerant = false)
        : file_(file), tolerant_(tolerant) {
        if (u32(0) == 0x0a0d0d0a) {
            look_at_pcapng();
        } else {
            look_at_pcap();
        }
    }
    const looked_capture& found() const { return found_; }

  private:
    std::uint32_t u32(std::size_t at) const {
        std::uint32_t value;
        expect(at + 4 <= file_.size(), "integer beyond the end");
        std::memcpy(&value, file_.data() + at, 4);
        return swapped_ ? __builtin_bswap32(value) : value;
    }
    std::uint16_t u16(std::size_t at) const {
        std::uint16_t value;
        expect(at + 2 <= file_.size(), "integer beyond the end");
        std::memcpy(&value, file_.data() + at, 2);
        return swapped_ ? __builtin_bswap16(value) : value;
    }
    byte_vector cut(std::size_t at, std::size_t n) const {
        expect(at <= file_.size() && n <= file_.size() - at, "bytes beyond the end");
        const auto from = file_.begin() + static_cast<std::ptrdiff_t>(at);
        return {from, from + static_cast<std::ptrdiff_t>(n)};
    }
    static void expect(bool holds, const char* what) {
        if (!holds) throw std::runtime_error(std::string("capture: ") + what);
    }

    void look_at_pcap() {
        swapped_ = u32(0) != 0xa1b2c3d4 && u32(0) != 0xa1b23c4d;
        expect(u32(0) == 0xa1b2c3d4 || u32(0) == 0xa1b23c4d, "no magic");
        expect(u16(4) == 2 && u16(6) == 4, "version");
        found_.nanoseconds = u32(0) == 0xa1b23c4d;
        found_.links = {u32(20)};
        for (std::size_t at = 24; at < file_.size();) {
            if (tolerant_ && (file_.size() - at < 16 || file_.size() - at - 16 < u32(at + 8)))
                return;
            const auto fraction = u32(at + 4) * (found_.nanoseconds ? 1ull : 1000ull);
            const auto n = u32(at + 8);
            found_.packets.push_back(
                {u32(20), 0, u32(at) * 1'000'000'000ull + fraction, u32(at + 12), cut(at + 16, n)});
            at += 16 + n;
        }
    }

    void look_at_pcapng() {
        found_.pcapng = true;
        for (std::size_t at = 0; at < file_.size();) {
            if (u32(at) == 0x0a0d0d0a) begin_section(at);
            const auto length = u32(at + 4);
            expect(length >= 12 && length % 4 == 0, "block length");
            expect(u32(at + length - 4) == length, "second block length");
            if (u32(at) == 1) look_at_interface(at, length);
            if (u32(at) == 6) look_at_packet(at);
            at += length;
        }
    }

    void begin_section(std::size_t at) {
        swapped_ = false;
        swapped_ = u32(at + 8) != 0x1a2b3c4d;
        first_ = found_.links.size();
    }

    // Understands files whose interfaces count microseconds (no option) or nanoseconds.
    void look_at_interface(std::size_t at, std::size_t length) {
        found_.links.push_back(u16(at + 8));
        found_.names.emplace_back();
        unit_ns_.push_back(1000);
        for (std::size_t option = at + 16; option + 4 < at + length && u16(option) != 0;
             option += 4 + (u16(option + 2) + 3u) / 4 * 4) {
            const auto value = cut(option + 4, u16(option + 2));
            if (u16(option) == 2) {
                for (const auto b : value)
                    found_.names.back() += static_cast<char>(b);
            } else if (u16(option) == 9) {
                expect(value[0] == std::byte{9} || value[0] == std::byte{6}, "resolution");
                unit_ns_.back() = value[0] == std::byte{9} ? 1 : 1000;
            }
        }
    }

    void look_at_packet(std::size_t at) {
        const auto interface = first_ + u32(at + 8);
        expect(interface < found_.links.size(), "interface");
        const auto units = std::uint64_t{u32(at + 12)} << 32 | u32(at + 16);
        found_.packets.push_back({found_.links[interface], static_cast<std::uint32_t>(interface),
                                  units * unit_ns_[interface], u32(at + 24),
                                  cut(at + 28, u32(at + 20))});
    }

    const byte_vector& file_;
    bool tolerant_;
    bool swapped_ = false;
    std::size_t first_ = 0;  // interface of the current section
    std::vector<std::uint64_t> unit_ns_;
    looked_capture found_;
};

inline looked_capture look_at(const std::string& path, bool tolerant = false) {
    const auto file = read_file(path);
    return capture_look(file, tolerant).found();
}

}  // namespace skein::test
