// SPDX-License-Identifier: Apache-2.0
// What skein replay's own tests (test/replay) show on files, here on streams that arrive in pieces.
#include "capture_reader.hpp"

#include "replay/capture_maker.hpp"
#include "support/catch.hpp"
#include "unit/tools/memory_stream.hpp"

using namespace skein::test;
using namespace skein::tool;

namespace {

struct outcome {
    std::vector<byte_vector> packets;
    read_outcome end = read_outcome::record;
};

outcome read_all(const byte_vector& file, std::size_t piece = 13) {
    memory_input input(file, piece);
    const auto reader = open_capture(input, "test");
    outcome all;
    capture_record record;
    while ((all.end = reader->next(record)) == read_outcome::record) {
        all.packets.emplace_back(record.bytes.begin(), record.bytes.end());
    }
    return all;
}

byte_vector both_kinds(bool pcapng) {
    if (!pcapng) return make_pcap({{1, pattern(9)}, {2, {}}, {3, pattern(300'000)}});
    pcapng_maker file;
    file.interface(1).enhanced(0, 1, pattern(9)).other(77, pattern(500)).enhanced(0, 2, {});
    return file.enhanced(0, 3, pattern(300'000)).bytes();
}

}  // namespace

TEST_CASE("records are whole, however the bytes of a capture arrive") {
    const auto pcapng = GENERATE(false, true);
    for (const std::size_t piece : {1u, 5u, 4096u, 1u << 30}) {
        const auto all = read_all(both_kinds(pcapng), piece);
        CHECK(all.end == read_outcome::end);
        REQUIRE(all.packets.size() == 3);
        CHECK(all.packets[0] == pattern(9));
        CHECK(all.packets[1].empty());
        CHECK(all.packets[2] == pattern(300'000));
    }
}

TEST_CASE("after the end there is nothing more") {
    const auto file = both_kinds(GENERATE(false, true));
    const auto cut = GENERATE(0u, 5u);
    const auto shorter = std::span(file).first(file.size() - cut);
    memory_input input(shorter);
    const auto reader = open_capture(input, "test");
    capture_record record;
    const auto expected = cut == 0 ? read_outcome::end : read_outcome::truncated;
    int packets = 0;
    while (reader->next(record) == read_outcome::record)
        ++packets;
    CHECK(packets == (cut == 0 ? 3 : 2));
    CHECK(reader->next(record) == expected);
    CHECK(reader->next(record) == expected);
}

TEST_CASE("a length field that lies costs no memory") {
    // 4 GiB claimed, none there: the reader must neither ask for it nor take it for a record.
    auto pcap = make_pcap({{1, pattern(9)}});
    pcap = behind(pcap, byte_maker(byte_order::little).u64(0).u32(0xfffffff0).u32(9).bytes());
    CHECK(read_all(pcap, 4096).end == read_outcome::truncated);

    pcapng_maker file;
    const auto whole = file.interface(1).bytes();
    for (const std::uint32_t type : {1u, 2u, 3u, 6u, 99u, 0x0a0d0d0au}) {
        const auto claim =
            byte_maker(byte_order::little).u32(type).u32(0xfffffffc).u32(0x1a2b3c4d).bytes();
        CHECK(read_all(behind(whole, claim), 4096).end == read_outcome::truncated);
    }
}

TEST_CASE("options that reach beyond their block are left alone") {
    pcapng_maker file;
    const auto broken = file.body().u16(2).u16(500).u32(0).bytes();
    file.interface(1, 0, broken).enhanced(0, 7, pattern(5));
    memory_input input(file.bytes());
    const auto reader = open_capture(input, "test");
    capture_record record;
    REQUIRE(reader->next(record) == read_outcome::record);
    CHECK(record.timestamp_ns == 7000);
    CHECK(reader->interfaces()[0].name.empty());
}

TEST_CASE("an original length below the captured one is none") {
    const auto file = make_pcap({{1, pattern(9), 3}});
    memory_input input(file);
    const auto reader = open_capture(input, "test");
    capture_record record;
    REQUIRE(reader->next(record) == read_outcome::record);
    CHECK(record.original_bytes == 9);
}

TEST_CASE("thousands of interfaces that look alike are numbered in no time, section by section") {
    constexpr std::uint32_t many = 20'000;  // searching them anew for each would take minutes
    pcapng_maker file;
    for (std::uint32_t i = 0; i < many; ++i)
        file.interface(1);
    file.enhanced(many - 1, 1, pattern(20)).section(byte_order::little).interface(1);
    file.enhanced(0, 2, pattern(30));
    const auto bytes = file.bytes();
    memory_input input(bytes, 4096);
    const auto reader = open_capture(input, "test");
    capture_record record;
    REQUIRE(reader->next(record) == read_outcome::record);
    CHECK(record.interface == many - 1);
    REQUIRE(reader->next(record) == read_outcome::record);
    CHECK(record.interface == 0);
    CHECK(reader->interfaces().size() == many);
}
