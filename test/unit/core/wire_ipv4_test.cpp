// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/ipv4.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

namespace {

bytes captured_header() {
    return test::from_hex("45b80030 44224000 80064376 8c7c19ac ae241e2b");
}

// A header with a router alert option (copied) and a record route option (not copied).
bytes header_with_options() {
    ipv4_header header{.payload_bytes = 8, .protocol = ip_protocol::udp};
    header.options.append(ipv4_option_router_alert, test::from_hex("0000"));
    header.options.append_no_operation();
    header.options.append(ipv4_option_record_route, test::from_hex("0400000000"));
    bytes out(header.size_bytes());
    header.emit(out);
    return out;
}

}  // namespace

TEST_CASE("an IPv4 view reads a captured header") {
    const bytes header = captured_header();
    const auto view = ipv4_view::check(header);
    REQUIRE(view);
    CHECK(view->header_length_bytes() == 20);
    CHECK(view->tos().dscp() == 46);
    CHECK(view->tos().ecn() == 0);
    CHECK(view->total_length_bytes() == 48);
    CHECK(view->identification() == 0x4422);
    CHECK(view->fragment().dont_fragment());
    CHECK_FALSE(view->fragment().is_fragment());
    CHECK(view->ttl() == 128);
    CHECK(view->protocol() == ip_protocol::tcp);
    CHECK(view->source() == test::ipv4("140.124.25.172"));
    CHECK(view->destination() == test::ipv4("174.36.30.43"));
    CHECK(view->checksum() == 0x4376);
    CHECK(view->is_checksum_valid());
    CHECK(view->option_bytes().empty());
}

TEST_CASE("flags and offset of IPv4 fragments part correctly") {
    constexpr ipv4_fragment_field last{0x00b9};
    CHECK(last.offset_bytes() == 1480);
    CHECK_FALSE(last.more_fragments());
    CHECK(last.is_fragment());
    constexpr ipv4_fragment_field first{0x2000};
    CHECK(first.more_fragments());
    CHECK(first.is_fragment());
    constexpr ipv4_fragment_field df_and_mf{0x6000};
    CHECK(df_and_mf.dont_fragment());
    CHECK(df_and_mf.more_fragments());
    CHECK(ipv4_fragment_field{0x1fff}.offset_bytes() == 65528);
    // The reserved bit makes no fragment.
    CHECK_FALSE(ipv4_fragment_field{0x8000}.is_fragment());
}

TEST_CASE("the fragment field changes one part at a time") {
    constexpr ipv4_fragment_field all{0xffff};
    CHECK(all.with_dont_fragment(false).word == 0xbfff);
    CHECK(all.with_more_fragments(false).word == 0xdfff);
    CHECK(all.with_offset_bytes(0).word == 0xe000);
    constexpr ipv4_fragment_field none{0};
    CHECK(none.with_dont_fragment(true).word == 0x4000);
    CHECK(none.with_more_fragments(true).word == 0x2000);
    CHECK(none.with_offset_bytes(1487).offset_bytes() == 1480);
}

TEST_CASE("an IPv4 view is refused at every length below its header") {
    const bytes header = header_with_options();
    REQUIRE(header.size() == 32);
    for (std::size_t size = 0; size < header.size(); ++size) {
        const bytes exact(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(ipv4_view::check(exact).reason() ==
              (size < 20 ? parse_reason::ipv4_truncated : parse_reason::ipv4_options_truncated));
    }
    CHECK(ipv4_view::check(header));
}

TEST_CASE("an IPv4 view is refused for another version or an IHL below five") {
    bytes header = captured_header();
    header[0] = std::byte{0x65};
    CHECK(ipv4_view::check(header).reason() == parse_reason::ipv4_bad_version);
    for (unsigned ihl = 0; ihl < 5; ++ihl) {
        header[0] = static_cast<std::byte>(0x40 | ihl);
        CHECK(ipv4_view::check(header).reason() == parse_reason::ipv4_bad_header_length);
    }
}

TEST_CASE("a total length must hold the header, or be zero") {
    bytes header = captured_header();
    const auto with_total = [&](std::uint16_t total) {
        store_be(&header[2], total);
        return ipv4_view::check(header).reason();
    };
    CHECK(with_total(19) == parse_reason::ipv4_total_length_short);
    CHECK(with_total(1) == parse_reason::ipv4_total_length_short);
    CHECK(with_total(20) == parse_reason::none);
    CHECK(with_total(0) == parse_reason::none);
}

TEST_CASE("IPv4 options are walked in order, no-operations skipped") {
    const bytes header = header_with_options();
    std::vector<option> seen;
    for (const option& each : ipv4_view::check(header)->options())
        seen.push_back(each);
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].kind == ipv4_option_router_alert);
    CHECK(ipv4_option_kind{seen[0].kind}.is_copied());
    CHECK(ipv4_option_kind{seen[0].kind}.option_number() == 20);
    CHECK(seen[0].data.size() == 2);
    CHECK(seen[1].kind == ipv4_option_record_route);
    CHECK_FALSE(ipv4_option_kind{seen[1].kind}.is_copied());
    CHECK(seen[1].data.size() == 5);
    CHECK(ipv4_option_kind{ipv4_option_timestamp}.option_class() == 2);
}

