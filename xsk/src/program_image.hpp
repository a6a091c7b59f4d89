// SPDX-License-Identifier: Apache-2.0
// The compiled XDP programs, as they lie in this library: one for each kind of metadata.
#pragma once

#include <cstddef>
#include <span>

#include <skein/xsk/program.hpp>

namespace skein::inline v0::xsk {

// An ELF object.
std::span<const std::byte> program_image(metadata_kind kind) noexcept;

}  // namespace skein::inline v0::xsk
