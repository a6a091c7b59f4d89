// SPDX-License-Identifier: Apache-2.0
#include "pcapng_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace skein::tool {

namespace {

constexpr std::uint32_t section_block = 0x0a0d0d0a;  // the same in both byte orders
constexpr std::uint32_t interface_block = 1;
constexpr std::uint32_t obsolete_packet_block = 2;
constexpr std::uint32_t simple_packet_block = 3;
constexpr std::uint32_t enhanced_packet_block = 6;
constexpr std::uint32_t byte_order_magic = 0x1a2b3c4d;

constexpr std::size_t block_frame_bytes = 12;  // type, length, length again
constexpr std::size_t section_head_bytes = 12;
constexpr std::size_t most_options_bytes = 64 << 10;

constexpr std::uint16_t option_end = 0;
constexpr std::uint16_t option_if_name = 2;
constexpr std::uint16_t option_if_tsresol = 9;
constexpr std::uint16_t option_if_tsoffset = 14;

bool is_buffered(std::uint32_t type) {
    return type == section_block || type == interface_block || type == obsolete_packet_block ||
           type == simple_packet_block || type == enhanced_packet_block;
}

// Calls use(code, value) for each whole option.
template <class Use>
void for_each_option(std::span<const std::byte> options, const file_bytes& order, Use&& use) {
    while (options.size() >= 4) {
        const auto code = order.u16(options.data());
        const std::size_t length = order.u16(options.data() + 2);
        options = options.subspan(4);
        if (code == option_end || length > options.size()) return;
        use(code, options.first(length));
        options = options.subspan(std::min((length + 3) & ~std::size_t{3}, options.size()));
    }
}

}  // namespace

// --- time ----------------------------------------------------------------------------------------

pcapng_time::pcapng_time(std::uint8_t resolution, std::int64_t offset_seconds) noexcept
    : offset_seconds_(offset_seconds) {
    const unsigned exponent = resolution & 0x7f;
    const bool binary = (resolution & 0x80) != 0;
    units_per_second_ = 1;
    if (binary) {
        units_per_second_ <<= exponent;
    } else {
        for (unsigned i = 0; i < std::min(exponent, 38u); ++i)
            units_per_second_ *= 10;
    }
}

std::uint64_t pcapng_time::nanoseconds(std::uint64_t units) const noexcept {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    if (units_per_second_ == 1'000'000 && offset_seconds_ == 0 && units <= most / 1000) {
        return units * 1000;  // nearly every file
    }
    __extension__ using signed_wide = __int128;
    constexpr std::uint64_t billion = 1'000'000'000;
    const auto since_offset = wide{units} * billion / units_per_second_;
    const auto total = static_cast<signed_wide>(since_offset) +
                       static_cast<signed_wide>(offset_seconds_) * signed_wide{billion};
    return static_cast<std::uint64_t>(std::clamp<signed_wide>(total, 0, signed_wide{most}));
}

// --- blocks --------------------------------------------------------------------------------------

bool pcapng_reader::recognises(std::span<const std::byte> first) noexcept {
    return first.size() >= 4 && file_bytes(false).u32(first.data()) == section_block;
}

pcapng_reader::pcapng_reader(capture_window window, std::string name)
    : window_(std::move(window)), name_(std::move(name)) {
    const auto first = window_.peek(section_head_bytes);
    if (first.size() < section_head_bytes || !begin_section(first)) {
        throw capture_failure(
            fmt::format("{} is not a capture: it begins like pcapng, but has no byte order", name_),
            give_a_capture);
    }
}

read_outcome pcapng_reader::next(capture_record& into) {
    for (;;) {
        switch (next_block(into)) {
            case step::skipped:
                break;
            case step::record:
                return read_outcome::record;
            case step::end:
                return read_outcome::end;
            case step::truncated:
                return read_outcome::truncated;
        }
    }
}

pcapng_reader::step pcapng_reader::next_block(capture_record& into) {
    window_.skip(std::exchange(pending_, 0));
    block_at_ = window_.position();
    const auto head = window_.peek(section_head_bytes);
    if (head.empty()) return step::end;
    if (head.size() < section_head_bytes) return step::truncated;
    const bool section = recognises(head);
    if (section && !begin_section(head)) damaged("a section without a byte order");

    const auto type = order_.u32(head.data());
    const std::size_t length = order_.u32(head.data() + 4);
    if (length < block_frame_bytes || length % 4 != 0) {
        damaged(fmt::format("a block of {} bytes", length));
    }
    if (!is_buffered(type) || length > max_read_bytes + most_options_bytes) {
        const bool harmless = !is_buffered(type) || section || type == interface_block;
        const auto outcome = oversized_block(length);
        if (outcome == step::truncated || harmless) return outcome;
        damaged(fmt::format("a packet in {} bytes", length));
    }
    const auto block = window_.peek(length);
    if (block.size() < length) return step::truncated;
    if (order_.u32(block.data() + length - 4) != length) damaged("a block with two lengths");
    const auto body = block.subspan(8, length - block_frame_bytes);
    if (type == interface_block) add_interface(body);
    if (type == enhanced_packet_block) enhanced(body, into);
    if (type == simple_packet_block) simple(body, into);
    if (type == obsolete_packet_block) obsolete(body, into);
    pending_ = length;
    return section || type == interface_block ? step::skipped : step::record;
}

