// SPDX-License-Identifier: Apache-2.0
// What the program was built from. The value comes from build_info.cmake at build time.
#pragma once

namespace skein::tool {

// The commit, with "-dirty" behind it if files were changed since; "unknown" outside a repository.
extern const char* const build_commit;

}  // namespace skein::tool
