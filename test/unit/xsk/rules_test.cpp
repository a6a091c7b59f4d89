// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/rules.hpp>

#include <vector>

#include "support/catch.hpp"

using namespace skein::xsk;
using skein::wire::ether_type;
using skein::wire::ip_protocol;

namespace {

struct refused_case {
    const char* text;
    std::size_t position;
    const char* says;
};

void check_refused(const refused_case& c) {
    INFO(c.text);
    try {
        parse_rule(c.text);
        FAIL("accepted");
    } catch (const rule_error& error) {
        CHECK(error.position() == c.position);
        CHECK_THAT(error.what(), Catch::Contains(c.says));
        CHECK_FALSE(error.remedy().empty());
    }
}

packet_key udp_packet() {
    packet_key key;
    key.ether_type = ether_type::ipv4;
    key.protocol = ip_protocol::udp;
    key.source = parse_rule("take src 10.1.2.3").source;
    key.destination = parse_rule("take src 192.0.2.9").source;
    key.source_port = 4000;
    key.destination_port = 53;
    return key;
}

}  // namespace

TEST_CASE("a rule's text names fields in any order") {
    const rule expected{.action = rule_action::take,
                        .protocol = ip_protocol::udp,
                        .destination = ip_prefix{ip_family::ipv4, 8, {std::byte{10}}},
                        .either_port = port_range{53, 53}};
    CHECK(parse_rule("take udp dst 10.0.0.0/8 port 53") == expected);
    CHECK(parse_rule("  take\tport 53   dst 10.0.0.0/8 proto 17 ") == expected);
    CHECK(parse_rule("take port 0x35 proto udp dst 10.0.0.0/8") == expected);
}

TEST_CASE("every term sets its own field") {
    CHECK(parse_rule("pass") == rule{.action = rule_action::pass});
    CHECK(parse_rule("take arp").ether_type == ether_type::arp);
    CHECK(parse_rule("take ip").ether_type == ether_type::ipv4);
    CHECK(parse_rule("take ethertype 0x88cc").ether_type == ether_type::lldp);
    CHECK(parse_rule("take ethertype ipv6").ether_type == ether_type::ipv6);
    CHECK(parse_rule("take vlan 4095").vlan == vlan_match{.outer = 4095});
    CHECK(parse_rule("take vlan 10.20").vlan == vlan_match{.outer = 10, .inner = 20});
    CHECK(parse_rule("take vlan none").vlan == vlan_match{});
    CHECK(parse_rule("take sctp").protocol == ip_protocol::sctp);
    CHECK(parse_rule("take proto 255").protocol == ip_protocol{255});
    CHECK(parse_rule("take sport 1-2").source_port == port_range{1, 2});
    CHECK(parse_rule("take dport 65535").destination_port == port_range{65535, 65535});
    CHECK(parse_rule("take src 2001:db8::/32").source->length == 32);
    CHECK(parse_rule("take src 192.0.2.1").source->length == 32);
    CHECK(parse_rule("take dst 2001:db8::1").destination->length == 128);
}

TEST_CASE("a rule is written as it is read") {
    for (const char* text :
         {"take", "pass", "take arp", "take ethertype 0x88cc", "pass vlan 10 tcp dport 80-90",
          "take vlan 10.20", "take vlan none ipv6", "take proto 89", "take udp port 53",
          "take vlan 1.2 ipv4 tcp src 10.0.0.0/8 dst 192.0.2.1/32 sport 1 dport 2-3 port 4",
          "take src ::/0 dst 2001:db8::1/128", "take src 0.0.0.0/0"})
        CHECK(to_string(parse_rule(text)) == text);
}

