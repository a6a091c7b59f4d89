// SPDX-License-Identifier: Apache-2.0
#include <skein/checksum.hpp>

#include "support/catch.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("the sum of RFC 1071's example is its 0xddf2") {
    const bytes example = from_hex("0001f203f4f5f6f7");
    CHECK(sum_bytes(example) == 0xddf2);
    CHECK(internet_sum(example).finish() == 0x220d);
}

TEST_CASE("an IPv4 header has the checksum that makes its sum all ones") {
    const bytes header = from_hex("45000030 44224000 80060000 8c7c19ac ae241e2b");
    CHECK(internet_sum(header).finish() == 0x442e);
    const bytes complete = from_hex("45000030 44224000 8006442e 8c7c19ac ae241e2b");
    CHECK(internet_sum(complete).is_valid());
}

TEST_CASE("an empty area sums to nothing") {
    CHECK(sum_bytes({}) == 0);
    CHECK(internet_sum().finish() == 0xffff);
}

TEST_CASE("an odd last byte counts as the upper half of a word") {
    CHECK(sum_bytes(from_hex("12")) == 0x1200);
    CHECK(sum_bytes(from_hex("000112")) == 0x1201);
}

TEST_CASE("every length from 0 to 100 sums as the sum of its words") {
    const bytes data = pattern(100, 0xa5);
    for (std::size_t size = 0; size <= data.size(); ++size) {
        std::uint32_t expected = 0;
        for (std::size_t i = 0; i < size; ++i)
            expected += std::to_integer<std::uint32_t>(data[i]) << (i % 2 == 0 ? 8 : 0);
        CHECK(sum_bytes(std::span(data).first(size)) == fold_sum(expected));
    }
}

TEST_CASE("a sum of all-ones words folds to all ones and not to zero") {
    CHECK(sum_bytes(bytes(64, std::byte{0xff})) == 0xffff);
    CHECK(fold_sum(0xffffffffffffffff) == 0xffff);
    CHECK(fold_sum(0) == 0);
    CHECK(fold_sum(0x1fffe) == 0xffff);
}

TEST_CASE("pieces of 1, 3 and 5 bytes sum as the whole") {
    const bytes data = pattern(9, 0x37);
    internet_sum pieces;
    pieces.add(std::span(data).first(1));
    pieces.add(std::span(data).subspan(1, 3));
    pieces.add(std::span(data).subspan(4, 5));
    CHECK(pieces.fold() == internet_sum(data).fold());
    CHECK(pieces.ends_odd());
}

TEST_CASE("sums of neighbouring areas combine, also at an odd boundary") {
    const bytes data = pattern(64, 0x11);
    for (std::size_t cut = 0; cut <= data.size(); ++cut) {
        internet_sum first{std::span(data).first(cut)};
        const internet_sum second{std::span(data).subspan(cut)};
        first.append(second);
        CHECK(first.fold() == internet_sum(data).fold());
        CHECK_FALSE(first.ends_odd());
    }
}

TEST_CASE("a sum known as a number alone combines like the bytes it stands for") {
    const bytes head = pattern(7, 3);
    const bytes tail = pattern(12, 9);
    internet_sum from_number(head);
    from_number.append(internet_sum::of_folded(sum_bytes(tail), tail.size()));
    internet_sum from_bytes(head);
    from_bytes.add(tail);
    CHECK(from_number.fold() == from_bytes.fold());
    CHECK(from_number.ends_odd() == from_bytes.ends_odd());
}

TEST_CASE("words of a pseudo header keep their halves behind an odd area") {
    internet_sum before;
    before.add_word(0x1234);
    before.add(from_hex("ab"));
    internet_sum after;
    after.add(from_hex("ab"));
    after.add_word(0x1234);
    CHECK(before.fold() == after.fold());
}

TEST_CASE("the meter counts every byte given to the sum, each time") {
    summed_bytes meter;
    internet_sum sum;
    sum.add(pattern(100), meter);
    sum.add(pattern(41), meter);
    sum.add(pattern(9));
    CHECK(meter.count == 141);
}

TEST_CASE("the IPv4 pseudo header is addresses, protocol and length") {
    const auto sum = pseudo_header_sum(test::ipv4("192.0.2.1"), test::ipv4("198.51.100.2"),
                                       wire::ip_protocol::udp, 300);
    CHECK(sum.fold() == sum_bytes(from_hex("c0000201 c6336402 00 11 012c")));
}

TEST_CASE("the IPv6 pseudo header has a length of 32 bits") {
    const auto sum = pseudo_header_sum(test::ipv6("2001:db8::1"), test::ipv6("2001:db8::2"),
                                       wire::ip_protocol::tcp, 0x12345);
    CHECK(sum.fold() ==
          sum_bytes(from_hex("20010db8000000000000000000000001 20010db8000000000000000000000002"
                             "00012345 00000006")));
}

TEST_CASE("UDP alone sends a computed zero as all ones") {
    CHECK(udp_checksum(0) == 0xffff);
    CHECK(udp_checksum(0xffff) == 0xffff);
    CHECK(udp_checksum(1) == 1);
}

TEST_CASE("a received checksum of all ones is right where the computed one is zero") {
    // Data summing to 0xffff leave 0x0000 or, as UDP sends it, 0xffff as their checksum.
    const bytes data = from_hex("ff00 00ff 0000");
    CHECK(internet_sum(data).finish() == 0);
    CHECK(internet_sum(from_hex("ff00 00ff ffff")).is_valid());
}

TEST_CASE("an update is the checksum of the changed data in RFC 1624's corner case") {
    // RFC 1141's form gives 0xffff here.
    CHECK(update_checksum(0xdd2f, 0x5555, 0x3285) == 0x0000);
}

TEST_CASE("an update of 32 bits is that of its two halves") {
    const std::uint16_t halves =
        update_checksum(update_checksum(0x1234, 0xc000, 0x0a00), 0x0201, 7);
    CHECK(update_checksum32(0x1234, 0xc0000201, 0x0a000007) == halves);
}

TEST_CASE("one delta translates addresses and port like a full recomputation") {
    const auto checksum_of = [](const wire::ipv4_address& source, std::uint16_t port) {
        const bytes frame = packet_builder()
                                .ipv4({.source = source})
                                .udp({.source_port = port, .destination_port = 53})
                                .payload(33)
                                .build();
        return wire::udp_view::check(std::span(frame).subspan(20))->checksum();
    };
    const auto inside = test::ipv4("10.0.0.7");
    const auto outside = test::ipv4("203.0.113.9");
    checksum_delta delta;
    delta.replace(inside, outside);
    delta.replace(40000, 1024);
    CHECK(delta.apply_udp(checksum_of(inside, 40000)) == checksum_of(outside, 1024));
}

TEST_CASE("a delta over IPv6 addresses is that of all their groups") {
    const auto a = test::ipv6("2001:db8::1");
    const auto b = test::ipv6("fd00:ffff:ffff::8000:2");
    checksum_delta delta;
    delta.replace(a, b);
    const auto checksum = [](const wire::ipv6_address& address) {
        return internet_sum(address.bytes).finish();
    };
    CHECK(delta.apply(checksum(a)) == checksum(b));
    CHECK(delta.fold() != 0);
}

TEST_CASE("a UDP checksum of none stays none, and a zero result becomes all ones") {
    checksum_delta delta;
    delta.replace(0x5555, 0x3285);
    CHECK(delta.apply_udp(0) == 0);
    CHECK(delta.apply_udp(0xdd2f) == 0xffff);
    CHECK(delta.apply(0xdd2f) == 0);
}
