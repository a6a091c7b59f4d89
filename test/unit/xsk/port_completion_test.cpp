// SPDX-License-Identifier: Apache-2.0
// How frames come back from TX: out of order, early, twice, never, and under addresses nobody sent.
#include "support/catch.hpp"
#include "support/fake_port.hpp"
#include "support/seed.hpp"

using namespace skein;
using namespace skein::test;

namespace {

// A port with n packets of one segment in flight.
void launch(fake_port& fake, unsigned n) {
    fake.socket().hold_completions = true;
    burst packets;
    fill_burst(fake.pool(), packets, n);
    REQUIRE(fake.port->send(packets) == n);
    fake.port->flush();
    REQUIRE(fake.socket().in_flight() == n);
}

}  // namespace

TEST_CASE("completions in any order free their own frames") {
    random_numbers random(announced_seed("port_completion_test"));
    fake_port fake;
    for (unsigned round = 0; round < 50; ++round) {
        launch(fake, 12);
        while (fake.socket().in_flight() != 0) {
            fake.socket().complete_nth(random.between(0, fake.socket().in_flight() - 1));
            CHECK(fake.port->recycle() == 1);
            fake.check();
        }
        CHECK(fake.port->under_way() == 0);
    }
    CHECK(fake.port->counters().completion_refused.value() == 0);
    fake.close_and_check();
}

TEST_CASE("a kernel that names another packet's frame first loses none") {
    fake_port fake(linux_6_12());
    launch(fake, 3);
    const auto sent = fake.pool().held_by(frame_holder::tx);
    fake.socket().complete_nth(2);  // reported under the address of the oldest
    CHECK(fake.port->recycle() == 1);
    CHECK(fake.pool().held_by(frame_holder::tx) == sent - 1);
    fake.socket().complete_nth(1);
    fake.socket().complete_nth(0);
    CHECK(fake.port->recycle() == 2);
    CHECK(fake.port->counters().completion_refused.value() == 0);
    fake.check();
    CHECK(fake.close_and_check().written_off.empty());
}

TEST_CASE("pieces of two packets that complete interleaved are told apart by their frames") {
    fake_port fake(linux_6_12(), on("fake0"));
    fake.socket().hold_completions = true;
    burst packets;
    packets.push_back(packet_of(fake.pool(), numbered(300, 1), 100));
    packets.push_back(packet_of(fake.pool(), numbered(200, 2), 100));
    fake.port->send(packets);
    fake.port->flush();
    REQUIRE(fake.socket().in_flight() == 2);
    fake.socket().complete_nth(1);  // two addresses: both of the first packet
    CHECK(fake.port->recycle() == 2);
    fake.check();
    fake.socket().complete_nth(0);
    CHECK(fake.port->recycle() == 3);
    CHECK(fake.port->under_way() == 0);
    CHECK(fake.close_and_check().written_off.empty());
}

TEST_CASE("an address completed twice frees its frame once and is counted") {
    fake_port fake;
    launch(fake, 2);
    frame_id first{};
    for (std::uint32_t i = 0; i < fake.pool().total(); ++i) {
        if (fake.pool().holder(frame_id{i}) == frame_holder::tx) first = frame_id{i};
    }
    const auto address = fake.memory->area().address_of(first) + 256;
    fake.socket().complete_all();
    fake.socket().post_completion(address);
    fake.socket().post_completion(address);
    const auto free_before = fake.pool().free_frames();
    CHECK(fake.port->recycle() == 2);
    CHECK(fake.port->counters().completion_refused.value() == 2);
    CHECK(fake.pool().free_frames() == free_before + 2);
    fake.check();
    fake.close_and_check();
}

TEST_CASE("a completed address that was never under way is refused, wherever it points") {
    fake_port fake;
    launch(fake, 1);
    const auto end = fake.memory->area().size_bytes();
    std::uint64_t in_fill = 0;
    std::uint64_t unused = 0;
    for (std::uint32_t i = 0; i < fake.pool().total(); ++i) {
        const auto address = fake.memory->area().address_of(frame_id{i});
        if (fake.pool().holder(frame_id{i}) == frame_holder::rx) in_fill = address;
        if (fake.pool().holder(frame_id{i}) == frame_holder::free) unused = address;
    }
    for (const auto lie : {end, end + 5, ~std::uint64_t{0}, in_fill, unused})
        fake.socket().post_completion(lie);
    CHECK(fake.port->recycle() == 0);
    CHECK(fake.port->counters().completion_refused.value() == 5);
    CHECK(fake.port->under_way() == 1);
    fake.check();
    fake.socket().complete_all();
    CHECK(fake.port->recycle() == 1);
    fake.close_and_check();
}

