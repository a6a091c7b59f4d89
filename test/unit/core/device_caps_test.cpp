// SPDX-License-Identifier: Apache-2.0
#include <skein/device_caps.hpp>

#include <set>
#include <string>

#include "support/catch.hpp"

using namespace skein;
using enum skein::capability;

namespace {

known_caps knowing(std::initializer_list<std::pair<capability, std::uint32_t>> values) {
    known_caps known;
    for (const auto& [which, value] : values)
        known.set(which, value);
    return known;
}

const kernel_abilities linux_6_18 = {.multi_buffer = true,
                                     .tx_metadata = true,
                                     .no_linear_metadata = true,
                                     .hardware_checksum = true};
const kernel_abilities linux_6_1 = {
    .multi_buffer = false, .tx_metadata = false, .no_linear_metadata = false};

}  // namespace

TEST_CASE("a device nobody knows gets safe values, all by default") {
    const auto report = settle_caps({}, {}, {}, {});
    const device_caps& caps = report.values;
    CHECK_FALSE(caps.tx_no_linear);
    CHECK(caps.min_head_bytes == 64);
    CHECK(caps.min_frame_bytes == 14);
    CHECK(caps.max_tx_segments == 18);
    CHECK(caps.segment_cost_bytes == copy_segment_cost_bytes);
    CHECK_FALSE(caps.zero_copy);
    CHECK_FALSE(caps.xdp_native);
    CHECK_FALSE(caps.tx_checksum);
    for (std::size_t i = 0; i < capability_count; ++i)
        CHECK(report.source_of(static_cast<capability>(i)) == caps_source::by_default);
}

TEST_CASE("an override beats the kernel, the kernel the table, each value by itself") {
    const auto report =
        settle_caps(knowing({{min_head_bytes, 30}}), knowing({{min_head_bytes, 20}, {mtu, 9000}}),
                    knowing({{min_head_bytes, 10}, {mtu, 2000}, {min_frame_bytes, 17}}), {});
    CHECK(report.values.min_head_bytes == 30);
    CHECK(report.source_of(min_head_bytes) == caps_source::overridden);
    CHECK(report.values.mtu == 9000);
    CHECK(report.source_of(mtu) == caps_source::kernel);
    CHECK(report.values.min_frame_bytes == 17);
    CHECK(report.source_of(min_frame_bytes) == caps_source::table);
    CHECK(report.source_of(queues) == caps_source::by_default);
}

TEST_CASE("a device that needs no linear head takes 17 pages, and any head") {
    const auto report =
        settle_caps({}, knowing({{tx_no_linear, 1}}), knowing({{min_head_bytes, 14}}), linux_6_18);
    CHECK(report.values.max_tx_segments == 17);
    CHECK(report.values.min_head_bytes == 0);
    CHECK(report.values.segment_cost_bytes == page_segment_cost_bytes);
    CHECK(report.source_of(max_tx_segments) == caps_source::kernel);
    CHECK(report.source_of(min_head_bytes) == caps_source::kernel);
}

TEST_CASE("what follows from a value never overrules an override") {
    const auto report = settle_caps(
        knowing({{tx_no_linear, 1}, {min_head_bytes, 20}, {max_tx_segments, 5}, {tx_checksum, 1}}),
        {}, {}, linux_6_1);
    CHECK(report.values.min_head_bytes == 20);
    CHECK(report.values.max_tx_segments == 5);
    CHECK(report.values.tx_checksum);
    CHECK(report.source_of(tx_checksum) == caps_source::overridden);
}

TEST_CASE("an override that says no takes what followed from yes") {
    const auto report =
        settle_caps(knowing({{tx_no_linear, 0}}), knowing({{tx_no_linear, 1}}), {}, linux_6_18);
    CHECK(report.values.max_tx_segments == 18);
    CHECK(report.values.min_head_bytes == 64);
}

TEST_CASE("zero-copy takes as many pieces as the driver announces") {
    const auto many = settle_caps({}, knowing({{zero_copy, 1}, {zc_max_segments, 8}}), {}, {});
    CHECK(many.values.max_tx_segments == 8);
    CHECK(many.values.scatter_gather);
    CHECK(many.source_of(max_tx_segments) == caps_source::kernel);
    CHECK(many.values.segment_cost_bytes == zero_copy_segment_cost_bytes);

    const auto one = settle_caps({}, knowing({{zero_copy, 1}}), {}, linux_6_18);
    CHECK(one.values.max_tx_segments == 1);
    CHECK_FALSE(one.values.scatter_gather);
}

TEST_CASE("a kernel without multi-buffer sends one piece") {
    const auto report = settle_caps({}, {}, {}, linux_6_1);
    CHECK(report.values.max_tx_segments == 1);
    CHECK_FALSE(report.values.scatter_gather);
    CHECK(report.source_of(scatter_gather) == caps_source::kernel);
    const auto told = settle_caps(knowing({{scatter_gather, 0}}), {}, {}, linux_6_18);
    CHECK(told.values.max_tx_segments == 1);
}

