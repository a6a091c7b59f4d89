// SPDX-License-Identifier: Apache-2.0
#include <skein/parse.hpp>

#include "support/catch.hpp"
#include "support/parse_frame.hpp"
#include "support/split_source.hpp"

using namespace skein;
using namespace skein::test;
using wire::ether_type;
using wire::ip_protocol;

TEST_CASE("a plain TCP packet over IPv4 is taken apart") {
    const bytes frame =
        packet_builder().ethernet().ipv4({.identification = 77}).tcp().payload(100).build();
    const auto found = parse_frame(frame);
    REQUIRE(found.is_ok());
    CHECK(found.l3 == l3_kind::ipv4);
    CHECK(found.type == ether_type::ipv4);
    CHECK(found.protocol == ip_protocol::tcp);
    CHECK(found.vlans.empty());
    CHECK(found.l3_offset == 14);
    CHECK(found.l3_bytes == 20);
    CHECK(found.ip_bytes == 140);
    CHECK(found.l4_offset == 34);
    CHECK(found.l4_bytes == 20);
    CHECK(found.payload_offset == 54);
    CHECK(found.payload_bytes == 100);
    CHECK(found.ip_end() == frame.size());
    CHECK(found.has_l4());
    CHECK_FALSE(found.fragment.is_fragment);
    CHECK(found.fragment.identification == 77);
}

TEST_CASE("options of IPv4 and TCP lengthen their headers") {
    wire::ipv4_header ip;
    ip.options.append(wire::ipv4_option_router_alert, from_hex("0000"));
    wire::tcp_header tcp;
    tcp.options.append(wire::tcp_option_timestamps, bytes(8));
    const auto found =
        parse_frame(packet_builder().ethernet().ipv4(ip).tcp(tcp).payload(9).build());
    REQUIRE(found.is_ok());
    CHECK(found.l3_bytes == 24);
    CHECK(found.l4_offset == 38);
    CHECK(found.l4_bytes == 32);
    CHECK(found.payload_bytes == 9);
}

TEST_CASE("UDP, ICMP and SCTP over IPv4 have their headers found") {
    const auto udp = parse_frame(packet_builder().ethernet().ipv4().udp().payload(3).build());
    CHECK(udp.protocol == ip_protocol::udp);
    CHECK(udp.l4_bytes == 8);
    CHECK(udp.payload_bytes == 3);
    const auto echo = wire::icmpv4_header::echo(wire::icmpv4_type::echo_request, 1, 2);
    const auto icmp =
        parse_frame(packet_builder().ethernet().ipv4().icmp(echo).payload(56).build());
    CHECK(icmp.protocol == ip_protocol::icmp);
    CHECK(icmp.l4_bytes == 8);
    CHECK(icmp.payload_bytes == 56);
    const auto sctp = parse_frame(packet_builder()
                                      .ethernet()
                                      .ipv4()
                                      .sctp()
                                      .sctp_chunk(wire::sctp_chunk_type::data, pattern(5))
                                      .build());
    CHECK(sctp.protocol == ip_protocol::sctp);
    CHECK(sctp.l4_bytes == 12);
    CHECK(sctp.payload_bytes == 12);
}

TEST_CASE("a TCP packet over IPv6 with extension headers is taken apart") {
    const bytes frame = packet_builder()
                            .ethernet()
                            .ipv6()
                            .extension(ip_protocol::hop_by_hop)
                            .extension(ip_protocol::destination_options, bytes(14))
                            .tcp()
                            .payload(50)
                            .build();
    const auto found = parse_frame(frame);
    REQUIRE(found.is_ok());
    CHECK(found.l3 == l3_kind::ipv6);
    CHECK(found.protocol == ip_protocol::tcp);
    CHECK(found.l3_bytes == 40 + 8 + 16);
    CHECK(found.l4_offset == 14 + 64);
    CHECK(found.payload_bytes == 50);
    CHECK(found.ip_bytes == 64 + 20 + 50);
    CHECK(found.ip_end() == frame.size());
}

TEST_CASE("ICMPv6 belongs to IPv6 and ICMP to IPv4") {
    const auto echo = wire::icmpv6_header::echo(wire::icmpv6_type::echo_request, 1, 2);
    const auto right = parse_frame(packet_builder().ethernet().ipv6().icmpv6(echo).build());
    CHECK(right.l4_bytes == 8);
    const auto wrong = parse_frame(packet_builder().ethernet().ipv4().icmpv6(echo).build());
    CHECK(wrong.is_ok());
    CHECK_FALSE(wrong.has_l4());
    CHECK(wrong.payload_bytes == 8);
    const auto old_echo = wire::icmpv4_header::echo(wire::icmpv4_type::echo_request, 1, 2);
    CHECK_FALSE(parse_frame(packet_builder().ethernet().ipv6().icmp(old_echo).build()).has_l4());
}

