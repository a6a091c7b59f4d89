// SPDX-License-Identifier: Apache-2.0
// Ports over unaligned chunks, and over frames with headroom: where packets lie, what goes back to
// FILL, what is sent and completed.
#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;

namespace {

struct layout {
    std::uint32_t chunk_bytes;
    bool unaligned;
    std::uint32_t headroom_bytes;

    xsk::umem_options memory(std::uint32_t count = 64) const {
        return {.frames = count,
                .chunk_bytes = chunk_bytes,
                .unaligned = unaligned,
                .headroom_bytes = headroom_bytes};
    }
};

// 2048 and 4096 both ways; sizes that only unaligned chunks have; an odd one.
const std::vector<layout> layouts = [] {
    std::vector<layout> all;
    for (const std::uint32_t headroom : {0u, 128u, 256u}) {
        for (const std::uint32_t chunk : {2048u, 4096u})
            all.push_back({chunk, false, headroom});
        for (const std::uint32_t chunk : {2048u, 2049u, 3000u, 3072u, 4096u})
            all.push_back({chunk, true, headroom});
    }
    return all;
}();

}  // namespace

TEST_CASE("a packet lies behind the kernel's headroom and the one asked for, in every piece") {
    for (const auto& how : layouts) {
        INFO("chunk " << how.chunk_bytes << (how.unaligned ? " unaligned" : "") << ", headroom "
                      << how.headroom_bytes);
        fake_port fake({}, on("fake0"), {.mtu_bytes = 9000}, how.memory());
        const auto jumbo = numbered(9014, how.chunk_bytes);
        REQUIRE(fake.deliver(jumbo));
        burst packets;
        REQUIRE(fake.port->receive(packets) == 1);
        CHECK(bytes_of(packets[0]) == jumbo);
        for (const auto& piece : packets[0])
            CHECK(piece.offset == 256 + how.headroom_bytes);
        fake.check();
        packets.clear();
        fake.close_and_check();
    }
}

TEST_CASE("frames of every layout go round and round through FILL, and none strays") {
    for (const auto& how : layouts) {
        INFO("chunk " << how.chunk_bytes << (how.unaligned ? " unaligned" : "") << ", headroom "
                      << how.headroom_bytes);
        fake_port fake({}, on("fake0"), {}, how.memory(24));
        burst packets;
        for (unsigned round = 0; round < 200; ++round) {
            REQUIRE(fake.deliver(numbered(1514, round)));
            REQUIRE(fake.port->receive(packets) == 1);
            REQUIRE(bytes_of(packets[0]) == numbered(1514, round));
            REQUIRE(fake.port->send(packets) == 1);
            fake.port->flush();
            REQUIRE(fake.socket().wire.back() == numbered(1514, round));
            fake.socket().wire.clear();
        }
        fake.check();
        fake.close_and_check();
    }
}

TEST_CASE("a packet moved within its unaligned frame is sent from there and its frame comes back") {
    fake_port fake({}, on("fake0"), {}, layout{3000, true, 0}.memory());
    burst packets;
    for (const std::uint16_t offset : std::initializer_list<std::uint16_t>{0, 1, 14, 42, 2940}) {
        packets.push_back(packet_of(fake.pool(), numbered(60, offset), 60, offset));
        REQUIRE(fake.port->send(packets) == 1);
        fake.port->flush();
        CHECK(fake.socket().wire.back() == numbered(60, offset));
        fake.port->recycle();
        CHECK(fake.port->under_way() == 0);
    }
    CHECK(fake.port->counters().completion_refused.value() == 0);
    fake.check();
    fake.close_and_check();
}

TEST_CASE("an unaligned descriptor whose begin was never on FILL is dropped and counted") {
    for (const std::uint64_t wrong :
         {std::uint64_t{1}, std::uint64_t{256}, std::uint64_t{1} << 48}) {
        fake_port fake({}, on("fake0"), {}, layout{3000, true, 0}.memory());
        fake.socket().corrupt = [&](descriptor& d) {
            d.address += wrong;
            d.length = 3000;
        };
        fake.deliver(numbered(60, 1));
        burst packets;
        CHECK(fake.port->receive(packets) == 0);
        CHECK(fake.port->received()
                  .dropped[static_cast<std::size_t>(rx_drop::bad_descriptor)]
                  .value() == 1);
        fake.socket().corrupt = {};
        fake.close_and_check();
    }
}

TEST_CASE("an MTU that headroom leaves no place for is refused without scatter-gather") {
    auto options = on("fake0");
    options.scatter_gather = xsk::choice::forbidden;
    fake_kernel kernel;
    kernel.add_device({.name = "fake0"});
    const auto open = [&](const layout& how) {
        xsk::port port(options, std::make_shared<xsk::umem>(how.memory()), nullptr);
    };
    CHECK_NOTHROW(open({2048, false, 256}));
    CHECK_THROWS_AS(open({2048, false, 384}), xsk::setup_error);
    CHECK_NOTHROW(open({2304, true, 384}));
}
