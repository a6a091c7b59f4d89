// SPDX-License-Identifier: Apache-2.0
// Sends every packet back to where it came from, until Ctrl-C:  reflect veth0
#include <algorithm>
#include <cstdio>
#include <skein/xsk/port.hpp>

int main(int argc, char** argv) try {
    skein::xsk::port port({.interface = argc > 1 ? argv[1] : ""});
    std::puts(port.description().c_str());
    for (skein::burst packets;;) {
        port.wait(std::chrono::milliseconds{100});
        port.receive(packets);
        for (auto& packet : packets) {
            auto macs = packet.make_writable(12);
            if (macs.empty()) continue;
            std::swap_ranges(macs.begin(), macs.begin() + 6, macs.begin() + 6);
        }
        port.send(packets);
        port.flush();
        packets.clear();  // what found no room on the ring is dropped
    }
} catch (const skein::xsk::setup_error& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), error.remedy().c_str());
    return 1;
}
