// SPDX-License-Identifier: Apache-2.0
#include "capture_writer.hpp"

#include "frame_memory.hpp"
#include "replay/capture_look.hpp"
#include "support/catch.hpp"
#include "unit/tools/memory_stream.hpp"

using namespace skein::test;
using namespace skein::tool;

namespace {

struct written {
    frame_memory memory{512, 2048};
    memory_output output;

    skein::packet packet_of(const byte_vector& bytes, std::uint64_t time_ns,
                            std::uint32_t original = 0) {
        auto laid =
            memory.lay({.timestamp_ns = time_ns, .original_bytes = original, .bytes = bytes});
        if (!laid) throw std::runtime_error("no frames");
        return std::move(*laid);
    }
    looked_capture look() { return capture_look(output.bytes).found(); }
};

}  // namespace

TEST_CASE("a pcap file is header and records, byte for byte") {
    written to;
    capture_writer out(to.output, {.format = capture_format::pcap, .nanoseconds = false});
    const auto eth = out.add_interface({.link = link_type::linux_sll2});
    CHECK_FALSE(out.write(eth, to.packet_of(bytes_of("abc"), 5'000'006'999, 9)));
    byte_maker expected(byte_order::little);
    expected.u32(0xa1b2c3d4).u16(2).u16(4).u64(0).u32(262144).u32(276);
    expected.u32(5).u32(6).u32(3).u32(9).raw(bytes_of("abc"));
    CHECK(to.output.bytes == expected.bytes());
}

TEST_CASE("pcapng holds packets of many segments and interfaces that come late") {
    written to;
    capture_writer out(to.output, {.format = capture_format::pcapng});
    const auto first = out.add_interface({.link = link_type::ethernet, .name = "veth0"});
    out.write(first, to.packet_of(pattern(5001), 1));
    const auto second = out.add_interface({.link = link_type::raw, .name = std::string(500, 'n')});
    out.write(second, to.packet_of(pattern(2), 1'700'000'000'123'456'789));
    out.write(first, to.packet_of({}, 3));
    const auto seen = to.look();
    REQUIRE(seen.packets.size() == 3);
    CHECK(seen.packets[0].bytes == pattern(5001));
    CHECK(seen.packets[1].link == 101);
    CHECK(seen.packets[1].time_ns == 1'700'000'000'123'456'789);
    CHECK(seen.packets[2].bytes.empty());
    CHECK(seen.names[0] == "veth0");
    CHECK(seen.names[1] == std::string(128, 'n'));
}

TEST_CASE("a time may be given that is not the packet's own") {
    written to;
    capture_writer out(to.output, {.format = capture_format::pcapng});
    const auto eth = out.add_interface({});
    out.write(eth, to.packet_of(pattern(60), 1), 77);
    CHECK(to.look().packets[0].time_ns == 77);
}

TEST_CASE("a long packet is cut with its true length beside it") {
    const auto format = GENERATE(capture_format::pcap, capture_format::pcapng);
    written to;
    capture_writer out(to.output, {.format = format});
    const auto eth = out.add_interface({});
    CHECK_FALSE(out.write(eth, to.packet_of(pattern(262144), 1)));
    CHECK(out.write(eth, to.packet_of(pattern(262147), 2)));
    const auto seen = to.look();
    CHECK(seen.packets[0].bytes.size() == 262144);
    CHECK(seen.packets[1].bytes == pattern(262144));
    CHECK(seen.packets[1].original == 262147);
}

TEST_CASE("pcap has room for one link type and one resolution") {
    written to;
    capture_writer out(to.output, {.format = capture_format::pcap, .nanoseconds = false});
    out.add_interface({.link = link_type::ethernet});
    CHECK(out.add_interface({.link = link_type::ethernet, .name = "other"}) == 1);
    CHECK_THROWS_AS(out.add_interface({.link = link_type::raw}), capture_failure);
    CHECK_THROWS_AS(out.add_interface({.nanoseconds = true}), capture_failure);
}

TEST_CASE("a file without packets has its header once it is finished") {
    written to;
    capture_writer out(to.output, {.format = capture_format::pcap});
    CHECK(to.output.bytes.empty());
    out.finish();
    CHECK(to.look().links == std::vector<std::uint32_t>{1});
    CHECK(to.output.flushes == 1);
    out.flush();
    CHECK(to.output.flushes == 2);
}

TEST_CASE("a time beyond 2106 is clamped in pcap, not wrapped") {
    written to;
    capture_writer out(to.output, {.format = capture_format::pcap});
    const auto eth = out.add_interface({});
    out.write(eth, to.packet_of(pattern(1), 5'000'000'000'000'000'000));
    CHECK(to.look().packets[0].time_ns / 1'000'000'000 == 0xffffffff);
}
