// SPDX-License-Identifier: Apache-2.0
#include <skein/wire/tcp.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::wire;
using test::bytes;

namespace {

// The SYN a Linux host sends: MSS, SACK permitted, timestamps, no-operation, window scale.
bytes captured_syn() {
    return test::from_hex(
        "a4c2 01bb 1e2d3c4b 00000000 a002 faf0 4e6f 0000"
        "020405b4 0402 080a 11223344 00000000 01 030307");
}

}  // namespace

TEST_CASE("a TCP view reads a captured SYN") {
    const bytes packet = captured_syn();
    const auto view = tcp_view::check(packet);
    REQUIRE(view);
    CHECK(view->source_port() == 42178);
    CHECK(view->destination_port() == 443);
    CHECK(view->sequence() == 0x1e2d3c4b);
    CHECK(view->acknowledgment() == 0);
    CHECK(view->header_length_bytes() == 40);
    CHECK(view->flags() == tcp_flags::syn);
    CHECK(view->window() == 64240);
    CHECK(view->checksum() == 0x4e6f);
    CHECK(view->urgent_pointer() == 0);
}

TEST_CASE("TCP options are found by kind") {
    const bytes packet = captured_syn();
    const auto options = tcp_view::check(packet)->options();
    CHECK(options.is_well_formed());
    CHECK(options.mss() == 1460);
    CHECK(options.window_scale() == 7);
    CHECK(options.sack_permitted());
    CHECK(options.timestamps() == tcp_timestamps{0x11223344, 0});
    CHECK(options.sack().count == 0);
}

TEST_CASE("an option of another length than its RFC fixes is not read") {
    const auto options = [](const bytes& raw) { return tcp_option_list(raw); };
    const bytes short_mss = test::from_hex("020305 01");
    CHECK_FALSE(options(short_mss).mss());
    const bytes long_scale = test::from_hex("03040707");
    CHECK_FALSE(options(long_scale).window_scale());
    const bytes short_timestamps = test::from_hex("0806 00000001 0101");
    CHECK_FALSE(options(short_timestamps).timestamps());
    const bytes odd_sack = test::from_hex("0506 00000001 0101");
    CHECK(options(odd_sack).sack().count == 0);
    CHECK_FALSE(tcp_option_list().sack_permitted());
}

TEST_CASE("up to four SACK blocks are read") {
    const bytes three =
        test::from_hex("0101 051a 00000001 00000002 00000003 00000004 00000005 00000006");
    const auto blocks = tcp_option_list(three).sack();
    REQUIRE(blocks.count == 3);
    CHECK(blocks.blocks[0] == tcp_sack_block{1, 2});
    CHECK(blocks.blocks[2] == tcp_sack_block{5, 6});
    bytes five = test::from_hex("052a");
    five.resize(42);
    CHECK(tcp_option_list(five).sack().count == 4);
}

TEST_CASE("a TCP option of length 0 or 1, or beyond the header, is malformed") {
    for (const auto* wrong : {"0200", "0201", "020405", "080a0000", "01010105"}) {
        const bytes raw = test::from_hex(wrong);
        CHECK_FALSE(tcp_option_list(raw).is_well_formed());
    }
}

TEST_CASE("a TCP view is refused at every length below its header") {
    const bytes packet = captured_syn();
    for (std::size_t size = 0; size < packet.size(); ++size) {
        const bytes exact(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(tcp_view::check(exact).reason() ==
              (size < 20 ? parse_reason::tcp_truncated : parse_reason::tcp_options_truncated));
    }
}

TEST_CASE("a TCP data offset below five is refused") {
    bytes packet = captured_syn();
    for (unsigned words = 0; words < 5; ++words) {
        packet[12] = static_cast<std::byte>(words << 4);
        CHECK(tcp_view::check(packet).reason() == parse_reason::tcp_bad_data_offset);
    }
    packet[12] = std::byte{0xf0};
    CHECK(tcp_view::check(packet).reason() == parse_reason::tcp_options_truncated);
}

TEST_CASE("TCP flags are a set") {
    constexpr tcp_flags synack = tcp_flags::syn | tcp_flags::ack;
    CHECK(synack.has(tcp_flags::syn));
    CHECK_FALSE(synack.has(tcp_flags::syn | tcp_flags::fin));
    CHECK(synack.has_any(tcp_flags::syn | tcp_flags::fin));
    CHECK(synack.without(tcp_flags::syn) == tcp_flags::ack);
    CHECK(tcp_flags::cwr.bits == 0x80);
    CHECK(tcp_flags::ae.bits == 0x100);
}

TEST_CASE("a TCP header emits what it parsed") {
    const bytes packet = captured_syn();
    const auto value = tcp_header::parse(*tcp_view::check(packet));
    bytes out(44, std::byte{0xa5});
    CHECK(value.emit(out) == 40);
    CHECK(std::equal(packet.begin(), packet.end(), out.begin()));
    CHECK(out[40] == std::byte{0xa5});
    CHECK(value.emit(std::span(out).first(39)) == 0);
}

TEST_CASE("setting flags of a mutable TCP view keeps the data offset") {
    bytes packet = captured_syn();
    const auto view = tcp_mutable_view::check(packet);
    REQUIRE(view);
    view->set_flags(tcp_flags::fin | tcp_flags::ae);
    view->set_source_port(1);
    view->set_destination_port(2);
    view->set_sequence(3);
    view->set_checksum(4);
    const tcp_view reading = *view;
    CHECK(reading.header_length_bytes() == 40);
    CHECK(reading.flags() == (tcp_flags::fin | tcp_flags::ae));
    CHECK(reading.source_port() == 1);
    CHECK(reading.destination_port() == 2);
    CHECK(reading.sequence() == 3);
    CHECK(reading.checksum() == 4);
}
