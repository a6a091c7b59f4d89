// SPDX-License-Identifier: Apache-2.0
// Descriptors to packets: over batch borders, at the chain limit, with a bad one at each place.
#include <skein/rx_assembler.hpp>

#include "support/catch.hpp"
#include "support/plain_frames.hpp"

using namespace skein;
using namespace skein::test;

namespace {

constexpr lender_id port = 3;
constexpr std::uint32_t more = descriptor_continues;

struct assembly {
    explicit assembly(std::size_t max_segments = 64, frame_pool::options how = {})
        : frames(64, 2048, how),
          assembler(frames.pool, {.port = port, .max_segments = max_segments}) {}

    // n descriptors of one packet, in frames lent to RX; descriptor i has 100 + i bytes.
    std::vector<descriptor> chain(std::size_t n) {
        std::vector<std::uint64_t> addresses(n);
        REQUIRE(frames.pool.lend_to_rx(addresses, port) == n);
        std::vector<descriptor> in;
        for (std::size_t i = 0; i < n; ++i) {
            in.push_back({.address = addresses[i] + 256,
                          .length = static_cast<std::uint32_t>(100 + i),
                          .options = i + 1 < n ? more : 0});
        }
        return in;
    }
    std::uint64_t dropped(rx_drop reason) const {
        return assembler.counters().dropped[static_cast<std::size_t>(reason)].value();
    }
    void check_empty() {
        out.clear();
        CHECK(assembler.carried_segments() == 0);
        CHECK(frames.pool.held_by(frame_holder::application) == 0);
        frames.pool.reclaim_rx(port);
        CHECK(frames.all_free());
    }

    plain_frames frames;
    rx_assembler assembler;
    burst out;
};

void append(std::vector<descriptor>& to, const std::vector<descriptor>& more_of_them) {
    to.insert(to.end(), more_of_them.begin(), more_of_them.end());
}

}  // namespace

TEST_CASE("each descriptor without a successor is a packet") {
    assembly a;
    std::vector<descriptor> in;
    for (int i = 0; i < 10; ++i)
        append(in, a.chain(1));
    CHECK(a.assembler.assemble(in, a.out) == 10);
    REQUIRE(a.out.size() == 10);
    for (std::size_t i = 0; i < 10; ++i)
        CHECK(a.frames.area().address_of(a.out[i].front()) == in[i].address);
    CHECK(a.assembler.counters().packets.value() == 10);
    CHECK(a.assembler.counters().bytes.value() == 1000);
    a.check_empty();
}

TEST_CASE("a chain is one packet, however batches cut it") {
    for (std::size_t cut = 0; cut <= 8; ++cut) {
        assembly a;
        auto in = a.chain(1);
        append(in, a.chain(6));
        append(in, a.chain(1));
        const std::span whole(in);
        CHECK(a.assembler.assemble(whole.first(cut), a.out) == cut);
        CHECK(a.assembler.assemble(whole.subspan(cut), a.out) == 8 - cut);
        REQUIRE(a.out.size() == 3);
        CHECK(a.out[1].segment_count() == 6);
        CHECK(a.out[1].size_bytes() == 615);
        CHECK(a.assembler.counters().packets.value() == 3);
        CHECK(a.assembler.counters().bytes.value() == 815);
        a.check_empty();
    }
}

TEST_CASE("one descriptor a batch works too") {
    assembly a;
    auto in = a.chain(20);
    for (const auto& d : in) {
        CHECK(a.out.empty());
        CHECK(a.assembler.assemble({&d, 1}, a.out) == 1);
    }
    REQUIRE(a.out.size() == 1);
    CHECK(a.out[0].segment_count() == 20);
    a.check_empty();
}

TEST_CASE("a full burst stops the work between packets") {
    assembly a;
    std::vector<descriptor> in;
    for (int i = 0; i < 5; ++i)
        append(in, a.chain(2));
    while (a.out.room() > 3)
        a.out.push_back(packet());
    CHECK(a.assembler.assemble(in, a.out) == 6);
    a.out.clear();
    CHECK(a.assembler.assemble(std::span(in).subspan(6), a.out) == 4);
    CHECK(a.out.size() == 2);
    a.check_empty();
}

