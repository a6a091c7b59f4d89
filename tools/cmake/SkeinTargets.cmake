# SPDX-License-Identifier: Apache-2.0
# Settings every skein target shares. Consumers inherit the C++ standard and nothing else.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

add_library(skein_build_settings INTERFACE)
target_compile_features(skein_build_settings INTERFACE cxx_std_20)
target_compile_options(skein_build_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual>
    $<$<BOOL:${SKEIN_WERROR}>:-Werror>)
# GCC 12 warns of overlaps in std::string's own operator+ that cannot happen (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(skein_build_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(SKEIN_SANITIZE)
    target_compile_options(skein_build_settings INTERFACE
        -fsanitize=${SKEIN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(skein_build_settings INTERFACE -fsanitize=${SKEIN_SANITIZE})
endif()

# skein_configure(TARGET): the project's own standard, warnings, sanitizers and visibility.
function(skein_configure target)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:skein_build_settings>)
    set_target_properties(${target} PROPERTIES
        CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
