// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/ipv6_extension.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;
using test::packet_builder;

namespace {

// The chain of a packet made by a builder, which begins with its IPv6 header.
struct chain {
    bytes packet;
    contiguous_source source{packet};
    ipv6_extension_walk<contiguous_source> walk{
        source, ip_protocol{std::to_integer<std::uint8_t>(packet[6])}, 6, 40, packet.size()};

    explicit chain(const packet_builder& builder) : packet(builder.build()) {}
    std::vector<ipv6_extension> all() {
        std::vector<ipv6_extension> found;
        while (const auto each = walk.next())
            found.push_back(*each);
        return found;
    }
};

packet_builder base() {
    return std::move(packet_builder().ipv6());
}

parse_reason reason_of(const packet_builder& builder) {
    chain made(builder);
    made.all();
    return made.walk.reason();
}

// The options of one hop-by-hop header with this body.
struct option_walk_result {
    std::vector<ipv6_option> options;
    parse_reason reason;
};

option_walk_result options_of(const bytes& body) {
    chain made(base().extension(ip_protocol::hop_by_hop, body).udp());
    const auto header = made.walk.next();
    ipv6_option_walk<contiguous_source> walk(made.source, *header);
    option_walk_result result{};
    while (const auto each = walk.next())
        result.options.push_back(*each);
    result.reason = walk.reason();
    return result;
}

}  // namespace

TEST_CASE("the walk passes every kind of extension header and ends at the transport") {
    chain made(base()
                   .extension(ip_protocol::hop_by_hop)
                   .extension(ip_protocol::destination_options, bytes(14))
                   .extension(ip_protocol::routing, bytes(22))
                   .extension(ip_protocol::ah, bytes(10))
                   .extension(ip_protocol::mobility)
                   .extension(ip_protocol::hip)
                   .extension(ip_protocol::shim6)
                   .udp()
                   .payload(5));
    const auto found = made.all();
    REQUIRE(found.size() == 7);
    CHECK(made.walk.reason() == parse_reason::none);
    CHECK(made.walk.protocol() == ip_protocol::udp);
    CHECK(found[0].kind == ip_protocol::hop_by_hop);
    CHECK(found[0].offset == 40);
    CHECK(found[0].named_at == 6);
    CHECK(found[1].size_bytes == 16);
    CHECK(found[1].named_at == 40);
    CHECK(found[2].size_bytes == 24);
    CHECK(found[3].kind == ip_protocol::ah);
    CHECK(found[3].size_bytes == 16);
    CHECK(made.walk.offset() == 40 + 8 + 16 + 24 + 16 + 8 + 8 + 8);
    CHECK(made.walk.named_at() == found[6].offset);
}

TEST_CASE("AH counts its length in units of four") {
    CHECK(ipv6_extension_bytes(ip_protocol::ah, 4) == 24);
    CHECK(ipv6_extension_bytes(ip_protocol::routing, 4) == 40);
    CHECK(ipv6_extension_bytes(ip_protocol::fragment, 4) == 8);
    CHECK(ipv6_extension_bytes(ip_protocol::hop_by_hop, 255) == 2048);
}

TEST_CASE("ESP and unknown protocols end the walk") {
    bytes packet = base().payload(40).build();
    packet[6] = std::byte{number(ip_protocol::esp)};
    const contiguous_source source(packet);
    ipv6_extension_walk<contiguous_source> walk(source, ip_protocol::esp, 6, 40, packet.size());
    CHECK_FALSE(walk.next());
    CHECK(walk.protocol() == ip_protocol::esp);
    CHECK(walk.offset() == 40);
    CHECK(walk.reason() == parse_reason::none);
    CHECK_FALSE(is_ipv6_extension(ip_protocol::no_next_header));
    CHECK_FALSE(is_ipv6_extension(ip_protocol{253}));
}

TEST_CASE("a first fragment's chain goes on, a later one's has ended") {
    const auto with_offset = [](std::uint32_t offset) {
        const auto field =
            ipv6_fragment_field{}.with_offset_bytes(offset).with_more_fragments(true);
        return base()
            .fragment({.fragment = field, .identification = 7})
            .extension(ip_protocol::destination_options)
            .udp();
    };
    chain first(with_offset(0));
    CHECK(first.all().size() == 2);
    CHECK(first.walk.protocol() == ip_protocol::udp);
    chain later(with_offset(1232));
    CHECK(later.all().size() == 1);
    CHECK(later.walk.protocol() == ip_protocol::destination_options);
    CHECK(later.walk.offset() == 48);
}