TEST_CASE("a bad descriptor takes its packet, and no other, wherever it stands") {
    struct fault {
        const char* what;
        void (*spoil)(descriptor&);
        rx_drop reason;
    };
    const fault faults[] = {
        {"length 0", [](descriptor& d) { d.length = 0; }, rx_drop::bad_descriptor},
        {"too long", [](descriptor& d) { d.length = 1793; }, rx_drop::bad_descriptor},
        {"outside", [](descriptor& d) { d.address = 1 << 30; }, rx_drop::bad_descriptor},
        {"not lent", [](descriptor& d) { d.address = 63 * 2048 + 256; }, rx_drop::frame_not_ours}};
    for (const auto& fault : faults) {
        for (const std::size_t n : {1u, 2u, 5u}) {
            for (std::size_t at = 0; at < n; ++at) {
                INFO(fault.what << " at " << at << " of " << n);
                assembly a;
                auto in = a.chain(1);
                auto bad = a.chain(n);
                fault.spoil(bad[at]);
                append(in, bad);
                append(in, a.chain(2));
                CHECK(a.assembler.assemble(in, a.out) == in.size());
                REQUIRE(a.out.size() == 2);
                CHECK(a.out[0].segment_count() == 1);
                CHECK(a.out[1].segment_count() == 2);
                CHECK(a.dropped(fault.reason) == 1);
                CHECK(a.dropped(rx_drop::bad_descriptor) + a.dropped(rx_drop::frame_not_ours) +
                          a.dropped(rx_drop::too_many_pieces) ==
                      1);
                // Its good descriptors' frames are free; the bad one's was never believed.
                CHECK(a.frames.pool.lent_to_rx(port) == 1);
                CHECK(a.assembler.counters().packets.value() == 2);
                a.check_empty();
            }
        }
    }
}

TEST_CASE("a bad descriptor in one batch drops the rest of its packet in the next") {
    assembly a;
    auto in = a.chain(5);
    in[1].length = 0;
    append(in, a.chain(1));
    const std::span whole(in);
    CHECK(a.assembler.assemble(whole.first(3), a.out) == 3);
    CHECK(a.assembler.carried_segments() == 0);
    CHECK(a.assembler.assemble(whole.subspan(3), a.out) == 3);
    CHECK(a.out.size() == 1);
    CHECK(a.dropped(rx_drop::bad_descriptor) == 1);
    a.check_empty();
}

TEST_CASE("a chain of the limit passes, a longer one is dropped whole") {
    for (const std::size_t n : {4u, 5u, 9u}) {
        assembly a(4);
        auto in = a.chain(n);
        append(in, a.chain(1));
        CHECK(a.assembler.assemble(in, a.out) == n + 1);
        CHECK(a.out.size() == (n == 4 ? 2u : 1u));
        CHECK(a.dropped(rx_drop::too_many_pieces) == (n == 4 ? 0u : 1u));
        CHECK(a.frames.pool.held_by(frame_holder::application) == (n == 4 ? 5u : 1u));
        a.check_empty();
    }
}

TEST_CASE("a chain that finds no block is dropped whole") {
    assembly a(64, {.segment_blocks = 1});
    auto in = a.chain(12);
    append(in, a.chain(2));
    CHECK(a.assembler.assemble(in, a.out) == 14);
    CHECK(a.out.size() == 1);
    CHECK(a.dropped(rx_drop::too_many_pieces) == 1);
    a.check_empty();
}

TEST_CASE("the same frame twice is received once, alone and inside a chain") {
    assembly a;
    auto in = a.chain(1);
    in.push_back(in[0]);
    auto bad = a.chain(3);
    bad[2].address = bad[0].address;
    append(in, bad);
    CHECK(a.assembler.assemble(in, a.out) == 5);
    CHECK(a.out.size() == 1);
    CHECK(a.dropped(rx_drop::frame_not_ours) == 2);
    a.check_empty();
}

TEST_CASE("another port's frame is not received here") {
    assembly a;
    std::uint64_t address = 0;
    REQUIRE(a.frames.pool.lend_to_rx({&address, 1}, port + 1) == 1);
    const descriptor in{.address = address + 256, .length = 60, .options = 0};
    CHECK(a.assembler.assemble({&in, 1}, a.out) == 1);
    CHECK(a.out.empty());
    CHECK(a.dropped(rx_drop::frame_not_ours) == 1);
    a.frames.pool.reclaim_rx(port + 1);
    a.check_empty();
}

TEST_CASE("an abandoned half gives its frames back, and the next packet is whole") {
    assembly a;
    auto in = a.chain(5);
    a.assembler.assemble(std::span(in).first(3), a.out);
    CHECK(a.assembler.carried_segments() == 3);
    a.assembler.abandon();
    CHECK(a.assembler.carried_segments() == 0);
    CHECK(a.frames.pool.held_by(frame_holder::application) == 0);
    const auto next = a.chain(2);
    CHECK(a.assembler.assemble(next, a.out) == 2);
    REQUIRE(a.out.size() == 1);
    CHECK(a.out[0].segment_count() == 2);
    a.check_empty();
}

TEST_CASE("every reason for dropping has a name") {
    CHECK(to_string(rx_drop::bad_descriptor) == "bad_descriptor");
    CHECK(to_string(rx_drop::frame_not_ours) == "frame_not_ours");
    CHECK(to_string(rx_drop::too_many_pieces) == "too_many_pieces");
    CHECK(to_string(static_cast<rx_drop>(99)) == "unknown");
}
