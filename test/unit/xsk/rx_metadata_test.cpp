// SPDX-License-Identifier: Apache-2.0
// What an earlier packet left in a frame's headroom is not found again.
#include <cstring>

#include <skein/rx_metadata.hpp>

#include "rx_metadata.hpp"
#include "support/catch.hpp"
#include "support/fake_set_up.hpp"

using namespace skein;
using namespace skein::test;

namespace {

void leave_record(const frame_area& area, frame_id frame, std::uint32_t headroom = 0) {
    rx_metadata_record record{};
    record.magic = rx_metadata_record::right_magic;
    record.version = rx_metadata_record::right_version;
    record.valid = rx_metadata_record::has_hash;
    std::memcpy(area.data(frame) + 256 + headroom - sizeof record, &record, sizeof record);
}

// As if a port had just received into the frame, and its program had written nothing.
bool believed(frame_pool& pool, frame_id frame, std::uint16_t headroom = 0) {
    packet p(pool, {frame, static_cast<std::uint16_t>(256 + headroom), 60});
    p.mark_metadata();
    const bool found = rx_metadata::of(p).has_value();
    p.release_into([](segment) {});
    return found;
}

}  // namespace

TEST_CASE("an erased record is not believed, and nothing else in the frame is touched") {
    const auto memory = std::make_unique<set_up>();
    auto& pool = memory->memory->pool();
    const auto& area = pool.area();
    for (const std::uint32_t i : {0u, 1u, 63u}) {
        const auto frame = static_cast<frame_id>(i);
        std::memset(area.data(frame), 0x5a, area.chunk_bytes());
        leave_record(area, frame);
        REQUIRE(believed(pool, frame));
        const std::uint64_t address = area.address_of(frame);
        xsk::erase_metadata(area, 0, {&address, 1});
        CHECK_FALSE(believed(pool, frame));
        CHECK(area.data(frame)[223] == std::byte{0x5a});
        CHECK(area.data(frame)[256] == std::byte{0x5a});
    }
}

TEST_CASE("a record is erased where the data begins behind headroom of the umem's own") {
    const auto memory = std::make_unique<set_up>();
    auto& pool = memory->memory->pool();
    const auto frame = static_cast<frame_id>(3);
    leave_record(pool.area(), frame, 128);
    REQUIRE(believed(pool, frame, 128));
    const std::uint64_t address = pool.area().address_of(frame);
    xsk::erase_metadata(pool.area(), 0, {&address, 1});
    CHECK(believed(pool, frame, 128));
    xsk::erase_metadata(pool.area(), 128, {&address, 1});
    CHECK_FALSE(believed(pool, frame, 128));
}

TEST_CASE("frames given to FILL when a socket opens hold no record of an earlier port") {
    set_up kernel;
    auto& pool = kernel.memory->pool();
    for (std::uint32_t i = 0; i < pool.total(); ++i)
        leave_record(pool.area(), static_cast<frame_id>(i));
    const xsk::socket socket(kernel.memory, options_for("fake0"));
    std::uint32_t lent = 0;
    for (std::uint32_t i = 0; i < pool.total(); ++i) {
        const auto frame = static_cast<frame_id>(i);
        if (pool.holder(frame) != frame_holder::rx) continue;
        ++lent;
        CHECK_FALSE(believed(pool, frame));
    }
    CHECK(lent == 16);
}
