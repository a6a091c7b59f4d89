// SPDX-License-Identifier: Apache-2.0
// A program as others write them, which needs no privileges: a packet over frames in plain memory,
// an IPv4 header written into it and read back, a rule, and a port on a device that is not there.
#include <cstdio>
#include <string>
#include <vector>

#include <skein/frame_pool.hpp>
#include <skein/packet.hpp>
#include <skein/version.hpp>
#include <skein/wire/wire.hpp>
#include <skein/xsk/port.hpp>
#include <skein/xsk/rules.hpp>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "not so: %s\n", what);
    ++failures;
}

// Two pieces of a frame: the header in the first, four bytes of payload in the second.
void send_a_header_through_a_packet() {
    std::vector<std::byte> memory(4 * 2048);
    skein::frame_pool pool(skein::frame_area(memory.data(), 4, 2048));
    {
        skein::frame_id frame{};
        expect(pool.take({&frame, 1}) == 1 && pool.share(frame), "a frame with two references");
        skein::packet packet(pool);
        expect(packet.append({frame, 256, 20}) && packet.append({frame, 1024, 4}), "two segments");

        const skein::wire::ipv4_header header{.payload_bytes = 4, .ttl = 7};
        expect(header.emit(pool.area().bytes({frame, 256, 20})) == 20, "a header of 20 bytes");
        const auto view = skein::wire::ipv4_view::check(packet.head());
        expect(view && view->is_checksum_valid() && view->ttl() == 7, "the same header read back");
        packet.drop_front(20);
        expect(packet.size_bytes() == 4 && packet.segment_count() == 1, "the payload left over");
    }
    expect(pool.free_frames() == 4 && pool.audit(), "every frame free again");
}

void read_a_rule() {
    const auto rule = skein::xsk::parse_rule("take udp dport 53");
    expect(skein::xsk::parse_rule(to_string(rule)) == rule, "a rule that survives its own text");
    try {
        skein::xsk::parse_rule("take tea");
        expect(false, "nonsense refused");
    } catch (const skein::xsk::rule_error& error) {  // caught by type, across the library's border
        expect(!error.remedy().empty(), "a remedy for nonsense");
    }
}

void open_a_port_on_nothing() {
    try {
        const skein::xsk::port port({.interface = "no-such-dev"});
        expect(false, "a port on a device that does not exist refused");
    } catch (const skein::xsk::setup_error& error) {
        expect(error.interface() == "no-such-dev", "the device named");
    }
}

}  // namespace

int main() {
    send_a_header_through_a_packet();
    read_a_rule();
    open_a_port_on_nothing();
    expect(skein::header_version.major == SKEIN_VERSION_MAJOR, "a version");
    return failures == 0 ? 0 : 1;
}
