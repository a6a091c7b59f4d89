// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <skein/rx_assembler.hpp>
#include <skein/rx_metadata.hpp>

#include "support/catch.hpp"
#include "support/plain_frames.hpp"

using namespace skein;
using namespace skein::test;

namespace {

rx_metadata_record good_record() {
    rx_metadata_record record{};
    record.timestamp_ns = 77;
    record.hash = 0xdecade;
    record.hash_type = rx_hash::over_ports;
    record.vlan_protocol = 0x88a8;
    record.vlan_tci = 0x6064;
    record.gso_size = 1448;
    record.gso_segments = 43;
    record.gso_type = 1;
    record.version = rx_metadata_record::right_version;
    record.valid = 0x0f;
    record.magic = rx_metadata_record::right_magic;
    return record;
}

class received {
  public:
    packet with(const rx_metadata_record& record, std::uint16_t offset = 256) {
        frame_id frame{};
        REQUIRE(frames.pool.take({&frame, 1}) == 1);
        auto* data = frames.pool.area().data(frame) + offset;
        if (offset >= sizeof record) std::memcpy(data - sizeof record, &record, sizeof record);
        packet p(frames.pool, {frame, offset, 100});
        p.mark_metadata();
        return p;
    }
    plain_frames frames{16};
};

}  // namespace

TEST_CASE("what the program wrote below a packet is read") {
    received maker;
    const auto p = maker.with(good_record());
    const auto found = rx_metadata::of(p);
    REQUIRE(found);
    CHECK(found->timestamp_ns() == 77u);
    CHECK(found->hash()->value == 0xdecade);
    CHECK(found->hash()->type == rx_hash::over_ports);
    CHECK(found->vlan_tag()->protocol == 0x88a8);
    CHECK(found->vlan_tag()->tci == 0x6064);
    CHECK(found->segments()->size_bytes == 1448);
    CHECK(found->segments()->count == 43);
    CHECK(found->segments()->gso_type == 1);
}

TEST_CASE("a field that is not valid is not there, whatever its bytes say") {
    received maker;
    auto record = good_record();
    record.valid = 0;
    const auto p = maker.with(record);
    const auto found = rx_metadata::of(p);
    REQUIRE(found);
    CHECK_FALSE(found->timestamp_ns());
    CHECK_FALSE(found->hash());
    CHECK_FALSE(found->vlan_tag());
    CHECK_FALSE(found->segments());
}

TEST_CASE("a wrong magic number, another version, or no room in front: no metadata") {
    received maker;
    auto record = good_record();
    record.magic ^= 1;
    CHECK_FALSE(rx_metadata::of(maker.with(record)));
    record = good_record();
    record.version = 2;
    CHECK_FALSE(rx_metadata::of(maker.with(record)));
    CHECK_FALSE(rx_metadata::of(maker.with(good_record(), 31)));
    CHECK(rx_metadata::of(maker.with(good_record(), 32)));
    CHECK_FALSE(rx_metadata::of(packet()));
}

TEST_CASE("bytes that look like metadata are not believed in a packet made by hand") {
    received maker;
    auto p = maker.with(good_record());
    const auto frame = p.front();
    p.clear();
    frame_id again{};
    REQUIRE(maker.frames.pool.take({&again, 1}) == 1);
    REQUIRE(again == frame.frame);  // with the old record still there
    const packet made(maker.frames.pool, frame);
    CHECK_FALSE(rx_metadata::of(made));
}

TEST_CASE("a packet that begins elsewhere has no metadata: its own bytes are not taken for some") {
    received maker;
    auto p = maker.with(good_record());
    const auto record = good_record();
    const auto bytes = p.make_writable(64);
    REQUIRE(rx_metadata::of(p));  // written in place: still there
    std::memcpy(bytes.data(), &record, sizeof record);
    p.drop_front(sizeof record);
    CHECK_FALSE(rx_metadata::of(p));

    auto q = maker.with(good_record());
    frame_id frame{};
    REQUIRE(maker.frames.pool.take({&frame, 1}) == 1);
    REQUIRE(q.prepend({frame, 256, 14}));
    CHECK_FALSE(rx_metadata::of(q));
}

TEST_CASE("a shared packet has its metadata twice, a moved one takes it along") {
    received maker;
    auto p = maker.with(good_record());
    const auto twin = p.share();
    const packet moved = std::move(p);
    CHECK(rx_metadata::of(twin));
    CHECK(rx_metadata::of(moved));
    CHECK_FALSE(rx_metadata::of(p));
}

TEST_CASE("the assembler marks the packets of a port with metadata, of one piece or several") {
    for (const bool on : {true, false}) {
        plain_frames frames(16);
        std::array<std::uint64_t, 3> lent{};
        REQUIRE(frames.pool.lend_to_rx(lent, 0) == 3);
        rx_assembler assembler(frames.pool, {.metadata = on});
        const std::array<descriptor, 3> ring{{{lent[0] + 256, 60, 0},
                                              {lent[1] + 256, 60, descriptor_continues},
                                              {lent[2] + 256, 60, 0}}};
        burst packets;
        REQUIRE(assembler.assemble(ring, packets) == 3);
        REQUIRE(packets.size() == 2);
        CHECK(packets[0].has_metadata() == on);
        CHECK(packets[1].has_metadata() == on);
    }
}
