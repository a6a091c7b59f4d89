// SPDX-License-Identifier: Apache-2.0
// Addresses as text, both ways.
#include <skein/wire/address.hpp>

#include <span>

namespace skein::inline v0::wire {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// Takes characters off the front of a text.
class text_reader {
  public:
    explicit text_reader(std::string_view text) noexcept : rest_(text) {}

    bool at_end() const noexcept { return rest_.empty(); }
    std::string_view rest() const noexcept { return rest_; }
    bool take(std::string_view token) noexcept {
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    // A number of up to max_digits digits; empty where there is no digit or a further one follows.
    std::optional<std::uint32_t> take_number(std::uint32_t base, std::size_t max_digits) noexcept {
        std::uint32_t value = 0;
        std::size_t digits = 0;
        for (; !rest_.empty(); rest_.remove_prefix(1), ++digits) {
            const auto digit = digit_value(rest_.front());
            if (digit >= base) break;
            if (digits == max_digits) return std::nullopt;
            value = value * base + digit;
        }
        if (digits == 0) return std::nullopt;
        return value;
    }

  private:
    static std::uint32_t digit_value(char c) noexcept {
        if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
        if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A') + 10;
        return 99;
    }

    std::string_view rest_;
};

std::optional<std::uint8_t> take_decimal_byte(text_reader& reader) noexcept {
    const bool leading_zero = reader.rest().starts_with('0');
    const std::size_t before = reader.rest().size();
    const auto value = reader.take_number(10, 3);
    if (!value || *value > 255) return std::nullopt;
    if (leading_zero && before - reader.rest().size() > 1) return std::nullopt;
    return static_cast<std::uint8_t>(*value);
}

std::optional<ipv4_address> take_ipv4(text_reader& reader) noexcept {
    ipv4_address address;
    for (std::size_t i = 0; i < 4; ++i) {
        if (i > 0 && !reader.take(".")) return std::nullopt;
        const auto byte = take_decimal_byte(reader);
        if (!byte) return std::nullopt;
        address.bytes[i] = std::byte{*byte};
    }
    return address;
}

// The groups on one side of "::", or all eight.
struct group_list {
    std::array<std::uint16_t, 8> groups{};
    std::size_t count = 0;
};

bool append_dotted(text_reader& reader, group_list& list) noexcept {
    const auto address = take_ipv4(reader);
    if (!address || list.count > 6) return false;
    list.groups[list.count++] = static_cast<std::uint16_t>(address->value() >> 16);
    list.groups[list.count++] = static_cast<std::uint16_t>(address->value() & 0xffff);
    return true;
}

// A dotted tail can only be the last thing in the text.
bool dotted_comes_next(const text_reader& reader) noexcept {
    const auto rest = reader.rest();
    const auto dot = rest.find('.');
    return dot != rest.npos && rest.substr(0, dot).find(':') == rest.npos;
}

// Groups between single colons, up to the end of the text or "::"; false where that is not so.
bool take_groups(text_reader& reader, group_list& list) noexcept {
    while (list.count < 8) {
        if (dotted_comes_next(reader)) return append_dotted(reader, list);
        const auto group = reader.take_number(16, 4);
        if (!group) return false;
        list.groups[list.count++] = static_cast<std::uint16_t>(*group);
        if (reader.at_end() || reader.rest().starts_with("::")) return true;
        if (!reader.take(":")) return false;
    }
    return false;
}

ipv6_address join_groups(const group_list& head, const group_list& tail) noexcept {
    ipv6_address address;
    for (std::size_t i = 0; i < head.count; ++i)
        store_be(&address.bytes[2 * i], head.groups[i]);
    for (std::size_t i = 0; i < tail.count; ++i)
        store_be(&address.bytes[2 * (8 - tail.count + i)], tail.groups[i]);
    return address;
}

struct zero_run {
    std::size_t first = 8;
    std::size_t count = 0;
};

// The first of the longest runs of two or more zero groups (RFC 5952 §4.2).
zero_run longest_zero_run(const ipv6_address& address) noexcept {
    zero_run best;
    zero_run run;
    for (std::size_t i = 0; i < 8; ++i) {
        run = address.group(i) != 0 ? zero_run{}
                                    : zero_run{run.count == 0 ? i : run.first, run.count + 1};
        if (run.count > best.count) best = run;
    }
    return best.count >= 2 ? best : zero_run{};
}

void append_hex(address_text& text, std::uint16_t group) noexcept {
    bool started = false;
    for (int shift = 12; shift >= 0; shift -= 4) {
        const std::size_t digit = (group >> shift) & 0xfu;
        started = started || digit != 0 || shift == 0;
        if (started) text.append(hex_digits[digit]);
    }
}

void append_decimal(address_text& text, unsigned value) noexcept {
    if (value >= 100) text.append(hex_digits[value / 100]);
    if (value >= 10) text.append(hex_digits[value / 10 % 10]);
    text.append(hex_digits[value % 10]);
}

void append_ipv4(address_text& text, std::span<const std::byte, 4> bytes) noexcept {
    for (std::size_t i = 0; i < 4; ++i) {
        if (i > 0) text.append('.');
        append_decimal(text, std::to_integer<unsigned>(bytes[i]));
    }
}

bool is_ipv4_mapped(const ipv6_address& address) noexcept {
    for (std::size_t i = 0; i < 5; ++i)
        if (address.group(i) != 0) return false;
    return address.group(5) == 0xffff;
}

}  // namespace

address_text to_text(const mac_address& address) noexcept {
    address_text text;
    for (std::size_t i = 0; i < address.bytes.size(); ++i) {
        if (i > 0) text.append(':');
        const auto byte = std::to_integer<std::size_t>(address.bytes[i]);
        text.append(hex_digits[byte >> 4]);
        text.append(hex_digits[byte & 0xf]);
    }
    return text;
}

address_text to_text(const ipv4_address& address) noexcept {
    address_text text;
    append_ipv4(text, address.bytes);
    return text;
}

address_text to_text(const ipv6_address& address) noexcept {
    address_text text;
    if (is_ipv4_mapped(address)) {
        for (const char c : std::string_view("::ffff:"))
            text.append(c);
        append_ipv4(text, std::span(address.bytes).last<4>());
        return text;
    }
    const zero_run zeros = longest_zero_run(address);
    for (std::size_t i = 0; i < 8; ++i) {
        if (i == zeros.first) {
            text.append(':');
            text.append(':');
            i += zeros.count - 1;
            continue;
        }
        if (i > 0 && i != zeros.first + zeros.count) text.append(':');
        append_hex(text, address.group(i));
    }
    return text;
}

std::optional<mac_address> parse_mac(std::string_view text) noexcept {
    text_reader reader(text);
    mac_address address;
    for (std::size_t i = 0; i < address.bytes.size(); ++i) {
        if (i > 0 && !reader.take(":")) return std::nullopt;
        const std::size_t before = reader.rest().size();
        const auto byte = reader.take_number(16, 2);
        if (!byte || before - reader.rest().size() != 2) return std::nullopt;
        address.bytes[i] = static_cast<std::byte>(*byte);
    }
    if (!reader.at_end()) return std::nullopt;
    return address;
}

std::optional<ipv4_address> parse_ipv4(std::string_view text) noexcept {
    text_reader reader(text);
    const auto address = take_ipv4(reader);
    return reader.at_end() ? address : std::nullopt;
}

std::optional<ipv6_address> parse_ipv6(std::string_view text) noexcept {
    text_reader reader(text);
    group_list head;
    group_list tail;
    if (!reader.rest().starts_with("::") && !take_groups(reader, head)) return std::nullopt;
    const bool shortened = reader.take("::");
    if (shortened && !reader.at_end() && !take_groups(reader, tail)) return std::nullopt;
    if (!reader.at_end()) return std::nullopt;
    const std::size_t count = head.count + tail.count;
    if (shortened ? count > 7 : count != 8) return std::nullopt;
    return join_groups(head, tail);
}

}  // namespace skein::inline v0::wire
