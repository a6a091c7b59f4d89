// SPDX-License-Identifier: Apache-2.0
// capture_list FILE: one line for each packet of a capture: link type, time, original length, bytes
// in hexadecimal. Two captures with equal lists hold the same packets.
#include <cstdio>
#include <exception>

#include "replay/capture_look.hpp"

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    try {
        for (const auto& p : skein::test::look_at(argv[1]).packets) {
            std::printf("%u %llu %u ", p.link, static_cast<unsigned long long>(p.time_ns),
                        p.original);
            for (const auto b : p.bytes)
                std::printf("%02x", std::to_integer<unsigned>(b));
            std::puts("");
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", argv[1], e.what());
        return 1;
    }
    return 0;
}
