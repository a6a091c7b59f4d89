// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/icmp.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

TEST_CASE("an ICMP view reads an echo request") {
    const bytes packet = test::from_hex("0800 4d5a 0001 0002 6162");
    const auto view = icmpv4_view::check(packet);
    REQUIRE(view);
    CHECK(view->type() == icmpv4_type::echo_request);
    CHECK(view->code() == 0);
    CHECK(view->checksum() == 0x4d5a);
    CHECK(view->identifier() == 1);
    CHECK(view->sequence() == 2);
    CHECK(view->has_echo());
    CHECK_FALSE(view->has_quoted_packet());
}

TEST_CASE("the same numbers mean other things in ICMP and ICMPv6") {
    const bytes too_big = test::from_hex("0200 0000 00000500");
    CHECK(icmpv6_view::check(too_big)->type() == icmpv6_type::packet_too_big);
    CHECK(icmpv6_view::check(too_big)->rest() == 1280);
    CHECK(icmpv6_view::check(too_big)->has_quoted_packet());
    CHECK_FALSE(icmpv4_view::check(too_big)->has_quoted_packet());
    const bytes echo = test::from_hex("8100 0000 00010002");
    CHECK(icmpv6_view::check(echo)->has_echo());
    CHECK_FALSE(icmpv4_view::check(echo)->has_echo());
}

TEST_CASE("errors quote the packet they are about, messages do not") {
    for (const unsigned type : {3u, 4u, 5u, 11u, 12u})
        CHECK(quotes_packet(static_cast<icmpv4_type>(type)));
    for (const unsigned type : {0u, 8u, 13u, 9u})
        CHECK_FALSE(quotes_packet(static_cast<icmpv4_type>(type)));
    for (const unsigned type : {1u, 2u, 3u, 4u})
        CHECK(quotes_packet(static_cast<icmpv6_type>(type)));
    for (const unsigned type : {0u, 5u, 128u, 129u, 135u})
        CHECK_FALSE(quotes_packet(static_cast<icmpv6_type>(type)));
}

TEST_CASE("an ICMP view is refused below 8 bytes, each family by its own name") {
    const bytes packet(8, std::byte{0xa5});
    for (std::size_t size = 0; size < 8; ++size) {
        const auto part = std::span(packet).first(size);
        CHECK(icmpv4_view::check(part).reason() == parse_reason::icmp_truncated);
        CHECK(icmpv6_view::check(part).reason() == parse_reason::icmpv6_truncated);
    }
}

TEST_CASE("an ICMP header emits what it parsed") {
    const auto echo = icmpv4_header::echo(icmpv4_type::echo_reply, 0x1234, 0x5678);
    CHECK(echo.rest == 0x12345678);
    bytes out(9, std::byte{0xa5});
    CHECK(echo.emit(out) == 8);
    CHECK(icmpv4_header::parse(*icmpv4_view::check(out)) == echo);
    CHECK(out[8] == std::byte{0xa5});
    CHECK(echo.emit(std::span(out).first(7)) == 0);
}

TEST_CASE("a mutable ICMP view changes type, checksum and identifier") {
    bytes packet = test::from_hex("08004d5a00010002");
    const auto view = icmpv4_mutable_view::check(packet);
    REQUIRE(view);
    view->set_type(icmpv4_type::echo_reply);
    view->set_checksum(0xbeef);
    view->set_identifier(9);
    CHECK(packet == test::from_hex("0000beef00090002"));
    CHECK(icmpv4_view(*view).identifier() == 9);
}
