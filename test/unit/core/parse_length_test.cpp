// SPDX-License-Identifier: Apache-2.0
// Lengths in parse_packet: padding, zero lengths, aggregates, jumbograms.
#include <skein/parse.hpp>

#include <array>

#include "support/catch.hpp"
#include "support/parse_frame.hpp"

using namespace skein;
using namespace skein::test;
using wire::ether_type;
using wire::ip_protocol;

namespace {

constexpr parse_options own_capture{.zero_length = zero_length_rule::own_aggregate};

bytes big_tcp4(std::size_t payload) {
    return packet_builder().ethernet().ipv4().tcp().payload(payload).build();
}
bytes big_tcp6(std::size_t payload) {
    return packet_builder().ethernet().ipv6().tcp().payload(payload).build();
}
bytes jumbogram(std::size_t payload) {
    return packet_builder().ethernet().ipv6().jumbo().tcp().payload(payload).build();
}

}  // namespace

TEST_CASE("Ethernet padding is no payload, also under a tag") {
    const auto ack = parse_frame(packet_builder().ethernet().ipv4().tcp().pad_to(60).build());
    CHECK(ack.is_ok());
    CHECK(ack.payload_bytes == 0);
    CHECK(ack.ip_end() == 54);
    const auto tagged = parse_frame(packet_builder()
                                        .ethernet()
                                        .vlan(ether_type::vlan, {1})
                                        .ipv4()
                                        .udp()
                                        .payload(1)
                                        .pad_to(64)
                                        .build());
    CHECK(tagged.payload_bytes == 1);
    const auto v6 = parse_frame(packet_builder()
                                    .ethernet()
                                    .ipv6({.next_header = ip_protocol::no_next_header})
                                    .payload(1)
                                    .pad_to(60)
                                    .build());
    CHECK(v6.is_ok());
    CHECK(v6.payload_bytes == 1);
}

TEST_CASE("a length beyond the bytes present is refused, each family by its name") {
    const bytes v4 = packet_builder().ethernet().ipv4().udp().payload(10).build();
    CHECK(reason_of(first_bytes(v4, v4.size() - 1)) == parse_reason::ipv4_length_beyond_end);
    const bytes v6 = packet_builder().ethernet().ipv6().udp().payload(10).build();
    CHECK(reason_of(first_bytes(v6, v6.size() - 1)) == parse_reason::ipv6_length_beyond_end);
}

TEST_CASE("an IPv4 total length below the header is refused") {
    const bytes frame = packet_builder().ethernet().ipv4().ip_length(19).udp().build();
    CHECK(reason_of(frame) == parse_reason::ipv4_total_length_short);
}

TEST_CASE("a length of zero is malformed for a packet from a port") {
    CHECK(reason_of(big_tcp4(70000)) == parse_reason::zero_length);
    CHECK(reason_of(big_tcp6(70000)) == parse_reason::zero_length);
    CHECK(reason_of(packet_builder().ethernet().ipv4().ip_length(0).tcp().payload(5).build()) ==
          parse_reason::zero_length);
    CHECK(reason_of(packet_builder()
                        .ethernet()
                        .ipv6({.next_header = ip_protocol::no_next_header})
                        .build()) == parse_reason::zero_length);
}

TEST_CASE("TCP of length zero captured on its own host is an aggregate of the captured length") {
    const auto v4 = parse_frame(big_tcp4(70000), link_layer::ethernet, own_capture);
    REQUIRE(v4.is_ok());
    CHECK(v4.is_aggregate);
    CHECK(v4.payload_bytes == 70000);
    CHECK(v4.ip_bytes == 70040);
    const auto v6 = parse_frame(big_tcp6(524000), link_layer::ethernet, own_capture);
    REQUIRE(v6.is_ok());
    CHECK(v6.is_aggregate);
    CHECK(v6.payload_bytes == 524000);
    const auto with_extension = parse_frame(packet_builder()
                                                .ethernet()
                                                .ipv6()
                                                .extension(ip_protocol::destination_options)
                                                .tcp()
                                                .payload(70000)
                                                .build(),
                                            link_layer::ethernet, own_capture);
    CHECK(with_extension.is_aggregate);
    CHECK(with_extension.payload_bytes == 70000);
}

