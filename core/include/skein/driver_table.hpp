// SPDX-License-Identifier: Apache-2.0
// What drivers are known to need and to offer, for what no running kernel tells, and for kernels
// too old to tell (the netdev family is there since Linux 6.3).
//
// A row speaks for a driver by the name that `ethtool -i` shows, and where one driver serves
// devices that differ, there are further rows with a variant; the row without one is then the most
// careful of them. What a row does not name nobody looked up: the default stays. Each row says
// where it was read.
//
// Pure data: nothing here looks at a device. Threading: constants.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <skein/device_caps.hpp>
#include <skein/export.hpp>

namespace skein::inline v0 {

struct kernel_release {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;

    auto operator<=>(const kernel_release&) const noexcept = default;
};

struct driver_row {
    std::string_view driver;
    std::string_view variant = {};  // "cx4lx"; empty: the driver at large
    std::optional<bool> tx_no_linear = {};
    std::optional<std::uint16_t> min_head_bytes = {};
    std::optional<std::uint16_t> min_frame_bytes = {};
    std::optional<bool> xdp_native = {};
    std::optional<bool> zero_copy = {};   // false: it has none
    kernel_release zero_copy_since = {};  // where zero_copy is true
    std::optional<std::uint8_t> zc_max_segments = {};
    // Largest MTU with native XDP and a program that knows no scatter-gather; 0: not known.
    std::uint16_t native_mtu = 0;
    std::string_view source;
};

// Sorted by driver, then variant.
SKEIN_EXPORT std::span<const driver_row> driver_table() noexcept;

// Null where there is none.
SKEIN_EXPORT const driver_row* find_driver(std::string_view driver,
                                           std::string_view variant = {}) noexcept;

// What the row says on a kernel of that release; on a current one where none is given.
SKEIN_EXPORT known_caps caps_of(const driver_row& row,
                                std::optional<kernel_release> kernel = {}) noexcept;

}  // namespace skein::inline v0
