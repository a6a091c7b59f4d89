// SPDX-License-Identifier: Apache-2.0
// Prints the length of each UDP packet to a port, and leaves all others to the kernel:
// embed veth0 9
#include <cstdio>
#include <stdexcept>
#include <string>

#include <skein/xsk/port.hpp>

int main(int argc, char** argv) try {
    if (argc != 3) throw std::invalid_argument("usage: embed INTERFACE PORT");
    skein::xsk::port_options how{.interface = argv[1], .transmits = false};
    how.program.rules = {skein::xsk::parse_rule(std::string("take udp dport ") + argv[2])};
    how.program.otherwise = skein::xsk::default_action::nothing;
    skein::xsk::port port(how);
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
