// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/types.hpp>

#include <type_traits>

#include "support/catch.hpp"

using namespace skein::wire;

namespace {

template <class A, class B>
concept comparable = requires(A a, B b) {
    a == b;
};

}  // namespace

TEST_CASE("an EtherType cannot be compared with an IP protocol or a number") {
    STATIC_REQUIRE_FALSE(comparable<ether_type, ip_protocol>);
    STATIC_REQUIRE_FALSE(comparable<ether_type, int>);
    STATIC_REQUIRE(comparable<ether_type, ether_type>);
    CHECK(number(ether_type::ipv6) == 0x86dd);
    CHECK(number(ip_protocol::sctp) == 132);
}

TEST_CASE("the three TPIDs mark VLAN tags and nothing else does") {
    CHECK(is_vlan_tpid(ether_type{0x8100}));
    CHECK(is_vlan_tpid(ether_type{0x88a8}));
    CHECK(is_vlan_tpid(ether_type{0x9100}));
    CHECK_FALSE(is_vlan_tpid(ether_type{0x0081}));
    CHECK_FALSE(is_vlan_tpid(ether_type::ipv4));
}

TEST_CASE("DSCP is the upper six bits and ECN the lower two") {
    constexpr traffic_class expedited_ce{0xbb};
    CHECK(expedited_ce.dscp() == 46);
    CHECK(expedited_ce.ecn() == 3);
    CHECK(expedited_ce.with_ecn(1).byte == 0xb9);
    CHECK(expedited_ce.with_dscp(10).byte == 0x2b);
    CHECK(expedited_ce.with_ecn(0xff).byte == 0xbb);
}
