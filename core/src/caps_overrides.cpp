// SPDX-License-Identifier: Apache-2.0
#include <skein/caps_overrides.hpp>

#include <charconv>
#include <limits>

namespace skein::inline v0 {

namespace {

using range = std::pair<std::uint32_t, std::uint32_t>;

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

// The values that make sense; a planner may rely on them.
range range_of(capability which) noexcept {
    constexpr std::uint32_t longest_packet = 524'280 + 14;  // Linux GSO_MAX_SIZE, and Ethernet
    switch (which) {
        case capability::min_head_bytes:
            return {0, 4096};
        case capability::min_frame_bytes:
            return {0, 1514};
        case capability::max_tx_segments:
        case capability::zc_max_segments:
            return {1, 65535};
        case capability::segment_cost_bytes:
            return {0, longest_packet};
        case capability::mtu:
            return {68, 65535};
        case capability::queues:
            return {1, 65535};
        case capability::page_bytes:
            return {4096, 65536};
        default:
            return {0, std::numeric_limits<std::uint32_t>::max()};
    }
}

std::optional<std::uint32_t> number_in(std::string_view text) noexcept {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::uint32_t value = 0;
    const auto* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value, base);
    if (error != std::errc{} || stopped != end) return {};
    return value;
}

std::uint32_t flag_from(capability which, std::string_view text) {
    for (const std::string_view yes : {"on", "true", "yes", "1"})
        if (text == yes) return 1;
    for (const std::string_view no : {"off", "false", "no", "0"})
        if (text == no) return 0;
    throw caps_error("caps: " + std::string(to_string(which)) + " cannot be " + quoted(text),
                     "write on or off");
}

std::optional<std::uint32_t> bit_named(capability which, std::string_view name) noexcept {
    const auto names = bit_names(which);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return 1u << i;
    return {};
}

std::string listed(std::span<const std::string_view> names) {
    std::string text;
    for (const auto name : names)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

std::uint32_t bits_from(capability which, std::string_view text) {
    if (const auto number = number_in(text)) return *number;
    std::uint32_t bits = 0;
    while (true) {
        const auto plus = text.find('+');
        const auto name = text.substr(0, plus);
        const auto bit = bit_named(which, name);
        if (!bit)
            throw caps_error(
                "caps: " + std::string(to_string(which)) + " has no bit " + quoted(name),
                "write a number, or some of " + listed(bit_names(which)) + " joined by +");
        bits |= *bit;
        if (plus == text.npos) return bits;
        text.remove_prefix(plus + 1);
    }
}

std::uint32_t number_from(capability which, std::string_view text) {
    const auto [least, most] = range_of(which);
    const auto value = number_in(text);
    const bool page = which != capability::page_bytes || (value && (*value & (*value - 1)) == 0);
    if (value && *value >= least && *value <= most && page) return *value;
    throw caps_error("caps: " + std::string(to_string(which)) + " cannot be " + quoted(text),
                     std::string("write ") + (page ? "a number" : "a power of two") + " from " +
                         std::to_string(least) + " to " + std::to_string(most));
}

std::uint32_t value_from(capability which, std::string_view text) {
    switch (kind_of(which)) {
        case caps_kind::flag:
            return flag_from(which, text);
        case caps_kind::bits:
            return bits_from(which, text);
        case caps_kind::number:
            break;
    }
    return number_from(which, text);
}

std::string all_keys() {
    std::string text = "driver";
    for (std::size_t i = 0; i < capability_count; ++i)
        text += ", " + std::string(to_string(static_cast<capability>(i)));
    return text;
}

std::string variants_of(std::string_view driver) {
    std::string text;
    for (const driver_row& row : driver_table()) {
        if (row.driver != driver || row.variant.empty()) continue;
        text +=
            (text.empty() ? "" : ", ") + std::string(row.driver) + ":" + std::string(row.variant);
    }
    return text;
}

void take_driver(caps_overrides& result, std::string_view text) {
    const auto colon = text.find(':');
    result.driver = text.substr(0, colon);
    if (result.driver.empty())
        throw caps_error("caps: driver without a name", "name it as `ethtool -i` does");
    if (colon == text.npos) return;
    result.variant = text.substr(colon + 1);
    if (find_driver(result.driver, result.variant) != nullptr && !result.variant.empty()) return;
    const auto known = variants_of(result.driver);
    throw caps_error("caps: the driver table has no " + quoted(text),
                     known.empty()
                         ? "leave the variant out: there are none of " + quoted(result.driver)
                         : "there are " + known);
}

void take_part(caps_overrides& result, std::string_view part) {
    const auto equals = part.find('=');
    if (equals == part.npos)
        throw caps_error("caps: " + quoted(part) + " is no KEY=VALUE",
                         "for instance driver=veth,segment_cost_bytes=0");
    const auto key = part.substr(0, equals);
    const auto value = part.substr(equals + 1);
    const auto which = capability_named(key);
    if (key != "driver" && !which)
        throw caps_error("caps: no capability is named " + quoted(key), "there are " + all_keys());
    if (which ? result.values.find(*which).has_value() : !result.driver.empty())
        throw caps_error("caps: " + quoted(key) + " stands there twice", "write it once");
    if (which)
        result.values.set(*which, value_from(*which, value));
    else
        take_driver(result, value);
}

}  // namespace

caps_overrides parse_caps(std::string_view text) {
    caps_overrides result;
    while (true) {
        const auto comma = text.find(',');
        take_part(result, text.substr(0, comma));
        if (comma == text.npos) return result;
        text.remove_prefix(comma + 1);
    }
}

caps_report caps_of(const caps_overrides& overrides) {
    const auto* row = find_driver(overrides.driver, overrides.variant);
    return settle_caps(overrides.values, {}, row == nullptr ? known_caps{} : caps_of(*row), {});
}

}  // namespace skein::inline v0
