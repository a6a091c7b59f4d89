// SPDX-License-Identifier: Apache-2.0
// Rules as the XDP program reads them (bpf/abi.h).
#pragma once

#include <span>

#include <skein/xsk/rules.hpp>

#include "abi.h"

namespace skein::inline v0::xsk {

// At most max_rules rules; the caller checks.
skein_rule_set encode(std::span<const rule> rules, default_action otherwise) noexcept;

}  // namespace skein::inline v0::xsk
