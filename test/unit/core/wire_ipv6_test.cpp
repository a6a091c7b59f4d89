// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/ipv6.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

namespace {

bytes captured_header() {
    return test::from_hex(
        "6bb12345 0028 06 40 fe8000000000000000000000000000aa 20010db8000000000000000000000002");
}

}  // namespace

TEST_CASE("an IPv6 view reads a header whose first fields cross bytes") {
    const bytes header = captured_header();
    const auto view = ipv6_view::check(header);
    REQUIRE(view);
    CHECK(view->version() == 6);
    CHECK(view->traffic_class().byte == 0xbb);
    CHECK(view->traffic_class().dscp() == 46);
    CHECK(view->traffic_class().ecn() == 3);
    CHECK(view->flow_label() == 0x12345);
    CHECK(view->payload_length_bytes() == 40);
    CHECK(view->next_header() == ip_protocol::tcp);
    CHECK(view->hop_limit() == 64);
    CHECK(view->source() == test::ipv6("fe80::aa"));
    CHECK(view->destination() == test::ipv6("2001:db8::2"));
}

TEST_CASE("an IPv6 view is refused below 40 bytes or for another version") {
    bytes header = captured_header();
    for (std::size_t size = 0; size < header.size(); ++size) {
        const bytes exact(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(ipv6_view::check(exact).reason() == parse_reason::ipv6_truncated);
    }
    header[0] = std::byte{0x4b};
    CHECK(ipv6_view::check(header).reason() == parse_reason::ipv6_bad_version);
}

TEST_CASE("an IPv6 header emits what it parsed") {
    const bytes header = captured_header();
    const auto value = ipv6_header::parse(*ipv6_view::check(header));
    bytes out(41, std::byte{0xa5});
    CHECK(value.emit(out) == 40);
    CHECK(std::equal(header.begin(), header.end(), out.begin()));
    CHECK(out[40] == std::byte{0xa5});
    CHECK(value.emit(std::span(out).first(39)) == 0);
}

TEST_CASE("a payload too long for its field is written as zero") {
    bytes out(40);
    ipv6_header{.payload_bytes = 65536}.emit(out);
    CHECK(ipv6_view::check(out)->payload_length_bytes() == 0);
    ipv6_header{.payload_bytes = 65535}.emit(out);
    CHECK(ipv6_view::check(out)->payload_length_bytes() == 65535);
}

TEST_CASE("a mutable IPv6 view writes traffic class and flow label apart") {
    bytes header = captured_header();
    const auto view = ipv6_mutable_view::check(header);
    REQUIRE(view);
    view->set_traffic_class({0x01});
    CHECK(load_be<std::uint32_t>(header.data()) == 0x60112345);
    view->set_flow_label(0xffabcde);
    CHECK(load_be<std::uint32_t>(header.data()) == 0x601abcde);
    view->set_payload_length_bytes(7);
    view->set_next_header(ip_protocol::udp);
    view->set_hop_limit(1);
    view->set_source(test::ipv6("::1"));
    view->set_destination(test::ipv6("::2"));
    const ipv6_view reading = *view;
    CHECK(ipv6_header::parse(reading) == ipv6_header{.traffic_class = {0x01},
                                                     .flow_label = 0xabcde,
                                                     .payload_bytes = 7,
                                                     .next_header = ip_protocol::udp,
                                                     .hop_limit = 1,
                                                     .source = test::ipv6("::1"),
                                                     .destination = test::ipv6("::2")});
}