// Steps over a block that is not looked into.
pcapng_reader::step pcapng_reader::oversized_block(std::uint64_t length) {
    if (window_.skip(length - 4) < length - 4) return step::truncated;
    const auto tail = window_.peek(4);
    if (tail.size() < 4) return step::truncated;
    if (order_.u32(tail.data()) != length) damaged("a block with two lengths");
    window_.skip(4);
    return step::skipped;
}

// `first`: type, length and byte-order magic. False if the magic is none.
bool pcapng_reader::begin_section(std::span<const std::byte> first) {
    for (const bool swapped : {false, true}) {
        const file_bytes order(swapped);
        if (order.u32(first.data() + 8) != byte_order_magic) continue;
        order_ = order;
        sources_.clear();
        ++section_;
        return true;
    }
    return false;
}

void pcapng_reader::add_interface(std::span<const std::byte> body) {
    if (body.size() < 8) damaged("an interface without a description");
    std::uint8_t resolution = 6;
    std::int64_t offset_seconds = 0;
    capture_interface made{.link = static_cast<link_type>(order_.u16(body.data()))};
    for_each_option(body.subspan(8), order_, [&](std::uint16_t code, auto value) {
        if (code == option_if_name) {
            made.name.assign(reinterpret_cast<const char*>(value.data()), value.size());
        } else if (code == option_if_tsresol && value.size() == 1) {
            resolution = std::to_integer<std::uint8_t>(value[0]);
        } else if (code == option_if_tsoffset && value.size() == 8) {
            offset_seconds = static_cast<std::int64_t>(order_.u64(value.data()));
        }
    });
    const pcapng_time time(resolution, offset_seconds);
    made.nanoseconds = time.finer_than_microseconds();

    sources_.push_back({number_of(made), order_.u32(body.data() + 4), time});
}

// Concatenated captures describe the same interfaces again in every section: those keep their
// number. Two of one section are two, also if they look alike.
std::uint32_t pcapng_reader::number_of(const capture_interface& described) {
    auto& twins = alike_[{described.link, described.nanoseconds, described.name}];
    if (twins.section != section_) {
        twins.section = section_;
        twins.taken = 0;
    }
    if (twins.taken == twins.numbers.size()) {
        twins.numbers.push_back(static_cast<std::uint32_t>(interfaces_.size()));
        interfaces_.push_back(described);
    }
    return twins.numbers[twins.taken++];
}

// --- packets -------------------------------------------------------------------------------------

const pcapng_reader::source& pcapng_reader::source_at(std::uint32_t id) const {
    if (id >= sources_.size())
        damaged(fmt::format("a packet of interface {}, never described", id));
    return sources_[id];
}

// `fields`: time high, time low, captured, original.
void pcapng_reader::fill(const source& from, std::span<const std::byte> fields,
                         std::span<const std::byte> bytes, capture_record& into) {
    const auto high = std::uint64_t{order_.u32(fields.data())};
    const auto captured = order_.u32(fields.data() + 8);
    if (captured > bytes.size())
        damaged(fmt::format("a packet of {} bytes in its block", captured));
    into = {.interface = from.index,
            .timestamp_ns = from.time.nanoseconds(high << 32 | order_.u32(fields.data() + 4)),
            .original_bytes = std::max(order_.u32(fields.data() + 12), captured),
            .bytes = bytes.first(captured)};
}

// | interface 4 | time 8 | captured 4 | original 4 | bytes ... | options
void pcapng_reader::enhanced(std::span<const std::byte> body, capture_record& into) {
    if (body.size() < 20) damaged("a packet block without its fields");
    fill(source_at(order_.u32(body.data())), body.subspan(4, 16), body.subspan(20), into);
}

// | interface 2 | drops 2 | time 8 | captured 4 | original 4 | bytes ... | options
void pcapng_reader::obsolete(std::span<const std::byte> body, capture_record& into) {
    if (body.size() < 20) damaged("a packet block without its fields");
    fill(source_at(order_.u16(body.data())), body.subspan(4, 16), body.subspan(20), into);
}

// | original 4 | bytes ...     of the section's first interface, cut at its snap length, no time
void pcapng_reader::simple(std::span<const std::byte> body, capture_record& into) {
    if (body.size() < 4) damaged("a packet block without its fields");
    const auto& from = source_at(0);
    const auto original = order_.u32(body.data());
    const auto captured = from.snap_bytes == 0 ? original : std::min(original, from.snap_bytes);
    if (captured > body.size() - 4)
        damaged(fmt::format("a packet of {} bytes in its block", captured));
    into = {.interface = from.index,
            .timestamp_ns = 0,
            .original_bytes = original,
            .bytes = body.subspan(4, captured)};
}

void pcapng_reader::damaged(const std::string& why) const {
    throw capture_failure(fmt::format("{} is damaged: {} at byte {}", name_, why, block_at_),
                          fmt::format("cut the file before it: head -c {}", block_at_));
}

}  // namespace skein::tool