TEST_CASE("an address completed anywhere in its chunk finds its frame, also with bit 0 lost") {
    fake_port fake;
    fake.socket().hold_completions = true;
    burst packets;
    packets.push_back(packet_of(fake.pool(), numbered(60, 1), 1024, 257));
    packets.push_back(packet_of(fake.pool(), numbered(60, 2), 1024, 1987));
    fake.port->send(packets);
    fake.port->flush();
    fake.socket().complete_all();
    CHECK(fake.port->recycle() == 2);
    CHECK(fake.port->counters().completion_refused.value() == 0);
    fake.check();
    fake.close_and_check();
}

TEST_CASE("garbage in the COMPLETION ring is no progress: a flush does not spin on it") {
    fake_port fake;
    burst packets;
    fill_burst(fake.pool(), packets, 3);
    fake.port->send(packets);
    fake.kernel.fail(call::wake_tx, EAGAIN, 100);
    fake.socket().post_completion(0);
    fake.port->flush();
    CHECK(fake.kernel.calls(call::wake_tx) == 2);
    CHECK(fake.port->counters().completion_refused.value() == 1);
    fake.close_and_check();
}

TEST_CASE("one port's completions cannot free another port's frames") {
    fake_kernel kernel;
    kernel.add_device({.name = "left"});
    kernel.add_device({.name = "right"});
    auto memory = make_memory();
    {
        xsk::port left(on("left"), memory, nullptr);
        xsk::port right(on("right"), memory, nullptr);
        kernel.socket("left").hold_completions = true;
        kernel.socket("right").hold_completions = true;
        burst packets;
        fill_burst(memory->pool(), packets, 1);
        const auto of_left = memory->area().address_of(packets[0].front());
        left.send(packets);
        left.flush();
        fill_burst(memory->pool(), packets, 1);
        right.send(packets);
        right.flush();

        kernel.socket("right").post_completion(of_left);
        CHECK(right.recycle() == 0);
        CHECK(right.counters().completion_refused.value() == 1);
        CHECK(left.under_way() == 1);
        CHECK(right.under_way() == 1);
        ledger_check(kernel, *memory);
        kernel.socket("left").complete_all();
        kernel.socket("right").complete_all();
        CHECK(left.recycle() == 1);
        CHECK(right.recycle() == 1);
        ledger_check(kernel, *memory);
    }
    CHECK(memory->pool().free_frames() == memory->pool().total());
    memory.reset();
}

TEST_CASE("a packet sent through two ports at once is free when both are done with it") {
    fake_kernel kernel;
    kernel.add_device({.name = "left"});
    kernel.add_device({.name = "right"});
    auto memory = make_memory();
    {
        xsk::port left(on("left"), memory, nullptr);
        xsk::port right(on("right"), memory, nullptr);
        kernel.socket("left").hold_completions = true;
        kernel.socket("right").hold_completions = true;
        burst packets;
        burst twins;
        fill_burst(memory->pool(), packets, 1);
        twins.push_back(packets[0].share());
        const auto frame = packets[0].front().frame;
        left.send(packets);
        right.send(twins);
        left.flush();
        right.flush();
        kernel.socket("left").complete_all();
        CHECK(left.recycle() == 1);
        CHECK(memory->pool().holder(frame) == frame_holder::tx);
        ledger_check(kernel, *memory);

        // Closing the one that is done leaves the other's frame alone.
        CHECK(left.close().written_off.empty());
        kernel.socket("right").complete_all();
        CHECK(right.recycle() == 1);
        CHECK(memory->pool().holder(frame) == frame_holder::free);
    }
    memory.reset();
}

TEST_CASE("an address completed while nothing is under way is not kept to be believed later") {
    fake_port fake;
    burst packets;
    fill_burst(fake.pool(), packets, 1);
    const auto address = fake.memory->area().address_of(packets[0].front());
    fake.socket().post_completion(address);
    CHECK(fake.port->recycle() == 0);
    CHECK(fake.port->counters().completion_refused.value() == 1);
    fake.socket().hold_completions = true;
    fake.port->send(packets);
    fake.port->flush();
    CHECK(fake.port->recycle() == 0);
    CHECK(fake.port->under_way() == 1);
    fake.check();
    fake.socket().complete_all();
    fake.close_and_check();
}

TEST_CASE("a new port does not take completions for frames the one before it wrote off") {
    fake_port fake;
    launch(fake, 1);
    const auto report = fake.port->close(std::chrono::milliseconds{5});
    REQUIRE(report.written_off.size() == 1);
    const auto lost = fake.memory->area().address_of(report.written_off[0]) + 256;
    fake.port = std::make_unique<xsk::port>(on("fake0"), fake.memory, nullptr);
    launch(fake, 1);
    fake.socket().post_completion(lost);
    CHECK(fake.port->recycle() == 0);
    CHECK(fake.port->under_way() == 1);
    fake.check();
    fake.socket().complete_all();
    CHECK(fake.port->recycle() == 1);
    fake.port->close();
    fake.check();
}
