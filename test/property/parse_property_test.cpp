// SPDX-License-Identifier: Apache-2.0
// The parser over random packets: what was built is what is found, and nothing lies outside.
#include <skein/parse.hpp>

#include "support/catch.hpp"
#include "support/parse_frame.hpp"
#include "support/parse_invariants.hpp"
#include "support/seed.hpp"
#include "support/split_source.hpp"

using namespace skein;
using namespace skein::test;
using wire::ether_type;
using wire::ip_protocol;

namespace {

// A random packet and where its parts are.
struct random_packet {
    packet_builder builder;
    std::size_t vlans = 0;
    std::size_t l3_bytes = 0;
    std::size_t l4_bytes = 0;
    std::size_t payload_bytes = 0;
};

void add_tags(random_numbers& random, random_packet& made) {
    constexpr std::array tpids{ether_type::vlan, ether_type::qinq, ether_type::qinq_9100};
    made.vlans = random.between(0, wire::max_vlan_tags);
    for (std::size_t i = 0; i < made.vlans; ++i)
        made.builder.vlan(tpids[random.between(0, 2)], {static_cast<std::uint16_t>(random.bits())});
}

void add_ipv4(random_numbers& random, random_packet& made) {
    wire::ipv4_header header;
    header.options.append_raw(bytes(random.between(0, 40), std::byte{wire::option_no_operation}));
    made.l3_bytes = header.size_bytes();
    made.builder.ipv4(header);
}

void add_ipv6(random_numbers& random, random_packet& made) {
    constexpr std::array kinds{ip_protocol::destination_options, ip_protocol::routing,
                               ip_protocol::ah, ip_protocol::mobility};
    made.l3_bytes = 40;
    made.builder.ipv6();
    const std::size_t count = random.between(0, wire::max_ipv6_extensions);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t body = 6 + 8 * random.between(0, 20);
        made.builder.extension(kinds[random.between(0, kinds.size() - 1)], bytes(body));
        made.l3_bytes += 2 + body;
    }
}

void add_transport(random_numbers& random, random_packet& made) {
    if (random.one_in(2)) {
        made.builder.udp();
        made.l4_bytes = 8;
        return;
    }
    wire::tcp_header header;
    header.options.append_raw(bytes(random.between(0, 40), std::byte{wire::option_no_operation}));
    made.builder.tcp(header);
    made.l4_bytes = header.size_bytes();
}

random_packet make_packet(random_numbers& random) {
    random_packet made;
    made.builder.ethernet();
    add_tags(random, made);
    random.one_in(2) ? add_ipv4(random, made) : add_ipv6(random, made);
    add_transport(random, made);
    made.payload_bytes = random.between(0, 300);
    made.builder.payload(made.payload_bytes);
    made.builder.pad_to(random.between(0, 1000));
    return made;
}

}  // namespace

TEST_CASE("every random packet is found as it was built") {
    random_numbers random(announced_seed("found as built"));
    for (int round = 0; round < 4000; ++round) {
        const random_packet made = make_packet(random);
        const auto found = parse_frame(made.builder.build());
        REQUIRE(found.is_ok());
        REQUIRE(found.vlans.size() == made.vlans);
        REQUIRE(found.l3_offset == 14 + 4 * made.vlans);
        REQUIRE(found.l3_bytes == made.l3_bytes);
        REQUIRE(found.l4_bytes == made.l4_bytes);
        REQUIRE(found.payload_bytes == made.payload_bytes);
    }
}

TEST_CASE("random packets, damaged and cut, keep every invariant of the parser") {
    random_numbers random(announced_seed("invariants"));
    for (int round = 0; round < 4000; ++round) {
        bytes frame = make_packet(random).builder.build();
        for (std::size_t damage = random.between(0, 4); damage > 0; --damage)
            frame[random.between(12, frame.size() - 1)] = random.byte();
        frame.resize(random.between(0, frame.size()));
        const split_source split(frame, random_cuts(random, frame.size(), 6));
        for (const parse_options options : every_parse_option()) {
            const auto found = parse_frame(frame, link_layer::ethernet, options);
            REQUIRE(violated_invariant(frame, found) == "");
            REQUIRE(parse_packet(split, link_layer::ethernet, options) == found);
        }
    }
}
