// SPDX-License-Identifier: Apache-2.0
// The stages of this version, in the order packets pass them. To add one, add its kind here and
// take its options out of the table in unavailable_options.cpp.
#include "stage.hpp"

namespace skein::tool {

stage_kinds all_stage_kinds() {
    return {};
}

}  // namespace skein::tool
