// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/ethernet.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

TEST_CASE("an Ethernet view reads destination, source and type of a captured header") {
    const bytes frame = test::from_hex("01005e0000fb 0242ac110002 0800 4500");
    const auto view = ethernet_view::check(frame);
    REQUIRE(view);
    CHECK(view->destination() == test::mac("01:00:5e:00:00:fb"));
    CHECK(view->source() == test::mac("02:42:ac:11:00:02"));
    CHECK(view->type() == ether_type::ipv4);
    CHECK_FALSE(view->is_length());
    CHECK(view->bytes().size() == 14);
}

TEST_CASE("an Ethernet view is refused below 14 bytes") {
    const bytes frame(14, std::byte{0xa5});
    for (std::size_t size = 0; size < 14; ++size)
        CHECK(ethernet_view::check(std::span(frame).first(size)).reason() ==
              parse_reason::ethernet_truncated);
    CHECK(ethernet_view::check(frame));
}

TEST_CASE("a type below 0x600 is an 802.3 length") {
    ethernet_header header;
    bytes frame(14);
    header.type = ether_type{0x05ff};
    header.emit(frame);
    CHECK(ethernet_view::check(frame)->is_length());
    header.type = ether_type{0x0600};
    header.emit(frame);
    CHECK_FALSE(ethernet_view::check(frame)->is_length());
}

TEST_CASE("an Ethernet header emits what it parsed, and nothing behind it") {
    const ethernet_header header{test::mac("02:00:00:00:00:02"), test::mac("02:00:00:00:00:01"),
                                 ether_type::lldp};
    bytes frame(16, std::byte{0xa5});
    CHECK(header.emit(frame) == 14);
    CHECK(frame[14] == std::byte{0xa5});
    CHECK(ethernet_header::parse(*ethernet_view::check(frame)) == header);
}

TEST_CASE("an Ethernet header writes nothing where it does not fit") {
    bytes frame(13, std::byte{0xa5});
    CHECK(ethernet_header{}.emit(frame) == 0);
    CHECK(frame == bytes(13, std::byte{0xa5}));
}

TEST_CASE("a mutable Ethernet view changes one field and reads as a const one") {
    bytes frame(14, std::byte{0xa5});
    const auto view = ethernet_mutable_view::check(frame);
    REQUIRE(view);
    view->set_source(test::mac("02:00:00:00:00:09"));
    view->set_type(ether_type::arp);
    const ethernet_view reading = *view;
    CHECK(reading.source() == test::mac("02:00:00:00:00:09"));
    CHECK(reading.type() == ether_type::arp);
    CHECK(reading.destination() == test::mac("a5:a5:a5:a5:a5:a5"));
}
