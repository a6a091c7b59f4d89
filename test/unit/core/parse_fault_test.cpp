// SPDX-License-Identifier: Apache-2.0
// Bytes that are not what they claim to be: every fixture cut at every byte, every header wrong.
#include <skein/parse.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/parse_frame.hpp"

using namespace skein;
using namespace skein::test;
using wire::ether_type;
using wire::ip_protocol;

namespace {

struct fixture {
    bytes frame;
    link_layer link;
};

wire::tcp_header tcp_with_options() {
    wire::tcp_header header;
    header.options.append(wire::tcp_option_mss, from_hex("05b4"));
    header.options.append(wire::tcp_option_timestamps, bytes(8));
    return header;
}

wire::ipv4_header ipv4_with_options() {
    wire::ipv4_header header;
    header.options.append(wire::ipv4_option_record_route, bytes(9));
    return header;
}

std::vector<fixture> fixtures() {
    const auto tcp = tcp_with_options();
    const auto echo = wire::icmpv6_header::echo(wire::icmpv6_type::echo_request, 1, 2);
    return {
        {packet_builder().ethernet().ipv4().tcp(tcp).payload(11).build(), link_layer::ethernet},
        {packet_builder()
             .ethernet()
             .vlan(ether_type::qinq, {5})
             .vlan(ether_type::vlan, {6})
             .ipv4(ipv4_with_options())
             .udp()
             .payload(4)
             .build(),
         link_layer::ethernet},
        {packet_builder()
             .ethernet()
             .ipv6()
             .extension(ip_protocol::hop_by_hop, from_hex("050200000100"))
             .extension(ip_protocol::destination_options, bytes(14))
             .icmpv6(echo)
             .build(),
         link_layer::ethernet},
        {packet_builder().ethernet().ipv6().jumbo().tcp().payload(65536).build(),
         link_layer::ethernet},
        {packet_builder().linux_sll().ipv4().sctp().build(), link_layer::linux_sll},
        {packet_builder().linux_sll2().ipv6().udp().build(), link_layer::linux_sll2},
        {packet_builder().loopback(2).ipv4().tcp(tcp).build(), link_layer::loopback},
        {packet_builder().ipv6().extension(ip_protocol::ah, bytes(22)).tcp(tcp).build(),
         link_layer::ip},
    };
}

// How far each fixture is cut byte by byte; behind its headers a big one is just payload.
std::size_t cut_limit(const fixture& each) {
    return std::min<std::size_t>(each.frame.size(), 300);
}

}  // namespace

TEST_CASE("every fixture is understood whole") {
    for (const fixture& each : fixtures()) {
        const auto found = parse_frame(each.frame, each.link);
        CHECK(found.is_ok());
        CHECK(found.has_l4());
    }
}

TEST_CASE("every fixture cut at every byte has a reason") {
    for (const fixture& each : fixtures())
        for (std::size_t size = 0; size < cut_limit(each); ++size) {
            const auto found = parse_frame(first_bytes(each.frame, size), each.link);
            CHECK_FALSE(found.is_ok());
        }
}

TEST_CASE("every fixture whose IP length says what was cut names the transport or the chain") {
    // The lengths are made to fit what is left, so that the inner checks are the ones to find it.
    const auto fits = [](bytes frame, std::size_t size) {
        frame.resize(size);
        const bool is_ipv4 = (frame[14] >> 4) == std::byte{4};
        const std::size_t length = size - 14 - (is_ipv4 ? 0 : 40);
        store_be(&frame[is_ipv4 ? 16 : 18], static_cast<std::uint16_t>(length));
        return frame;
    };
    const auto tcp = packet_builder().ethernet().ipv4().tcp(tcp_with_options()).build();
    for (std::size_t size = 34; size < tcp.size(); ++size)
        CHECK(reason_of(fits(tcp, size)) ==
              (size < 54 ? parse_reason::tcp_truncated : parse_reason::tcp_options_truncated));
    const auto udp = packet_builder().ethernet().ipv4().udp().build();
    for (std::size_t size = 34; size < udp.size(); ++size)
        CHECK(reason_of(fits(udp, size)) == parse_reason::udp_truncated);
    const auto icmp = packet_builder().ethernet().ipv4().icmp({}).build();
    for (std::size_t size = 34; size < icmp.size(); ++size)
        CHECK(reason_of(fits(icmp, size)) == parse_reason::icmp_truncated);
    const auto sctp = packet_builder().ethernet().ipv4().sctp().build();
    for (std::size_t size = 34; size < sctp.size(); ++size)
        CHECK(reason_of(fits(sctp, size)) == parse_reason::sctp_truncated);
    const auto chain = packet_builder()
                           .ethernet()
                           .ipv6()
                           .extension(ip_protocol::hop_by_hop)
                           .extension(ip_protocol::routing, bytes(14))
                           .icmpv6({})
                           .build();
    for (std::size_t size = 55; size < chain.size(); ++size)
        CHECK(reason_of(fits(chain, size)) == (size < 78 ? parse_reason::ipv6_extension_truncated
                                                         : parse_reason::icmpv6_truncated));
}

