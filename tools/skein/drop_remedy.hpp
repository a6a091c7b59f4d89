// SPDX-License-Identifier: Apache-2.0
// What the reasons of drops and the events that live commands count mean, and what helps.
#pragma once

#include <string_view>

namespace skein::tool {

// One sentence with the cause and the cure; empty for a reason it does not know.
std::string_view drop_remedy(std::string_view reason) noexcept;

}  // namespace skein::tool
