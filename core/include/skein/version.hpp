// SPDX-License-Identifier: Apache-2.0
// The version of skein, in the only place that states it: the build system reads it from here.
//
// All names live in the inline namespace skein::v0. Its number changes when the binary interface
// does, so that a program built against one header cannot silently link with another library.
#pragma once

#define SKEIN_VERSION_MAJOR 0
#define SKEIN_VERSION_MINOR 1
#define SKEIN_VERSION_PATCH 0

namespace skein::inline v0 {

struct version_numbers {
    int major;
    int minor;
    int patch;
};

inline constexpr version_numbers header_version{SKEIN_VERSION_MAJOR, SKEIN_VERSION_MINOR,
                                                SKEIN_VERSION_PATCH};

}  // namespace skein::inline v0
