// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/udp.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

TEST_CASE("a UDP view reads ports, length and checksum") {
    const bytes packet = test::from_hex("d431 0035 0023 5a4b 1122");
    const auto view = udp_view::check(packet);
    REQUIRE(view);
    CHECK(view->source_port() == 54321);
    CHECK(view->destination_port() == 53);
    CHECK(view->length_bytes() == 35);
    CHECK(view->checksum() == 0x5a4b);
    CHECK(view->bytes().size() == 8);
}

TEST_CASE("a UDP view is refused below 8 bytes or for a length below 8") {
    bytes packet = test::from_hex("d431003500235a4b");
    for (std::size_t size = 0; size < 8; ++size)
        CHECK(udp_view::check(std::span(packet).first(size)).reason() ==
              parse_reason::udp_truncated);
    for (std::uint16_t length = 1; length < 8; ++length) {
        store_be(&packet[4], length);
        CHECK(udp_view::check(packet).reason() == parse_reason::udp_length_short);
    }
    store_be(&packet[4], std::uint16_t{8});
    CHECK(udp_view::check(packet));
    store_be(&packet[4], std::uint16_t{0});
    CHECK(udp_view::check(packet));
}

TEST_CASE("a UDP header emits what it parsed") {
    const udp_header header{
        .source_port = 1, .destination_port = 2, .payload_bytes = 27, .checksum = 4};
    bytes out(9, std::byte{0xa5});
    CHECK(header.emit(out) == 8);
    CHECK(udp_header::parse(*udp_view::check(out)) == header);
    CHECK(out[8] == std::byte{0xa5});
    CHECK(header.emit(std::span(out).first(7)) == 0);
    CHECK(udp_header{.payload_bytes = 65527}.emit(out) == 8);
    CHECK(udp_header{.payload_bytes = 65528}.emit(out) == 0);
}

TEST_CASE("a mutable UDP view writes each field") {
    bytes packet = test::from_hex("d431003500235a4b");
    const auto view = udp_mutable_view::check(packet);
    REQUIRE(view);
    view->set_source_port(7);
    view->set_destination_port(8);
    view->set_length_bytes(9);
    view->set_checksum(10);
    CHECK(packet == test::from_hex("000700080009000a"));
    CHECK(udp_view(*view).source_port() == 7);
}
