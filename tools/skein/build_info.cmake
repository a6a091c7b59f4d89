# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, the source file that holds the commit of SOURCE. Runs at every build and touches
# the file only if the commit changed, so that nothing else is compiled again.
find_package(Git QUIET)
set(commit "unknown")
if(GIT_FOUND)
    # Only if SOURCE is the repository itself, and not unpacked inside somebody else's.
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --show-toplevel
        OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    get_filename_component(here "${SOURCE}" REALPATH)
    if(top STREQUAL here)
        execute_process(
            COMMAND ${GIT_EXECUTABLE} --no-optional-locks -C ${SOURCE} describe
                --always --dirty --abbrev=12 --exclude=*
            OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(described)
            set(commit "${described}")
        endif()
    endif()
endif()

set(text "// SPDX-License-Identifier: Apache-2.0
#include \"build_info.hpp\"

namespace skein::tool {

const char* const build_commit = \"${commit}\";

}  // namespace skein::tool
")
set(before "")
if(EXISTS "${OUTPUT}")
    file(READ "${OUTPUT}" before)
endif()
if(NOT text STREQUAL before)
    file(WRITE "${OUTPUT}" "${text}")
endif()