TEST_CASE("a chain cut at any byte is truncated") {
    const bytes whole = base()
                            .extension(ip_protocol::hop_by_hop, bytes(14))
                            .extension(ip_protocol::destination_options)
                            .udp()
                            .build();
    for (std::size_t size = 40; size < 64; ++size) {
        const bytes exact(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        const contiguous_source source(exact);
        ipv6_extension_walk<contiguous_source> walk(source, ip_protocol::hop_by_hop, 6, 40, size);
        while (walk.next()) {
        }
        CHECK(walk.reason() == parse_reason::ipv6_extension_truncated);
    }
}

TEST_CASE("a chain ends where the IP packet does, not where the bytes do") {
    const bytes packet = base().extension(ip_protocol::hop_by_hop, bytes(14)).udp().build();
    const contiguous_source source(packet);
    ipv6_extension_walk<contiguous_source> walk(source, ip_protocol::hop_by_hop, 6, 40, 48);
    CHECK_FALSE(walk.next());
    CHECK(walk.reason() == parse_reason::ipv6_extension_truncated);
}

TEST_CASE("more extension headers than are walked are refused by name") {
    const auto chain_of = [](std::size_t count) {
        auto builder = base();
        for (std::size_t i = 0; i < count; ++i)
            builder.extension(ip_protocol::destination_options);
        return builder.udp();
    };
    CHECK(reason_of(chain_of(max_ipv6_extensions)) == parse_reason::none);
    CHECK(reason_of(chain_of(max_ipv6_extensions + 1)) == parse_reason::ipv6_extensions_too_many);
}

TEST_CASE("more bytes of extension headers than are walked are refused by name") {
    const auto two = [](std::size_t second_body) {
        return base()
            .extension(ip_protocol::destination_options, bytes(1022))
            .extension(ip_protocol::destination_options, bytes(second_body))
            .udp();
    };
    CHECK(reason_of(two(1022)) == parse_reason::none);
    CHECK(reason_of(two(1030)) == parse_reason::ipv6_extensions_too_long);
}

TEST_CASE("hop-by-hop options stand first, and one fragment header is enough") {
    CHECK(reason_of(base()
                        .extension(ip_protocol::destination_options)
                        .extension(ip_protocol::hop_by_hop)
                        .udp()) == parse_reason::ipv6_hop_by_hop_misplaced);
    CHECK(reason_of(base().fragment({}).fragment({}).udp()) == parse_reason::ipv6_nested_fragment);
}

TEST_CASE("an IPv6 fragment header reads and writes its three parts") {
    const bytes header = test::from_hex("1100 05c9 deadbeef");
    const auto view = ipv6_fragment_view::check(header);
    REQUIRE(view);
    CHECK(view->next_header() == ip_protocol::udp);
    CHECK(view->fragment().offset_bytes() == 1480);
    CHECK(view->fragment().more_fragments());
    CHECK_FALSE(view->fragment().is_atomic());
    CHECK(view->identification() == 0xdeadbeef);
    bytes out(9, std::byte{0xa5});
    CHECK(ipv6_fragment_header::parse(*view).emit(out) == 8);
    CHECK(std::equal(header.begin(), header.end(), out.begin()));
    CHECK(out[8] == std::byte{0xa5});
    CHECK(ipv6_fragment_header{}.emit(std::span(out).first(7)) == 0);
    CHECK(ipv6_fragment_view::check(std::span(header).first(7)).reason() ==
          parse_reason::ipv6_extension_truncated);
}

TEST_CASE("reserved bits make no fragment of an atomic one") {
    CHECK(ipv6_fragment_field{0x0006}.is_atomic());
    CHECK(ipv6_fragment_field{0x0006}.offset_bytes() == 0);
    CHECK_FALSE(ipv6_fragment_field{0x0001}.is_atomic());
    CHECK_FALSE(ipv6_fragment_field{0x0008}.is_atomic());
    constexpr ipv6_fragment_field all{0xffff};
    CHECK(all.with_offset_bytes(0).word == 0x0007);
    CHECK(all.with_more_fragments(false).word == 0xfffe);
}

TEST_CASE("a mutable fragment view patches what follows") {
    bytes header = test::from_hex("110005c9deadbeef");
    const auto view = ipv6_fragment_mutable_view::check(header);
    REQUIRE(view);
    view->set_next_header(ip_protocol::tcp);
    view->set_fragment(view->fragment().with_more_fragments(false));
    CHECK(header == test::from_hex("060005c8deadbeef"));
    CHECK(ipv6_fragment_view(*view).next_header() == ip_protocol::tcp);
}

TEST_CASE("IPv6 options are walked, padding skipped") {
    const auto result = options_of(test::from_hex("00 0101 ff 0502 0000 00 c204 00012345 00"));
    CHECK(result.reason == parse_reason::none);
    REQUIRE(result.options.size() == 2);
    CHECK(result.options[0].type == ipv6_option_router_alert);
    CHECK(result.options[0].data_bytes == 2);
    CHECK(result.options[1].type == ipv6_option_jumbo);
    CHECK(result.options[1].data_offset == 42 + 11);
}

TEST_CASE("an IPv6 option that reaches beyond its header is malformed") {
    CHECK(options_of(test::from_hex("05050000 0000")).reason ==
          parse_reason::ipv6_option_malformed);
    CHECK(options_of(test::from_hex("0000000000 05")).reason ==
          parse_reason::ipv6_option_malformed);
    CHECK(options_of(test::from_hex("0504 00000000")).reason == parse_reason::none);
}

TEST_CASE("more options than are walked are refused by name") {
    CHECK(options_of(bytes(30)).reason == parse_reason::none);
    CHECK(options_of(bytes(38)).reason == parse_reason::ipv6_options_too_many);
}
