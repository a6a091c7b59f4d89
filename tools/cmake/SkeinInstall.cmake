# SPDX-License-Identifier: Apache-2.0
# What gets installed, and how others find it:
#
#   component development   headers, static libraries, CMake package files, pkg-config files
#   component runtime       shared libraries, the skein command, the licence
#
# find_package(skein) offers skein::core and skein::xsk; find_package(skein COMPONENTS core) looks
# for no more than that. libbpf and libxdp have no CMake package, so theirs come from pkg-config.
# skein::asio, headers over Boost's, is made where it is looked for and Boost is there.
include(CMakePackageConfigHelpers)

set(skein_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/skein)
set(skein_installed_components core)
if(SKEIN_BUILD_XSK)
    list(APPEND skein_installed_components xsk)
endif()

# Libraries and the command find each other wherever the whole installation is moved to.
file(RELATIVE_PATH skein_bin_to_lib
    ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH skein_pkgconfig_to_prefix
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

# Who links shared libraries needs no development packages of what they bring along.
set(skein_pkgconfig_private "Requires.private: libbpf >= 1.0, libxdp >= 1.2")
if(BUILD_SHARED_LIBS)
    set(skein_pkgconfig_private "")
endif()

# skein_install_pkgconfig(COMPONENT): COMPONENT.pc.in becomes skein-COMPONENT.pc.
function(skein_install_pkgconfig component)
    set(file ${PROJECT_BINARY_DIR}/skein-${component}.pc)
    configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/skein-${component}.pc.in ${file} @ONLY)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()

# skein_install_library(COMPONENT): the library, its headers and its CMake targets.
function(skein_install_library component)
    set_target_properties(skein_${component} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS skein_${component} EXPORT skein-${component}-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT runtime NAMELINK_COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT skein-${component}-targets NAMESPACE skein::
        DESTINATION ${skein_package_dir} COMPONENT development)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${component}/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.hpp")
    skein_install_pkgconfig(${component})
endfunction()

foreach(component IN LISTS skein_installed_components)
    skein_install_library(${component})
endforeach()

configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/tools/cmake/skein-config.cmake.in ${PROJECT_BINARY_DIR}/skein-config.cmake
    INSTALL_DESTINATION ${skein_package_dir}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/skein-config-version.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(
    FILES ${PROJECT_BINARY_DIR}/skein-config.cmake ${PROJECT_BINARY_DIR}/skein-config-version.cmake
        ${PROJECT_SOURCE_DIR}/tools/cmake/SkeinAsio.cmake
    DESTINATION ${skein_package_dir} COMPONENT development)

if(SKEIN_BUILD_TOOLS)
    set_target_properties(skein PROPERTIES INSTALL_RPATH "$ORIGIN/${skein_bin_to_lib}")
    install(TARGETS skein RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
