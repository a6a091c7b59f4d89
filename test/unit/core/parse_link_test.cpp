// SPDX-License-Identifier: Apache-2.0
// Link layers and VLAN tags in parse_packet.
#include <skein/parse.hpp>

#include "support/catch.hpp"
#include "support/parse_frame.hpp"

using namespace skein;
using namespace skein::test;
using wire::ether_type;

namespace {

packet_builder tagged(std::size_t depth) {
    packet_builder builder;
    builder.ethernet();
    for (std::size_t i = 0; i < depth; ++i)
        builder.vlan(ether_type::vlan, {static_cast<std::uint16_t>(i + 1)});
    return builder;
}

}  // namespace

TEST_CASE("VLAN tags of every TPID are recorded, outermost first") {
    const auto found = parse_frame(packet_builder()
                                       .ethernet()
                                       .vlan(ether_type::qinq, {0x6005})
                                       .vlan(ether_type::qinq_9100, {0x0000})
                                       .vlan(ether_type::vlan, {0xc064})
                                       .ipv4()
                                       .udp()
                                       .payload(1)
                                       .build());
    REQUIRE(found.is_ok());
    REQUIRE(found.vlans.size() == 3);
    CHECK(found.vlans[0] == wire::vlan_tag{ether_type::qinq, {0x6005}});
    CHECK(found.vlans[1] == wire::vlan_tag{ether_type::qinq_9100, {0}});
    CHECK(found.vlans[2].tci.vid() == 100);
    CHECK(found.vlans[2].tci.pcp() == 6);
    CHECK(found.type == ether_type::ipv4);
    CHECK(found.l3_offset == 14 + 12);
    CHECK(found.payload_bytes == 1);
}

TEST_CASE("eight tags are taken and a hundred cost no more than nine") {
    CHECK(reason_of(tagged(8).ipv4().udp().build()) == parse_reason::none);
    for (const std::size_t depth : {9u, 100u}) {
        const auto found = parse_frame(tagged(depth).ipv4().udp().build());
        CHECK(found.reason == parse_reason::vlan_too_deep);
        CHECK(found.vlans.size() == 8);
        CHECK(found.l3 == l3_kind::other);
    }
}

TEST_CASE("a tag without its four bytes is truncated") {
    const bytes frame = tagged(2).ipv4().udp().build();
    for (std::size_t size = 14; size < 22; ++size)
        CHECK(reason_of(first_bytes(frame, size)) == parse_reason::vlan_truncated);
}

TEST_CASE("what is not IP is no fault") {
    const auto arp = parse_frame(packet_builder().ethernet().arp().pad_to(60).build());
    CHECK(arp.is_ok());
    CHECK(arp.l3 == l3_kind::arp);
    CHECK(arp.l3_offset == 14);
    CHECK_FALSE(arp.is_ip());
    const auto lldp =
        parse_frame(packet_builder().ethernet({.type = ether_type::lldp}).payload(30).build());
    CHECK(lldp.is_ok());
    CHECK(lldp.l3 == l3_kind::other);
    CHECK(lldp.type == ether_type::lldp);
    CHECK(lldp.ip_bytes == 0);
    const auto length = parse_frame(packet_builder()
                                        .ethernet({.type = ether_type{0x0026}})
                                        .payload(from_hex("424203"))
                                        .build());
    CHECK(length.is_ok());
    CHECK(length.l3 == l3_kind::other);
}

TEST_CASE("ARP behind a tag is ARP") {
    const auto found = parse_frame(tagged(1).arp().build());
    CHECK(found.l3 == l3_kind::arp);
    CHECK(found.l3_offset == 18);
}

TEST_CASE("raw IP is told by its version") {
    CHECK(parse_frame(packet_builder().ipv4().udp().build(), link_layer::ip).l3 == l3_kind::ipv4);
    CHECK(parse_frame(packet_builder().ipv6().udp().build(), link_layer::ip).l3 == l3_kind::ipv6);
    CHECK(parse_frame({}, link_layer::ip).reason == parse_reason::ip_truncated);
    CHECK(parse_frame(from_hex("50"), link_layer::ip).reason == parse_reason::ip_unknown_version);
}

