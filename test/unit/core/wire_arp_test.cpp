// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/arp.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

namespace {

bytes captured_request() {
    return test::from_hex("0001 0800 06 04 0001 0242ac110002 ac110002 000000000000 ac110001");
}

}  // namespace

TEST_CASE("an ARP view reads a captured request") {
    const bytes packet = captured_request();
    const auto view = arp_view::check(packet);
    REQUIRE(view);
    CHECK(view->operation() == arp_operation::request);
    CHECK(view->sender_mac() == test::mac("02:42:ac:11:00:02"));
    CHECK(view->sender_ip() == test::ipv4("172.17.0.2"));
    CHECK(view->target_mac() == mac_address{});
    CHECK(view->target_ip() == test::ipv4("172.17.0.1"));
}

TEST_CASE("an ARP packet emits what it parsed") {
    const bytes packet = captured_request();
    const auto value = arp_packet::parse(*arp_view::check(packet));
    bytes out(30, std::byte{0xa5});
    CHECK(value.emit(out) == 28);
    CHECK(std::equal(packet.begin(), packet.end(), out.begin()));
    CHECK(out[28] == std::byte{0xa5});
    CHECK(value.emit(std::span(out).first(27)) == 0);
}

TEST_CASE("an ARP view is refused below 28 bytes") {
    const bytes packet = captured_request();
    for (std::size_t size = 0; size < packet.size(); ++size)
        CHECK(arp_view::check(std::span(packet).first(size)).reason() ==
              parse_reason::arp_truncated);
}

TEST_CASE("ARP of other hardware or other addresses is refused by name") {
    for (const std::size_t changed : {1u, 2u, 3u, 4u, 5u}) {
        bytes packet = captured_request();
        packet[changed] ^= std::byte{0x10};
        CHECK(arp_view::check(packet).reason() == parse_reason::arp_not_ethernet_ipv4);
    }
}
