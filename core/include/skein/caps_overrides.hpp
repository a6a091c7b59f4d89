// SPDX-License-Identifier: Apache-2.0
// What the user says a device can do: the text form of --caps.
//
//     driver=mlx5_core:cx4lx
//     driver=virtio_net,segment_cost_bytes=0
//     tx_no_linear=on,max_tx_segments=0x11,xdp_features=basic+redirect
//
// Parts are separated by commas, each at most once, in any order. `driver` chooses a row of
// driver_table.hpp, with a variant behind a colon; a driver without a row is one nobody knows and
// gets the defaults. Every other KEY is the name of a capability (device_caps.hpp). A flag is on,
// off, true, false, yes, no, 1 or 0; a number is decimal or 0x hexadecimal; bits are a number or
// names joined by +.
//
// Errors: parse_caps throws caps_error with what is wrong and what would be right.
// Threading: pure functions.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <skein/device_caps.hpp>
#include <skein/driver_table.hpp>
#include <skein/export.hpp>

namespace skein::inline v0 {

struct caps_overrides {
    std::string driver = {};  // empty: the device's own
    std::string variant = {};
    known_caps values = {};
};

class SKEIN_EXPORT caps_error : public std::invalid_argument {
  public:
    caps_error(const std::string& what, std::string remedy)
        : std::invalid_argument(what), remedy_(std::move(remedy)) {}
    const std::string& remedy() const noexcept { return remedy_; }

  private:
    std::string remedy_;
};

SKEIN_EXPORT caps_overrides parse_caps(std::string_view text);

// What a device does of which nothing is known but this: for a capture that is replayed, and as
// what a port starts from.
SKEIN_EXPORT caps_report caps_of(const caps_overrides& overrides);

}  // namespace skein::inline v0
