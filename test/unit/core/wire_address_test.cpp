// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/address.hpp>

#include <string>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;

namespace {

std::string text_of(std::string_view ipv6_text) {
    return std::string(to_text(test::ipv6(ipv6_text)).view());
}

}  // namespace

TEST_CASE("a MAC address is six pairs of digits between colons") {
    CHECK(to_text(test::mac("02:AB:00:0f:10:ff")).view() == "02:ab:00:0f:10:ff");
    for (const auto* wrong : {"", "02:ab:00:0f:10", "02:ab:00:0f:10:ff:", "2:ab:00:0f:10:ff",
                              "02:ab:00:0f:10:fg", "002:ab:00:0f:10:ff", "02-ab-00-0f-10-ff"})
        CHECK_FALSE(parse_mac(wrong));
}

TEST_CASE("a group address is told by its lowest first bit") {
    CHECK(mac_address::broadcast().is_group());
    CHECK(test::mac("01:00:5e:00:00:01").is_group());
    CHECK_FALSE(test::mac("02:00:00:00:00:01").is_group());
}

TEST_CASE("an IPv4 address is four decimal numbers") {
    CHECK(test::ipv4("192.0.2.1").value() == 0xc0000201);
    CHECK(to_text(ipv4_address(0xff00640a)).view() == "255.0.100.10");
    for (const auto* wrong : {"", "1.2.3", "1.2.3.4.", "1.2.3.256", "01.2.3.4", "1..3.4",
                              "1.2.3.4 ", "1.2.3.a", "1.2.3.1000"})
        CHECK_FALSE(parse_ipv4(wrong));
}

TEST_CASE("an IPv6 address is written in its canonical form") {
    CHECK(text_of("2001:0DB8:0:0:0:0:0:1") == "2001:db8::1");
    CHECK(text_of("::") == "::");
    CHECK(text_of("::1") == "::1");
    CHECK(text_of("1::") == "1::");
    CHECK(text_of("2001:db8:0:1:1:1:1:1") == "2001:db8:0:1:1:1:1:1");
    CHECK(text_of("2001:0:0:1:0:0:0:1") == "2001:0:0:1::1");
    CHECK(text_of("2001:db8:0:0:1:0:0:1") == "2001:db8::1:0:0:1");
    CHECK(text_of("fe80:0:0:0:0:0:0:0") == "fe80::");
    CHECK(text_of("::ffff:192.0.2.1") == "::ffff:192.0.2.1");
    CHECK(text_of("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff") ==
          "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
}

TEST_CASE("an IPv6 address is read in every form of RFC 4291") {
    CHECK(test::ipv6("64:ff9b::192.0.2.33") == test::ipv6("64:ff9b::c000:221"));
    CHECK(test::ipv6("1:2:3:4:5:6:1.2.3.4") == test::ipv6("1:2:3:4:5:6:102:304"));
    CHECK(test::ipv6("1:2:3:4:5:6:7::") == test::ipv6("1:2:3:4:5:6:7:0"));
    CHECK(test::ipv6("::2:3:4:5:6:7:8") == test::ipv6("0:2:3:4:5:6:7:8"));
    CHECK(test::ipv6("2001:db8::2").group(7) == 2);
    CHECK(test::ipv6("ff02::1").is_multicast());
}

TEST_CASE("what is no IPv6 address is refused") {
    for (const auto* wrong :
         {"", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3",
          "12345::", "1:2:3:4:5:6:7:8:", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", ":1::", "g::",
          "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4", "::1.2.3", "::1.2.3.4:5", "::%1", "1:2"})
        CHECK_FALSE(parse_ipv6(wrong));
}

TEST_CASE("addresses compare byte by byte") {
    CHECK(test::ipv4("10.0.0.1") < test::ipv4("10.0.1.0"));
    CHECK(test::ipv6("::1") != test::ipv6("::2"));
    CHECK(test::mac("02:00:00:00:00:01") == test::mac("02:00:00:00:00:01"));
    CHECK(test::ipv4("224.0.0.1").is_multicast());
    CHECK_FALSE(test::ipv4("223.255.255.255").is_multicast());
}
