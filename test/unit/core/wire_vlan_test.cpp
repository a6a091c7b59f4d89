// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/vlan.hpp>
#include <skein/wire/vlan_stack.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

TEST_CASE("a captured TCI parts into priority, drop eligibility and VLAN id") {
    // Priority 6, eligible, VLAN 100; the id alone is what a key must use.
    const bytes tag = test::from_hex("d064 0800");
    const auto view = vlan_view::check(tag);
    REQUIRE(view);
    CHECK(view->tci().pcp() == 6);
    CHECK(view->tci().dei());
    CHECK(view->tci().vid() == 100);
    CHECK(view->type() == ether_type::ipv4);
}

TEST_CASE("each member of a TCI changes alone") {
    constexpr vlan_tci all{0xffff};
    CHECK(all.with_vid(0).word == 0xf000);
    CHECK(all.with_pcp(0).word == 0x1fff);
    CHECK(all.with_dei(false).word == 0xefff);
    constexpr vlan_tci none{0};
    CHECK(none.with_vid(0xffff).word == 0x0fff);
    CHECK(none.with_pcp(0xff).word == 0xe000);
    CHECK(none.with_dei(true).word == 0x1000);
}

TEST_CASE("a VLAN view is refused below 4 bytes") {
    const bytes tag(4, std::byte{0xa5});
    for (std::size_t size = 0; size < 4; ++size)
        CHECK(vlan_view::check(std::span(tag).first(size)).reason() ==
              parse_reason::vlan_truncated);
    CHECK(vlan_view::check(tag));
}

TEST_CASE("a VLAN header emits what it parsed") {
    const vlan_header header{vlan_tci{}.with_vid(4094).with_pcp(3), ether_type::ipv6};
    bytes tag(5, std::byte{0xa5});
    CHECK(header.emit(tag) == 4);
    CHECK(vlan_header::parse(*vlan_view::check(tag)) == header);
    CHECK(tag[4] == std::byte{0xa5});
    bytes small(3, std::byte{0xa5});
    CHECK(header.emit(small) == 0);
    CHECK(small == bytes(3, std::byte{0xa5}));
}

TEST_CASE("setters of a mutable VLAN view leave the rest alone") {
    bytes tag = test::from_hex("d0640800");
    const auto view = vlan_mutable_view::check(tag);
    REQUIRE(view);
    view->set_tci(view->tci().with_vid(7));
    CHECK(tag == test::from_hex("d0070800"));
    view->set_type(ether_type::vlan);
    CHECK(tag == test::from_hex("d0078100"));
}

TEST_CASE("a stack keeps eight tags, outermost first") {
    vlan_stack stack;
    CHECK(stack.empty());
    for (std::uint16_t vid = 1; vid <= 8; ++vid)
        stack.push({ether_type::qinq, {vid}});
    CHECK(stack.is_full());
    CHECK(stack[0].tci.vid() == 1);
    CHECK(stack[7].tci.vid() == 8);
}

TEST_CASE("stacks are equal by every tag, and of the same VLANs by kind, id and depth") {
    const auto stack_of = [](std::initializer_list<vlan_tag> tags) {
        vlan_stack stack;
        for (const vlan_tag tag : tags)
            stack.push(tag);
        return stack;
    };
    const auto base = stack_of({{ether_type::qinq, {0x0005}}, {ether_type::vlan, {0x0064}}});
    const auto priority = stack_of({{ether_type::qinq, {0x0005}}, {ether_type::vlan, {0xc064}}});
    const auto other_id = stack_of({{ether_type::qinq, {0x0005}}, {ether_type::vlan, {0x0065}}});
    const auto other_kind = stack_of({{ether_type::vlan, {0x0005}}, {ether_type::vlan, {0x0064}}});
    const auto shallow = stack_of({{ether_type::qinq, {0x0005}}});
    CHECK(base == base);
    CHECK_FALSE(base == priority);
    CHECK(base.same_vlans(priority));
    CHECK_FALSE(base.same_vlans(other_id));
    CHECK_FALSE(base.same_vlans(other_kind));
    CHECK_FALSE(base.same_vlans(shallow));
    CHECK(vlan_stack() == vlan_stack());
}
