// SPDX-License-Identifier: Apache-2.0
#include <skein/driver_table.hpp>

#include <algorithm>

#include "support/catch.hpp"

using namespace skein;

namespace {

std::optional<std::uint32_t> says(std::string_view driver, std::string_view variant,
                                  capability which, std::optional<kernel_release> kernel = {}) {
    const auto* row = find_driver(driver, variant);
    REQUIRE(row != nullptr);
    return caps_of(*row, kernel).find(which);
}

}  // namespace

TEST_CASE("rows are sorted, no two are for the same device, and each names its source") {
    const auto rows = driver_table();
    REQUIRE(rows.size() > 30);
    const auto key = [](const driver_row& row) { return std::pair(row.driver, row.variant); };
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
        CHECK(key(rows[i]) < key(rows[i + 1]));
    for (const driver_row& row : rows) {
        INFO(row.driver);
        CHECK(row.source.size() > 8);
        CHECK_FALSE(row.driver.empty());
    }
}

TEST_CASE("a variant stands beside a row for the driver at large, which is as careful") {
    for (const driver_row& row : driver_table()) {
        if (row.variant.empty()) continue;
        INFO(row.driver << ":" << row.variant);
        const auto* at_large = find_driver(row.driver);
        REQUIRE(at_large != nullptr);
        CHECK(at_large->min_head_bytes.value_or(64) >= row.min_head_bytes.value_or(64));
        CHECK(at_large->min_frame_bytes.value_or(14) >= row.min_frame_bytes.value_or(14));
    }
}

TEST_CASE("rows that are relied on") {
    CHECK(says("virtio_net", "", capability::tx_no_linear) == 1u);
    CHECK(says("veth", "", capability::tx_no_linear) == 0u);
    CHECK(says("veth", "", capability::min_head_bytes) == 14u);
    CHECK(says("veth", "", capability::zero_copy) == 0u);
    CHECK(says("mlx5_core", "cx4lx", capability::min_head_bytes) == 18u);
    CHECK(says("mlx5_core", "cx5", capability::min_head_bytes) == 0u);
    CHECK(says("ice", "", capability::zc_max_segments) == 8u);
    CHECK(says("ice", "", capability::min_frame_bytes) == 17u);
    CHECK_FALSE(says("ice", "", capability::tx_no_linear));
}

TEST_CASE("only one driver sends packets without a linear head") {
    const auto rows = driver_table();
    CHECK(std::count_if(rows.begin(), rows.end(), [](const driver_row& row) {
              return row.tx_no_linear.value_or(false);
          }) == 1);
}

TEST_CASE("zero-copy is there from the kernel on that brought it") {
    CHECK(says("igb", "", capability::zero_copy, kernel_release{6, 12}) == 0u);
    CHECK(says("igb", "", capability::zero_copy, kernel_release{6, 14}) == 1u);
    CHECK(says("igb", "", capability::zero_copy, kernel_release{7, 0}) == 1u);
    CHECK(says("igb", "", capability::zero_copy) == 1u);
}

TEST_CASE("what is not in the table is not found") {
    CHECK(find_driver("no_such_driver") == nullptr);
    CHECK(find_driver("") == nullptr);
    CHECK(find_driver("veth", "cx5") == nullptr);
}