TEST_CASE("an Ethernet header cut is truncated") {
    for (std::size_t size = 0; size < 14; ++size)
        CHECK(reason_of(bytes(size, std::byte{0xa5})) == parse_reason::ethernet_truncated);
}

TEST_CASE("wrong IP headers are refused by name") {
    bytes frame = packet_builder().ethernet().ipv4(ipv4_with_options()).udp().build();
    frame[14] = std::byte{0x44};
    CHECK(reason_of(frame) == parse_reason::ipv4_bad_header_length);
    frame[14] = std::byte{0x67};
    CHECK(reason_of(frame) == parse_reason::ipv4_bad_version);
    // IHL 15 on a frame that ends before: the options are not there.
    bytes options = packet_builder().ethernet().ipv4().udp().build();
    options[14] = std::byte{0x4f};
    CHECK(reason_of(options) == parse_reason::ipv4_options_truncated);
    bytes v6 = packet_builder().ethernet().ipv6().udp().build();
    v6[14] = std::byte{0x45};
    CHECK(reason_of(v6) == parse_reason::ipv6_bad_version);
}

TEST_CASE("a TCP data offset outside 20 to 60 bytes, or the packet, is refused") {
    bytes frame = packet_builder().ethernet().ipv4().tcp().payload(20).build();
    for (unsigned words = 0; words < 16; ++words) {
        frame[46] = static_cast<std::byte>(words << 4);
        const auto expected = words < 5    ? parse_reason::tcp_bad_data_offset
                              : words > 10 ? parse_reason::tcp_options_truncated
                                           : parse_reason::none;
        CHECK(reason_of(frame) == expected);
    }
}

TEST_CASE("a TCP header may not reach into the padding") {
    bytes frame = packet_builder().ethernet().ipv4().tcp().pad_to(80).build();
    frame[46] = std::byte{0x60};
    CHECK(reason_of(frame) == parse_reason::tcp_options_truncated);
}

TEST_CASE("what was found before a fault stays") {
    bytes frame = packet_builder().ethernet().vlan(ether_type::vlan, {7}).ipv4().tcp().build();
    frame[50] = std::byte{0x10};
    const auto found = parse_frame(frame);
    CHECK(found.reason == parse_reason::tcp_bad_data_offset);
    CHECK(found.vlans.size() == 1);
    CHECK(found.l3 == l3_kind::ipv4);
    CHECK(found.l4_offset == 38);
    CHECK_FALSE(found.has_l4());
}

TEST_CASE("chains of extension headers are bounded") {
    auto many = packet_builder().ethernet().ipv6();
    for (int i = 0; i < 100; ++i)
        many.extension(ip_protocol::destination_options);
    CHECK(reason_of(many.udp().build()) == parse_reason::ipv6_extensions_too_many);
    CHECK(reason_of(packet_builder()
                        .ethernet()
                        .ipv6()
                        .extension(ip_protocol::destination_options, bytes(1030))
                        .extension(ip_protocol::destination_options, bytes(1030))
                        .udp()
                        .build()) == parse_reason::ipv6_extensions_too_long);
    CHECK(reason_of(packet_builder()
                        .ethernet()
                        .ipv6()
                        .extension(ip_protocol::hop_by_hop, bytes(62))
                        .udp()
                        .build()) == parse_reason::ipv6_options_too_many);
    CHECK(reason_of(packet_builder().ethernet().ipv6().fragment({}).fragment({}).udp().build()) ==
          parse_reason::ipv6_nested_fragment);
    CHECK(reason_of(packet_builder()
                        .ethernet()
                        .ipv6()
                        .extension(ip_protocol::routing)
                        .extension(ip_protocol::hop_by_hop)
                        .udp()
                        .build()) == parse_reason::ipv6_hop_by_hop_misplaced);
}

TEST_CASE("a buffer of 0xa5 is another EtherType and no fault") {
    const auto found = parse_frame(bytes(100, std::byte{0xa5}));
    CHECK(found.is_ok());
    CHECK(found.l3 == l3_kind::other);
    CHECK(found.type == ether_type{0xa5a5});
}