TEST_CASE("a malformed option ends the walk and is told from the end of the list") {
    const auto list = [](const bytes& raw) { return option_list(raw); };
    const auto count = [](const option_list& options) {
        std::size_t n = 0;
        for ([[maybe_unused]] const option& each : options)
            ++n;
        return n;
    };
    const bytes good = test::from_hex("0101940400000000");
    CHECK(list(good).is_well_formed());
    CHECK(count(list(good)) == 1);
    for (const auto* wrong : {"94", "9400", "9401", "9405 0000", "0194040000 07ff"}) {
        const bytes raw = test::from_hex(wrong);
        CHECK_FALSE(list(raw).is_well_formed());
        CHECK(count(list(raw)) <= 1);
    }
    const bytes ended = test::from_hex("00ffffff");
    CHECK(list(ended).is_well_formed());
    CHECK(count(list(ended)) == 0);
    CHECK(option_list().is_well_formed());
}

TEST_CASE("an IPv4 header emits what it parsed, options and right checksum included") {
    const bytes header = header_with_options();
    const auto value = ipv4_header::parse(*ipv4_view::check(header));
    CHECK(value.payload_bytes == 8);
    CHECK(value.options.options().find(ipv4_option_record_route));
    bytes out(40, std::byte{0xa5});
    CHECK(value.emit(out) == header.size());
    CHECK(std::equal(header.begin(), header.end(), out.begin()));
    CHECK(out[header.size()] == std::byte{0xa5});
    CHECK(ipv4_view::check(out)->is_checksum_valid());
    CHECK(value.emit(std::span(out).first(31)) == 0);
}

TEST_CASE("a payload too long for the total length is written as zero") {
    bytes out(20);
    ipv4_header{.payload_bytes = 65515}.emit(out);
    CHECK(ipv4_view::check(out)->total_length_bytes() == 65535);
    ipv4_header{.payload_bytes = 65516}.emit(out);
    CHECK(ipv4_view::check(out)->total_length_bytes() == 0);
    CHECK(ipv4_view::check(out)->is_checksum_valid());
    CHECK(ipv4_header::parse(*ipv4_view::check(out)).payload_bytes == 0);
}

TEST_CASE("options beyond 40 bytes are not taken, and a block is filled up to a multiple of 4") {
    option_block block;
    CHECK(block.append(7, bytes(37)));
    CHECK(block.size_bytes() == 40);
    CHECK_FALSE(block.append(8, {}));
    CHECK(block.append_no_operation());
    CHECK_FALSE(block.append_no_operation());
    CHECK(block.size_bytes() == 40);
    option_block odd;
    CHECK(odd.append(4, {}));
    CHECK(odd.size_bytes() == 4);
    CHECK(odd.bytes()[3] == std::byte{option_end});
    CHECK_FALSE(odd == block);
}

TEST_CASE("a mutable IPv4 view writes single fields, and the checksum on request") {
    bytes header = captured_header();
    const auto view = ipv4_mutable_view::check(header);
    REQUIRE(view);
    view->set_ttl(127);
    view->set_source(test::ipv4("10.0.0.1"));
    view->set_identification(1);
    view->set_tos({0x04});
    view->set_total_length_bytes(99);
    view->set_fragment({0x2001});
    view->set_destination(test::ipv4("10.0.0.2"));
    const ipv4_view reading = *view;
    CHECK_FALSE(reading.is_checksum_valid());
    view->fill_checksum();
    CHECK(reading.is_checksum_valid());
    CHECK(header == [] {
        bytes expected = test::from_hex("45040063 00012001 7f060000 0a000001 0a000002");
        store_be(&expected[10], internet_sum(expected).finish());
        return expected;
    }());
}
