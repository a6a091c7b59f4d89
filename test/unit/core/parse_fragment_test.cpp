// SPDX-License-Identifier: Apache-2.0
// Fragments in parse_packet, both families.
#include <skein/parse.hpp>

#include "support/catch.hpp"
#include "support/parse_frame.hpp"

using namespace skein;
using namespace skein::test;
using wire::ip_protocol;

namespace {

wire::ipv4_header piece4(std::uint32_t offset, bool more) {
    return {
        .identification = 0x1234,
        .fragment = wire::ipv4_fragment_field{}.with_offset_bytes(offset).with_more_fragments(more),
        .protocol = ip_protocol::udp};
}

wire::ipv6_fragment_header piece6(std::uint32_t offset, bool more) {
    return {
        .next_header = ip_protocol::udp,
        .fragment = wire::ipv6_fragment_field{}.with_offset_bytes(offset).with_more_fragments(more),
        .identification = 0x12345678};
}

}  // namespace

TEST_CASE("a first IPv4 fragment shows its transport header") {
    const auto found = parse_frame(packet_builder()
                                       .ethernet()
                                       .ipv4(piece4(0, true))
                                       .udp()
                                       .udp_length(3000)
                                       .payload(1472)
                                       .build());
    REQUIRE(found.is_ok());
    CHECK(found.fragment.is_fragment);
    CHECK(found.fragment.is_first());
    CHECK(found.fragment.more);
    CHECK(found.fragment.identification == 0x1234);
    CHECK(found.fragment.data_offset == 34);
    CHECK(found.fragment.data_bytes == 1480);
    CHECK(found.l4_bytes == 8);
    CHECK(found.payload_bytes == 1472);
}

TEST_CASE("a later IPv4 fragment has payload only, padding not counted") {
    const auto found = parse_frame(
        packet_builder().ethernet().ipv4(piece4(1480, false)).payload(8).pad_to(60).build());
    REQUIRE(found.is_ok());
    CHECK(found.fragment.is_fragment);
    CHECK_FALSE(found.fragment.is_first());
    CHECK_FALSE(found.fragment.more);
    CHECK(found.fragment.offset_bytes == 1480);
    CHECK(found.fragment.data_bytes == 8);
    CHECK_FALSE(found.has_l4());
    CHECK(found.l4_reason == parse_reason::none);
    CHECK(found.payload_offset == 34);
    CHECK(found.payload_bytes == 8);
}

TEST_CASE("a fragment with DF set is a fragment") {
    auto header = piece4(0, true);
    header.fragment = header.fragment.with_dont_fragment(true);
    CHECK(parse_frame(packet_builder().ethernet().ipv4(header).udp().build()).fragment.is_first());
}

TEST_CASE("a fragment at the largest offset is understood, and an empty one too") {
    const auto far =
        parse_frame(packet_builder().ethernet().ipv4(piece4(65528, true)).payload(8).build());
    CHECK(far.is_ok());
    CHECK(far.fragment.offset_bytes == 65528);
    const auto empty = parse_frame(packet_builder().ethernet().ipv4(piece4(8, false)).build());
    CHECK(empty.is_ok());
    CHECK(empty.fragment.data_bytes == 0);
}

TEST_CASE("a first fragment too short for its transport header says so and is understood") {
    const auto tiny = parse_frame(packet_builder()
                                      .ethernet()
                                      .ipv4({.fragment = {0x2000}, .protocol = ip_protocol::tcp})
                                      .payload(8)
                                      .build());
    REQUIRE(tiny.is_ok());
    CHECK(tiny.l4_reason == parse_reason::tcp_truncated);
    CHECK_FALSE(tiny.has_l4());
    CHECK(tiny.fragment.data_bytes == 8);
}

TEST_CASE("an IPv6 fragment is found behind other extension headers") {
    const bytes frame = packet_builder()
                            .ethernet()
                            .ipv6()
                            .extension(ip_protocol::hop_by_hop)
                            .extension(ip_protocol::routing, bytes(14))
                            .fragment(piece6(0, true))
                            .udp()
                            .udp_length(3000)
                            .payload(1224)
                            .build();
    const auto found = parse_frame(frame);
    REQUIRE(found.is_ok());
    CHECK(found.fragment.is_first());
    CHECK(found.fragment.identification == 0x12345678);
    CHECK(found.fragment.header_offset == 14 + 40 + 8 + 16);
    CHECK(found.fragment.named_at == 14 + 40 + 8);
    CHECK(frame[found.fragment.named_at] == std::byte{44});
    CHECK(found.fragment.data_offset == found.fragment.header_offset + 8);
    CHECK(found.fragment.data_bytes == 1232);
    CHECK(found.l3_bytes == 40 + 8 + 16 + 8);
    CHECK(found.l4_bytes == 8);
}

TEST_CASE("a later IPv6 fragment ends the chain, whatever it seems to hold") {
    auto header = piece6(1232, false);
    header.next_header = ip_protocol::destination_options;
    const bytes frame = packet_builder().ethernet().ipv6().fragment(header).payload(9).build();
    const auto found = parse_frame(frame);
    REQUIRE(found.is_ok());
    CHECK(found.fragment.is_fragment);
    CHECK(found.fragment.offset_bytes == 1232);
    CHECK(found.protocol == ip_protocol::destination_options);
    CHECK(found.fragment.named_at == 14 + 6);
    CHECK_FALSE(found.has_l4());
    CHECK(found.payload_bytes == 9);
}

TEST_CASE("an atomic fragment is a whole datagram") {
    const auto found = parse_frame(
        packet_builder().ethernet().ipv6().fragment(piece6(0, false)).udp().payload(5).build());
    REQUIRE(found.is_ok());
    CHECK(found.fragment.is_atomic);
    CHECK_FALSE(found.fragment.is_fragment);
    CHECK(found.fragment.data_bytes == 13);
    CHECK(found.l4_bytes == 8);
    CHECK(found.payload_bytes == 5);
}

TEST_CASE("a first IPv6 fragment whose header chain is cut says so and is understood") {
    auto header = piece6(0, true);
    header.next_header = ip_protocol::destination_options;
    const bytes cut = from_hex("1103000000000000");  // 32 bytes long, 8 of them here
    const auto found =
        parse_frame(packet_builder().ethernet().ipv6().fragment(header).payload(cut).build());
    REQUIRE(found.is_ok());
    CHECK(found.l4_reason == parse_reason::ipv6_extension_truncated);
    CHECK(found.protocol == ip_protocol::destination_options);
    CHECK(found.fragment.data_bytes == 8);
    CHECK(found.payload_bytes == 8);
    CHECK_FALSE(found.has_l4());
}

TEST_CASE("the same chain is a fault where nothing can follow") {
    auto header = piece6(0, false);
    header.next_header = ip_protocol::destination_options;
    const bytes cut = from_hex("1103000000000000");
    CHECK(reason_of(packet_builder().ethernet().ipv6().fragment(header).payload(cut).build()) ==
          parse_reason::ipv6_extension_truncated);
}
