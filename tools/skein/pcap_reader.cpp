// SPDX-License-Identifier: Apache-2.0
#include "pcap_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace skein::tool {

namespace {

constexpr std::size_t file_header_bytes = 24;
constexpr std::size_t record_header_bytes = 16;
constexpr std::uint32_t microsecond_magic = 0xa1b2c3d4;
constexpr std::uint32_t nanosecond_magic = 0xa1b23c4d;
constexpr std::uint32_t link_type_mask = 0x03ffffff;  // above: FCS length and reserved bits

bool is_magic(std::uint32_t value) {
    return value == microsecond_magic || value == nanosecond_magic;
}

}  // namespace

bool pcap_reader::recognises(std::span<const std::byte> first) noexcept {
    return first.size() >= 4 && (is_magic(file_bytes(false).u32(first.data())) ||
                                 is_magic(file_bytes(true).u32(first.data())));
}

pcap_reader::pcap_reader(capture_window window, std::string name)
    : window_(std::move(window)), name_(std::move(name)) {
    const auto header = window_.peek(file_header_bytes);
    if (header.size() < file_header_bytes) {
        throw capture_failure(
            fmt::format("{} is not a capture: it ends inside the pcap file header", name_),
            give_a_capture);
    }
    order_ = file_bytes(!is_magic(file_bytes(false).u32(header.data())));
    const bool nanoseconds = order_.u32(header.data()) == nanosecond_magic;
    if (nanoseconds) fraction_ns_ = 1;
    const auto major = order_.u16(header.data() + 4);
    const auto minor = order_.u16(header.data() + 6);
    if (major != 2 || minor < 3) {
        throw capture_failure(
            fmt::format("{} is a pcap file of version {}.{}; 2.3 and later 2.x are read", name_,
                        major, minor),
            "convert it with a current capture tool, e.g. editcap");
    }
    const auto link = static_cast<link_type>(order_.u32(header.data() + 20) & link_type_mask);
    interfaces_.push_back({.link = link, .nanoseconds = nanoseconds});
    window_.skip(file_header_bytes);
}

read_outcome pcap_reader::next(capture_record& into) {
    window_.skip(std::exchange(pending_, 0));
    const auto header = window_.peek(record_header_bytes);
    if (header.empty()) return read_outcome::end;
    if (header.size() < record_header_bytes) return read_outcome::truncated;
    const auto seconds = order_.u32(header.data());
    const auto fraction = order_.u32(header.data() + 4);
    const auto captured = order_.u32(header.data() + 8);
    const auto original = order_.u32(header.data() + 12);
    if (captured > max_read_bytes) return skip_absurd(captured);

    const auto whole = record_header_bytes + captured;
    const auto record = window_.peek(whole);
    if (record.size() < whole) return read_outcome::truncated;
    pending_ = whole;
    into = {.interface = 0,
            .timestamp_ns =
                seconds * std::uint64_t{1'000'000'000} + std::uint64_t{fraction} * fraction_ns_,
            .original_bytes = std::max(original, captured),
            .bytes = record.subspan(record_header_bytes)};
    return read_outcome::record;
}

// A length nobody would write: the file is damaged, unless it ends inside that record anyway.
read_outcome pcap_reader::skip_absurd(std::uint32_t bytes) {
    const auto at = window_.position();
    const auto whole = record_header_bytes + std::uint64_t{bytes};
    if (window_.skip(whole) < whole) return read_outcome::truncated;
    throw capture_failure(
        fmt::format("{} is damaged: the record at byte {} claims {} bytes", name_, at, bytes),
        fmt::format("cut the file before it: head -c {}", at));
}

}  // namespace skein::tool
