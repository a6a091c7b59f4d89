// SPDX-License-Identifier: Apache-2.0
// What a device can do, found out without opening anything on it: no socket is bound, no program
// attached, no packet sent.
//
//     const auto device = skein::xsk::discover("eth0");
//     if (device.caps.values.tx_no_linear) ...
//     device.caps.source_of(skein::capability::tx_no_linear)   // override, kernel, table, default
//
// Asked are, in this order: netdev generic netlink (XDP features, pieces in zero-copy, RX metadata;
// since Linux 6.3), ethtool (driver, offloads, rings, channels), the kernel's own structures by a
// small BPF program (tx_no_linear, what AF_XDP knows), the kernel's release, and the driver table.
// Whatever does not answer is left out, with the reason in `notes`: an unprivileged caller, or an
// older kernel, gets less from the kernel and more from the table.
//
// Zero-copy is what the driver announces. Whether a bind obtains it, only a bind says
// (bind_result::zero_copy).
//
// Network namespace: that of the calling thread. Throws setup_error if there is no such interface.
// Threading: free functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <skein/caps_overrides.hpp>
#include <skein/device_caps.hpp>
#include <skein/driver_table.hpp>
#include <skein/export.hpp>

namespace skein::inline v0::xsk {

struct device_offload {
    std::string name;  // the kernel's: "rx-lro", "tx-checksum-ip-generic"
    bool on = false;
    bool fixed = false;  // cannot be changed
};

struct device_rings {  // descriptors
    std::uint32_t rx = 0;
    std::uint32_t tx = 0;
    std::uint32_t rx_most = 0;
    std::uint32_t tx_most = 0;
};

struct device_channels {
    std::uint32_t rx = 0;
    std::uint32_t tx = 0;
    std::uint32_t combined = 0;
    std::uint32_t rx_most = 0;
    std::uint32_t tx_most = 0;
    std::uint32_t combined_most = 0;
};

// A fact of the kernel's structures that is no capability: "needed_headroom", 12.
struct probed_fact {
    std::string name;
    std::uint32_t value = 0;
};

struct discovered_device {
    std::string interface;
    std::uint32_t index = 0;
    std::string driver;  // as `ethtool -i` names it; empty where the device has none (lo)
    std::string kernel;  // "6.18.44"
    bool up = false;
    bool carrier = false;
    caps_report caps;
    const driver_row* row = nullptr;  // of the table; null where it has none
    std::optional<device_rings> rings = {};
    std::optional<device_channels> channels = {};
    std::vector<device_offload> offloads = {};  // empty where ethtool does not tell
    std::vector<probed_fact> probed = {};
    std::vector<std::string> notes = {};  // what did not answer, and why

    // Nothing where the device does not know the offload.
    SKEIN_EXPORT const device_offload* find_offload(std::string_view name) const noexcept;
    SKEIN_EXPORT bool offload_is_on(std::string_view name) const noexcept;
};

SKEIN_EXPORT discovered_device discover(const std::string& interface,
                                        const caps_overrides& overrides = {});

// discover().caps, for whoever needs no more.
SKEIN_EXPORT caps_report discover_caps(const std::string& interface,
                                       const caps_overrides& overrides = {});

// The driver's own counters, by its own names (`ethtool -S`); empty where it has none.
struct device_counter {
    std::string name;
    std::uint64_t value = 0;
};
SKEIN_EXPORT std::vector<device_counter> device_statistics(const std::string& interface);

// "6.18.44-cloud" -> 6.18; nothing where the text does not begin with two numbers.
SKEIN_EXPORT std::optional<kernel_release> parse_release(std::string_view text) noexcept;

}  // namespace skein::inline v0::xsk
