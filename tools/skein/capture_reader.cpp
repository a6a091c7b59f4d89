// SPDX-License-Identifier: Apache-2.0
#include "capture_reader.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "pcap_reader.hpp"
#include "pcapng_reader.hpp"

namespace skein::tool {

namespace {

struct known_kind {
    std::array<std::uint8_t, 4> first;  // its first bytes; 0 matches anything
    std::string_view what;
    std::string_view remedy;
};

// What people hand over by mistake.
constexpr std::array other_kinds = std::to_array<known_kind>({
    {{0x1f, 0x8b, 0, 0}, "a gzip file", "unpack it first: gunzip"},
    {{0x28, 0xb5, 0x2f, 0xfd}, "a Zstandard file", "unpack it first: zstd -d"},
    {{0xfd, '7', 'z', 'X'}, "an xz file", "unpack it first: unxz"},
    {{0x04, 0x22, 0x4d, 0x18}, "an LZ4 file", "unpack it first: lz4 -d"},
    {{'s', 'n', 'o', 'o'}, "a snoop file", "convert it: editcap -F pcapng"},
    {{0xa1, 0xb2, 0xcd, 0x34}, "a pcap file of a modified kind", "convert it: editcap -F pcapng"},
    {{0x34, 0xcd, 0xb2, 0xa1}, "a pcap file of a modified kind", "convert it: editcap -F pcapng"},
});

bool matches(const known_kind& kind, std::span<const std::byte> first) {
    if (first.size() < kind.first.size()) return false;
    for (std::size_t i = 0; i < kind.first.size(); ++i) {
        const auto expected = kind.first[i];
        if (expected != 0 && expected != std::to_integer<std::uint8_t>(first[i])) return false;
    }
    return true;
}

[[noreturn]] void refuse(std::span<const std::byte> first, const std::string& name) {
    if (first.empty()) {
        throw capture_failure(name + " is not a capture: it is empty", give_a_capture);
    }
    for (const auto& kind : other_kinds) {
        if (!matches(kind, first)) continue;
        throw capture_failure(fmt::format("{} is not a capture, but {}", name, kind.what),
                              std::string(kind.remedy));
    }
    throw capture_failure(name + " is not a capture: it begins neither like pcap nor like pcapng",
                          give_a_capture);
}

}  // namespace

std::unique_ptr<capture_reader> open_capture(byte_input& stream, const std::string& name) {
    capture_window window(stream);
    const auto first = window.peek(4);
    if (pcap_reader::recognises(first)) {
        return std::make_unique<pcap_reader>(std::move(window), name);
    }
    if (pcapng_reader::recognises(first)) {
        return std::make_unique<pcapng_reader>(std::move(window), name);
    }
    refuse(first, name);
}

}  // namespace skein::tool
