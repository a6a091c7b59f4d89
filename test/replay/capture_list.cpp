// SPDX-License-Identifier: Apache-2.0
// capture_list FILE: one line for each packet of a capture: link type, time, original length, bytes
// in hexadecimal. Two captures with equal lists hold the same packets. A record that the file ends
// in is left out.
#include <cstdio>
#include <exception>
#include <string>

#include "replay/capture_look.hpp"

namespace {

std::string hexadecimal(const skein::test::byte_vector& bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const auto b : bytes) {
        text += digits[std::to_integer<unsigned>(b) >> 4];
        text += digits[std::to_integer<unsigned>(b) & 15];
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    try {
        for (const auto& p : skein::test::look_at(argv[1], true).packets) {
            std::printf("%u %llu %u %s\n", p.link, static_cast<unsigned long long>(p.time_ns),
                        p.original, hexadecimal(p.bytes).c_str());
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", argv[1], e.what());
        return 1;
    }
    return 0;
}
