# SPDX-License-Identifier: Apache-2.0
# What a user of <skein/xsk/asio.hpp> needs beside skein::xsk. Used by the build and, installed
# beside skein-config.cmake, by whoever finds skein.

# skein_use_boost_asio(TARGET SCOPE): Boost's headers, and coroutines with clang: Boost 1.74 looks for
# them in <experimental/coroutine> alone, which libstdc++ does not have; newer ones define the same.
function(skein_use_boost_asio target scope)
    find_package(Threads REQUIRED)
    target_link_libraries(${target} ${scope} Boost::headers Threads::Threads)
    target_compile_definitions(${target} ${scope}
        $<$<COMPILE_LANG_AND_ID:CXX,Clang>:BOOST_ASIO_HAS_CO_AWAIT=1>)
endfunction()
