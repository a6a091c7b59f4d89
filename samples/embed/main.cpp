// SPDX-License-Identifier: Apache-2.0
// Prints the length of each UDP packet to a port, and leaves all others to the kernel:
// embed veth0 9
#include <cstdio>
#include <string>
#include <skein/xsk/port.hpp>

int main(int argc, char** argv) try {
    if (argc != 3) return std::fputs("usage: embed INTERFACE PORT\n", stderr), 2;
    const auto rule = skein::xsk::parse_rule(std::string("take udp dport ") + argv[2]);
    skein::xsk::port port({.interface = argv[1],
                           .transmits = false,
                           .program = {.rules = {rule},
                                       .otherwise = skein::xsk::default_action::nothing}});
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    for (skein::burst packets;; packets.clear()) {
        port.wait(std::chrono::milliseconds{100});
        port.receive(packets);
        for (const auto& packet : packets)
            std::printf("%u bytes\n", packet.size_bytes());
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
