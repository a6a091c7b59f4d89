// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/sctp.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

namespace {

struct chunk_walk {
    std::vector<sctp_chunk> chunks;
    parse_reason reason;
};

chunk_walk walk(const bytes& raw) {
    const sctp_chunk_list list(raw);
    chunk_walk result{};
    for (const sctp_chunk& each : list)
        result.chunks.push_back(each);
    result.reason = list.reason();
    return result;
}

}  // namespace

TEST_CASE("the checksum of SCTP goes out least significant byte first") {
    const bytes packet = test::from_hex("1388 1389 01020304 c0f9e433 0e000004");
    const auto view = sctp_view::check(packet);
    REQUIRE(view);
    CHECK(view->source_port() == 5000);
    CHECK(view->destination_port() == 5001);
    CHECK(view->verification_tag() == 0x01020304);
    CHECK(view->checksum() == 0x33e4f9c0);
}

TEST_CASE("the test builder's CRC32c is the one of the RFC") {
    const bytes digits = test::from_hex("313233343536373839");
    CHECK(test::slow_crc32c(digits) == 0xe3069283);
    CHECK(test::slow_crc32c(test::from_hex("138813890102030400000000 0e000004")) == 0x33e4f9c0);
}

TEST_CASE("an SCTP view is refused below 12 bytes") {
    const bytes packet(12, std::byte{0xa5});
    for (std::size_t size = 0; size < 12; ++size)
        CHECK(sctp_view::check(std::span(packet).first(size)).reason() ==
              parse_reason::sctp_truncated);
    CHECK(sctp_view::check(packet));
}

TEST_CASE("an SCTP header emits what it parsed") {
    const bytes packet = test::from_hex("1388138901020304c0f9e433");
    const auto value = sctp_header::parse(*sctp_view::check(packet));
    bytes out(13, std::byte{0xa5});
    CHECK(value.emit(out) == 12);
    CHECK(std::equal(packet.begin(), packet.end(), out.begin()));
    CHECK(out[12] == std::byte{0xa5});
    CHECK(value.emit(std::span(out).first(11)) == 0);
}

TEST_CASE("chunks are walked over their padding") {
    const auto seen = walk(test::from_hex("0003 0005 aa 000000 0e00 0004 0a00 0006 bbcc 0000"));
    CHECK(seen.reason == parse_reason::none);
    REQUIRE(seen.chunks.size() == 3);
    CHECK(seen.chunks[0].type == sctp_chunk_type::data);
    CHECK(seen.chunks[0].flags == 3);
    CHECK(seen.chunks[0].value.size() == 1);
    CHECK(seen.chunks[1].type == sctp_chunk_type::shutdown_complete);
    CHECK(seen.chunks[1].value.empty());
    CHECK(seen.chunks[2].type == sctp_chunk_type::cookie_echo);
}

TEST_CASE("the last chunk's padding may be missing") {
    const auto seen = walk(test::from_hex("0a00 0006 bbcc"));
    CHECK(seen.reason == parse_reason::none);
    CHECK(seen.chunks.size() == 1);
}

TEST_CASE("a chunk of bad length ends the walk by name") {
    for (const auto* short_length : {"00000000", "00000003 00"})
        CHECK(walk(test::from_hex(short_length)).reason == parse_reason::sctp_chunk_bad_length);
    for (const auto* cut : {"00", "000000", "00000005", "0e000004 0000ffff"})
        CHECK(walk(test::from_hex(cut)).reason == parse_reason::sctp_chunk_truncated);
    CHECK(walk({}).reason == parse_reason::none);
    CHECK(walk({}).chunks.empty());
}

TEST_CASE("a mutable SCTP view writes ports and checksum") {
    bytes packet = test::from_hex("138813890102030400000000");
    const auto view = sctp_mutable_view::check(packet);
    REQUIRE(view);
    view->set_source_port(1);
    view->set_destination_port(2);
    view->set_checksum(0x33e4f9c0);
    CHECK(packet == test::from_hex("0001000201020304c0f9e433"));
    CHECK(sctp_view(*view).checksum() == 0x33e4f9c0);
}
