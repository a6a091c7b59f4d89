// SPDX-License-Identifier: Apache-2.0
// Sends every packet back to where it came from: the shortest useful program on a port.
//
//     reflect veth0        until Ctrl-C; the XDP program leaves with the process
#include <cstdio>

#include <skein/wire/ethernet.hpp>
#include <skein/xsk/port.hpp>

int main(int, char** arguments) try {
    skein::xsk::port port({.interface = arguments[1] != nullptr ? arguments[1] : ""});
    std::puts(port.description().c_str());
    std::uint64_t copied_bytes = 0;  // stays 0: nobody else holds these frames
    for (skein::burst packets;;) {
        port.wait(std::chrono::milliseconds{100});
        port.receive(packets);
        for (auto& packet : packets) {
            const auto header = packet.make_writable(14, &copied_bytes);
            const auto ethernet = skein::wire::ethernet_mutable_view::check(header);
            if (!ethernet) continue;
            const auto source = ethernet->source();
            ethernet->set_source(ethernet->destination());
            ethernet->set_destination(source);
        }
        port.send(packets);
        port.flush();
    }
} catch (const skein::xsk::setup_error& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), error.remedy().c_str());
    return 1;
}