TEST_CASE("no other packet of length zero is an aggregate") {
    const bytes udp = packet_builder().ethernet().ipv4().udp().ip_length(0).payload(100).build();
    CHECK(reason_of(udp, own_capture) == parse_reason::zero_length);
    const bytes fragment = packet_builder()
                               .ethernet()
                               .ipv4({.fragment = {0x2000}})
                               .tcp()
                               .ip_length(0)
                               .payload(100)
                               .build();
    CHECK(reason_of(fragment, own_capture) == parse_reason::zero_length);
    for (const std::uint16_t word : std::to_array<std::uint16_t>({0x0000, 0x0001, 0x0008})) {
        const bytes v6 = packet_builder()
                             .ethernet()
                             .ipv6()
                             .fragment({.next_header = ip_protocol::tcp, .fragment = {word}})
                             .tcp()
                             .ip_length(0)
                             .payload(100)
                             .build();
        CHECK(reason_of(v6, own_capture) == parse_reason::zero_length);
    }
    auto snapped = own_capture;
    snapped.snapped = true;
    CHECK(reason_of(big_tcp4(70000), snapped) == parse_reason::zero_length);
    CHECK(reason_of(big_tcp6(70000), snapped) == parse_reason::zero_length);
    auto quoted = own_capture;
    quoted.quoted = true;
    CHECK(reason_of(big_tcp4(70000), quoted) == parse_reason::zero_length);
}

TEST_CASE("a jumbogram's length comes from its option, under either rule") {
    const bytes frame = jumbogram(80000);
    for (const parse_options options : {parse_options{}, own_capture}) {
        const auto found = parse_frame(frame, link_layer::ethernet, options);
        REQUIRE(found.is_ok());
        CHECK(found.is_jumbo);
        CHECK_FALSE(found.is_aggregate);
        CHECK(found.payload_bytes == 80000);
        CHECK(found.l3_bytes == 48);
        CHECK(found.ip_bytes == 80068);
    }
}

TEST_CASE("a jumbogram's padding is no payload") {
    bytes frame = jumbogram(80000);
    frame.resize(frame.size() + 7);
    CHECK(parse_frame(frame).payload_bytes == 80000);
}

TEST_CASE("a jumbo option that breaks RFC 2675 is refused by name") {
    bytes too_long = jumbogram(80000);
    store_be(&too_long[58], std::uint32_t{80029});
    CHECK(reason_of(too_long) == parse_reason::ipv6_length_beyond_end);
    bytes too_short = jumbogram(80000);
    store_be(&too_short[58], std::uint32_t{65535});
    CHECK(reason_of(too_short) == parse_reason::ipv6_jumbo_short);
    bytes with_length = jumbogram(80000);
    store_be(&with_length[18], std::uint16_t{100});
    CHECK(reason_of(with_length) == parse_reason::ipv6_jumbo_with_length);
    CHECK(reason_of(packet_builder()
                        .ethernet()
                        .ipv6()
                        .jumbo()
                        .fragment({.fragment = {1}})
                        .payload(70000)
                        .build()) == parse_reason::ipv6_jumbo_fragment);
    const bytes wrong_size = packet_builder()
                                 .ethernet()
                                 .ipv6()
                                 .extension(ip_protocol::hop_by_hop, from_hex("c203 000000 00"))
                                 .udp()
                                 .build();
    CHECK(reason_of(wrong_size) == parse_reason::ipv6_option_malformed);
}

TEST_CASE("extension headers behind a jumbo option are walked") {
    const auto found = parse_frame(packet_builder()
                                       .ethernet()
                                       .ipv6()
                                       .jumbo()
                                       .extension(ip_protocol::destination_options, bytes(1030))
                                       .udp()
                                       .payload(66000)
                                       .build());
    REQUIRE(found.is_ok());
    CHECK(found.l3_bytes == 40 + 8 + 1032);
    CHECK(found.payload_bytes == 66000);
}

TEST_CASE("a UDP length is checked against the IP payload") {
    const auto with_length = [](std::uint16_t length) {
        return reason_of(
            packet_builder().ethernet().ipv4().udp().udp_length(length).payload(10).build());
    };
    CHECK(with_length(18) == parse_reason::none);
    CHECK(with_length(8) == parse_reason::none);
    CHECK(with_length(19) == parse_reason::udp_length_beyond_end);
    CHECK(with_length(7) == parse_reason::udp_length_short);
    CHECK(with_length(0) == parse_reason::udp_length_short);
}

TEST_CASE("a UDP length of zero is a jumbogram's") {
    const bytes frame = packet_builder().ethernet().ipv6().jumbo().udp().payload(70000).build();
    const auto found = parse_frame(frame);
    CHECK(found.is_ok());
    CHECK(found.payload_bytes == 70000);
}