TEST_CASE("a rule that makes no sense is refused where it stops making sense") {
    for (const refused_case& c :
         std::vector<refused_case>{{"", 0, "begins with take or pass"},
                                   {"drop udp", 0, "begins with take or pass"},
                                   {"take prot 17", 5, "\"prot\""},
                                   {"take udp udp", 9, "says again"},
                                   {"take udp proto tcp", 9, "says again"},
                                   {"take arp ethertype ipv4", 9, "says again"},
                                   {"take port", 9, "the end"},
                                   {"take port 65536", 10, "not a port"},
                                   {"take port 80-", 10, "not a port"},
                                   {"take port -80", 10, "not a port"},
                                   {"take port 90-80", 10, "backwards"},
                                   {"take port 5x", 10, "not a port"},
                                   {"take vlan 4096", 10, "not a VLAN id"},
                                   {"take vlan 1.", 10, "not a VLAN id"},
                                   {"take vlan 1.2.3", 10, "not a VLAN id"},
                                   {"take proto 256", 11, "not an IP protocol"},
                                   {"take ethertype 0x10000", 15, "not an EtherType"},
                                   {"take src 10.0.0", 9, "not an IP address"},
                                   {"take src 10.0.0.0/33", 9, "not a prefix length"},
                                   {"take src 10.0.0.0/", 9, "not a prefix length"},
                                   {"take src 2001:db8::/129", 9, "not a prefix length"},
                                   {"take src 10.0.0.1/8", 9, "behind the prefix"},
                                   {"take icmp port 53", 10, "no ports"},
                                   {"take port 53 icmp", 13, "no ports"},
                                   {"take src 10.0.0.0/8 dst ::/0", 20, "two address families"},
                                   {"take arp udp", 9, "only IP packets"},
                                   {"take port 53 arp", 13, "only IP packets"},
                                   {"take ipv6 src 10.0.0.0/8", 10, "not of that ethertype"},
                                   {"take dst ::1 ipv4", 13, "not of that ethertype"}})
        check_refused(c);
}

TEST_CASE("the remedy for address bits behind the prefix is the right prefix") {
    try {
        parse_rule("take src 10.1.2.3/8");
        FAIL("accepted");
    } catch (const rule_error& error) {
        CHECK(error.remedy() == "write 10.0.0.0/8");
    }
}

TEST_CASE("a rule matches when every field it names is there and equal") {
    const packet_key udp = udp_packet();
    for (const char* text : {"take", "take udp", "take ipv4", "take vlan none", "take dport 53",
                             "take port 4000", "take src 10.0.0.0/8 dst 192.0.2.0/24 sport 4000"})
        CHECK(matches(parse_rule(text), udp));
    for (const char* text : {"take tcp", "take arp", "take vlan 1", "take sport 53", "take port 54",
                             "take src 11.0.0.0/8", "take src ::/0", "take dst 192.0.2.8/32"})
        CHECK_FALSE(matches(parse_rule(text), udp));
}

TEST_CASE("a field that the packet does not show matches no rule that names it") {
    const packet_key bare{.ether_type = ether_type::ipv4};
    for (const char* text : {"take udp", "take port 0-65535", "take src 0.0.0.0/0", "take vlan 0"})
        CHECK_FALSE(matches(parse_rule(text), bare));
    CHECK(matches(parse_rule("take ipv4"), bare));
}

TEST_CASE("VLAN ids are compared tag by tag") {
    packet_key key = udp_packet();
    key.vlan_outer = 10;
    CHECK(matches(parse_rule("take vlan 10"), key));
    CHECK_FALSE(matches(parse_rule("take vlan none"), key));
    CHECK_FALSE(matches(parse_rule("take vlan 10.20"), key));
    key.vlan_inner = 20;
    CHECK(matches(parse_rule("take vlan 10"), key));
    CHECK(matches(parse_rule("take vlan 10.20"), key));
    CHECK_FALSE(matches(parse_rule("take vlan 20"), key));
}

TEST_CASE("the first rule that matches decides, else the default") {
    const std::vector<rule> rules{parse_rule("pass dport 53"), parse_rule("take udp")};
    packet_key key = udp_packet();
    CHECK(judge(rules, default_action::everything, key) == rule_action::pass);
    key.destination_port = 54;
    CHECK(judge(rules, default_action::nothing, key) == rule_action::take);
    key.protocol = ip_protocol::tcp;
    CHECK(judge(rules, default_action::nothing, key) == rule_action::pass);
    CHECK(judge(rules, default_action::everything, key) == rule_action::take);
}