TEST_CASE("a protocol that is not parsed is payload") {
    const auto gre = parse_frame(
        packet_builder().ethernet().ipv4({.protocol = ip_protocol::gre}).payload(30).build());
    REQUIRE(gre.is_ok());
    CHECK(gre.protocol == ip_protocol::gre);
    CHECK_FALSE(gre.has_l4());
    CHECK(gre.payload_offset == 34);
    CHECK(gre.payload_bytes == 30);
    const auto esp = parse_frame(
        packet_builder().ethernet().ipv6({.next_header = ip_protocol::esp}).payload(30).build());
    CHECK(esp.is_ok());
    CHECK(esp.protocol == ip_protocol::esp);
    CHECK(esp.payload_bytes == 30);
}

TEST_CASE("a tunnel is not entered") {
    const auto found = parse_frame(packet_builder().ethernet().ipv4().ipv4().udp().build());
    CHECK(found.is_ok());
    CHECK(found.protocol == ip_protocol::ipv4);
    CHECK(found.l4_offset == 34);
    CHECK_FALSE(found.has_l4());
}

TEST_CASE("a packet parses alike wherever its bytes are cut") {
    wire::tcp_header tcp;
    tcp.options.append(wire::tcp_option_timestamps, bytes(8));
    wire::ipv4_header ip;
    ip.options.append(wire::ipv4_option_router_alert, from_hex("0000"));
    const bytes frames[] = {packet_builder()
                                .ethernet()
                                .vlan(ether_type::vlan, {7})
                                .ipv4(ip)
                                .tcp(tcp)
                                .payload(5)
                                .build(),
                            packet_builder()
                                .ethernet()
                                .ipv6()
                                .extension(ip_protocol::hop_by_hop, from_hex("050200000100"))
                                .fragment({.fragment = {1}, .identification = 9})
                                .udp()
                                .payload(16)
                                .build()};
    for (const bytes& frame : frames) {
        const auto expected = parse_frame(frame);
        REQUIRE(expected.is_ok());
        for (std::size_t first = 0; first <= frame.size(); ++first)
            for (std::size_t second = first; second <= frame.size(); ++second) {
                const std::array cuts{first, second};
                const split_source source(frame, cuts);
                REQUIRE(parse_packet(source, link_layer::ethernet) == expected);
            }
    }
}

TEST_CASE("a packet quoted in an ICMP error shows its ports, cut as it is") {
    const bytes inner = packet_builder()
                            .ipv4()
                            .tcp({.source_port = 1234, .destination_port = 80})
                            .payload(500)
                            .build();
    const bytes frame = packet_builder()
                            .ethernet()
                            .ipv4()
                            .icmp({.type = wire::icmpv4_type::destination_unreachable, .code = 4})
                            .payload(first_bytes(inner, 28))
                            .build();
    const auto outer = parse_frame(frame);
    REQUIRE(outer.is_ok());
    const contiguous_source whole(frame);
    const sub_source quote(whole, outer.payload_offset, outer.payload_bytes);
    CHECK(parse_packet(quote, link_layer::ip).reason == parse_reason::ipv4_length_beyond_end);
    const auto quoted = parse_packet(quote, link_layer::ip, {.quoted = true});
    REQUIRE(quoted.is_ok());
    CHECK(quoted.is_cut);
    CHECK(quoted.protocol == ip_protocol::tcp);
    CHECK(quoted.l4_offset == 20);
    CHECK(quoted.l4_bytes == 8);
    CHECK(quoted.payload_bytes == 0);
    CHECK(quoted.ip_bytes == 28);
}

TEST_CASE("a quote must hold eight bytes of the transport") {
    const bytes inner = packet_builder().ipv6().tcp().payload(500).build();
    for (std::size_t size = 0; size <= 60; ++size) {
        const auto found = parse_frame(first_bytes(inner, size), link_layer::ip, {.quoted = true});
        CHECK(found.is_ok() == (size >= 48));
        if (found.is_ok()) CHECK(found.l4_bytes == std::min<std::size_t>(size - 40, 20));
    }
}

TEST_CASE("a quoted packet that is whole parses as ever") {
    const bytes inner = packet_builder().ipv4().udp().payload(4).build();
    const auto quoted = parse_frame(inner, link_layer::ip, {.quoted = true});
    CHECK(quoted.is_ok());
    CHECK_FALSE(quoted.is_cut);
    CHECK(quoted == parse_frame(inner, link_layer::ip));
}