TEST_CASE("in copy mode the kernel finishes requests, where it has them") {
    const auto now = settle_caps({}, {}, {}, linux_6_18);
    CHECK(now.values.tx_checksum);
    CHECK(now.values.tx_timestamp);
    CHECK(now.source_of(tx_checksum) == caps_source::kernel);
    const auto then = settle_caps({}, {}, {}, linux_6_1);
    CHECK_FALSE(then.values.tx_checksum);
    CHECK_FALSE(then.values.tx_timestamp);
    CHECK(then.source_of(tx_checksum) == caps_source::kernel);
}

TEST_CASE("without a linear head a checksum is the device's to do") {
    const auto device = knowing({{tx_no_linear, 1}});
    auto kernel = linux_6_18;
    CHECK(settle_caps({}, device, {}, kernel).values.tx_checksum);
    kernel.hardware_checksum = false;
    CHECK_FALSE(settle_caps({}, device, {}, kernel).values.tx_checksum);
    CHECK(settle_caps({}, device, {}, kernel).values.tx_timestamp);
    kernel.hardware_checksum = true;
    kernel.no_linear_metadata = false;
    CHECK_FALSE(settle_caps({}, device, {}, kernel).values.tx_checksum);
    CHECK_FALSE(settle_caps({}, device, {}, kernel).values.tx_timestamp);
}

TEST_CASE("in zero-copy mode the driver finishes requests, where it says so") {
    auto kernel = linux_6_18;
    const auto device = knowing({{zero_copy, 1}});
    CHECK_FALSE(settle_caps({}, device, {}, kernel).values.tx_checksum);
    kernel.xsk_features = xsk_feature::tx_checksum;
    CHECK(settle_caps({}, device, {}, kernel).values.tx_checksum);
    CHECK_FALSE(settle_caps({}, device, {}, kernel).values.tx_timestamp);
    kernel.xsk_features = xsk_feature::tx_timestamp;
    CHECK(settle_caps({}, device, {}, kernel).values.tx_timestamp);
}

TEST_CASE("a piece counts for each page it touches where the pages themselves are sent") {
    device_caps caps;
    CHECK(tx_pieces(caps, 4000, 3000) == 1);
    caps.tx_no_linear = true;
    CHECK(tx_pieces(caps, 0, 4096) == 1);
    CHECK(tx_pieces(caps, 1, 4096) == 2);
    CHECK(tx_pieces(caps, 4095, 1) == 1);
    CHECK(tx_pieces(caps, 4095, 2) == 2);
    CHECK(tx_pieces(caps, 4095, 4098) == 3);
    CHECK(tx_pieces(caps, 0, 0) == 1);
    caps.page_bytes = 65536;
    CHECK(tx_pieces(caps, 1, 4096) == 1);
    caps.page_bytes = 4096;
    caps.zero_copy = true;
    CHECK(tx_pieces(caps, 1, 4096) == 1);
}

TEST_CASE("every capability has a name of its own, by which it is found") {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < capability_count; ++i) {
        const auto which = static_cast<capability>(i);
        CHECK(names.insert(to_string(which)).second);
        CHECK(capability_named(to_string(which)) == which);
    }
    CHECK_FALSE(capability_named("no_such"));
    CHECK_FALSE(capability_named(""));
    for (const char* promised :
         {"tx_no_linear", "min_head_bytes", "min_frame_bytes", "max_tx_segments",
          "segment_cost_bytes", "zero_copy", "scatter_gather", "xdp_native", "xdp_features",
          "tx_checksum", "tx_timestamp", "rx_metadata", "mtu", "queues"})
        CHECK(names.count(promised) == 1);
}

TEST_CASE("a value set by its name is read by its name") {
    for (std::size_t i = 0; i < capability_count; ++i) {
        const auto which = static_cast<capability>(i);
        CHECK(value_of(settle_caps(knowing({{which, 1}}), {}, {}, {}).values, which) == 1);
    }
    CHECK(kind_of(tx_no_linear) == caps_kind::flag);
    CHECK(kind_of(mtu) == caps_kind::number);
    CHECK(kind_of(rx_metadata) == caps_kind::bits);
}

TEST_CASE("bits have the kernel's names in the kernel's order") {
    CHECK(bit_names(xdp_features)[3] == "xsk_zerocopy");
    CHECK(1u << 3 == xdp_feature::xsk_zero_copy);
    CHECK(bit_names(rx_metadata)[1] == "hash");
    CHECK(bit_names(mtu).empty());
}

TEST_CASE("sources are named as they are shown") {
    CHECK(to_string(caps_source::by_default) == "default");
    CHECK(to_string(caps_source::table) == "table");
    CHECK(to_string(caps_source::kernel) == "kernel");
    CHECK(to_string(caps_source::overridden) == "override");
}