TEST_CASE("raw IPv4 and IPv6 take only their own") {
    const bytes v4 = packet_builder().ipv4().udp().payload(30).build();
    const bytes v6 = packet_builder().ipv6().udp().build();
    CHECK(parse_frame(v4, link_layer::ipv4).is_ok());
    CHECK(parse_frame(v6, link_layer::ipv6).is_ok());
    CHECK(parse_frame(v6, link_layer::ipv4).reason == parse_reason::ipv4_bad_version);
    CHECK(parse_frame(v4, link_layer::ipv6).reason == parse_reason::ipv6_bad_version);
}

TEST_CASE("Linux cooked captures of both versions are taken apart") {
    const bytes v1 = packet_builder().linux_sll().ipv4().udp().payload(2).build();
    const auto first = parse_frame(v1, link_layer::linux_sll);
    REQUIRE(first.is_ok());
    CHECK(first.l3_offset == 16);
    CHECK(first.payload_bytes == 2);
    const bytes v2 = packet_builder().linux_sll2().vlan(ether_type::vlan, {5}).ipv6().udp().build();
    const auto second = parse_frame(v2, link_layer::linux_sll2);
    REQUIRE(second.is_ok());
    CHECK(second.vlans.size() == 1);
    CHECK(second.l3_offset == 24);
    for (std::size_t size = 0; size < 16; ++size)
        CHECK(parse_frame(first_bytes(v1, size), link_layer::linux_sll).reason ==
              parse_reason::sll_truncated);
    for (std::size_t size = 0; size < 20; ++size)
        CHECK(parse_frame(first_bytes(v2, size), link_layer::linux_sll2).reason ==
              parse_reason::sll2_truncated);
}

TEST_CASE("a cooked capture of a netlink device holds no EtherType") {
    bytes frame = packet_builder().linux_sll().ipv4().udp().build();
    store_be(&frame[2], std::uint16_t{824});
    const auto found = parse_frame(frame, link_layer::linux_sll);
    CHECK(found.is_ok());
    CHECK(found.l3 == l3_kind::other);
}

TEST_CASE("a loopback capture names its family in either byte order") {
    for (const bool swapped : {false, true}) {
        const bytes v4 = packet_builder().loopback(2, swapped).ipv4().udp().build();
        CHECK(parse_frame(v4, link_layer::loopback).l3 == l3_kind::ipv4);
        for (const std::uint32_t family : {10u, 23u, 24u, 28u, 30u}) {
            const bytes v6 = packet_builder().loopback(family, swapped).ipv6().udp().build();
            const auto found = parse_frame(v6, link_layer::loopback);
            CHECK(found.is_ok());
            CHECK(found.l3 == l3_kind::ipv6);
            CHECK(found.l3_offset == 4);
        }
        const bytes other = packet_builder().loopback(7, swapped).payload(20).build();
        CHECK(parse_frame(other, link_layer::loopback).l3 == l3_kind::other);
    }
    for (std::size_t size = 0; size < 4; ++size)
        CHECK(parse_frame(bytes(size), link_layer::loopback).reason ==
              parse_reason::loopback_truncated);
}

TEST_CASE("the link types of capture files are known, others are not") {
    CHECK(link_layer_of(1) == link_layer::ethernet);
    for (const std::uint32_t type : {0u, 108u})
        CHECK(link_layer_of(type) == link_layer::loopback);
    for (const std::uint32_t type : {12u, 14u, 101u})
        CHECK(link_layer_of(type) == link_layer::ip);
    CHECK(link_layer_of(228) == link_layer::ipv4);
    CHECK(link_layer_of(229) == link_layer::ipv6);
    CHECK(link_layer_of(113) == link_layer::linux_sll);
    CHECK(link_layer_of(276) == link_layer::linux_sll2);
    CHECK_FALSE(link_layer_of(105));
}
