// SPDX-License-Identifier: Apache-2.0
// The four rings against a counterpart that plays the kernel in the same memory.
#include <array>
#include <cstdint>
#include <vector>

#include <skein/xsk/ring.hpp>

#include "support/catch.hpp"
#include "support/fake_ring.hpp"
#include "support/seed.hpp"

using namespace skein::xsk;
using skein::descriptor;
using skein::test::fake_sink;
using skein::test::fake_source;

namespace {

// Where rings start that wrap their 32-bit indices soon, and one that does not.
constexpr std::uint32_t starts[] = {0, 0xfffffff0, 0xffffffff, 0x7ffffffe, 5};

template <class Entry>
ring_memory<Entry> memory_of(const skein::test::fake_ring<Entry>& ring) {
    auto* base = ring.memory()->base();
    const auto& at = skein::test::fake_ring_layout;
    return {reinterpret_cast<std::uint32_t*>(base + at.producer),
            reinterpret_cast<std::uint32_t*>(base + at.consumer),
            reinterpret_cast<std::uint32_t*>(base + at.flags),
            reinterpret_cast<Entry*>(base + at.desc), ring.size()};
}

}  // namespace

TEST_CASE("what a producer submits the kernel takes, in order, over many wraps") {
    skein::test::random_numbers random(skein::test::announced_seed("ring_test"));
    for (const std::uint32_t size : {4u, 8u, 16u}) {
        for (const auto start : starts) {
            fake_source<std::uint64_t> kernel(size, start);
            fill_ring ring(memory_of(kernel));
            std::uint64_t put = 0;
            std::uint64_t taken = 0;
            while (taken < 200) {
                const auto wanted = static_cast<std::uint32_t>(random.between(1, size + 2));
                const auto slots = ring.reserve(wanted);
                REQUIRE(slots.size() <= size);
                REQUIRE(slots.size() == std::min<std::uint64_t>(wanted, size - (put - taken)));
                for (std::size_t i = 0; i < slots.size(); ++i)
                    slots[i] = put + i;
                const auto n = static_cast<std::uint32_t>(random.between(0, slots.size()));
                ring.submit(n);
                put += n;
                REQUIRE(ring.occupied() == put - taken);
                REQUIRE(kernel.waiting() == put - taken);
                for (auto k = random.between(0, kernel.waiting()); k > 0; --k)
                    REQUIRE(kernel.take() == taken++);
                kernel.publish();
                REQUIRE(ring.pending() == put - taken);
            }
        }
    }
}

TEST_CASE("what the kernel produces a consumer peeks and releases, in order, over many wraps") {
    skein::test::random_numbers random(skein::test::announced_seed("ring_test"));
    for (const std::uint32_t size : {4u, 8u, 16u}) {
        for (const auto start : starts) {
            fake_sink<std::uint64_t> kernel(size, start);
            completion_ring ring(memory_of(kernel));
            std::uint64_t put = 0;
            std::uint64_t read = 0;
            while (read < 200) {
                for (auto k = random.between(0, kernel.room()); k > 0; --k)
                    kernel.put(put++, 0);
                kernel.publish();
                const auto wanted = static_cast<std::uint32_t>(random.between(1, size + 2));
                const auto found = ring.peek(wanted);
                REQUIRE(found.size() == std::min<std::uint64_t>(wanted, put - read));
                for (std::size_t i = 0; i < found.size(); ++i)
                    REQUIRE(found[i] == read + i);
                const auto n = static_cast<std::uint32_t>(random.between(0, found.size()));
                ring.release(n);
                read += n;
                REQUIRE(ring.occupied() == put - read);
                REQUIRE(kernel.occupied() == put - read);
            }
        }
    }
}

TEST_CASE("nothing is announced before submit, and reserving again gives the same slots") {
    fake_source<descriptor> kernel(8, 0xfffffffe);
    tx_ring ring(memory_of(kernel));
    ring.reserve(3)[0] = {.address = 1, .length = 60, .options = 0};
    CHECK(kernel.waiting() == 0);
    auto slots = ring.reserve(3);
    CHECK(slots[0].address == 1);
    slots[0].address = 7;
    ring.submit(1);
    REQUIRE(kernel.waiting() == 1);
    CHECK(kernel.peek().address == 7);
}

TEST_CASE("slots around the end of a ring come as two spans") {
    fake_source<descriptor> kernel(4, 3);
    tx_ring ring(memory_of(kernel));
    const auto slots = ring.reserve(4);
    CHECK(slots.first.size() == 1);
    CHECK(slots.second.size() == 3);
    CHECK(&slots[1] == slots.second.data());
    CHECK(slots.second.data() + 3 == slots.first.data());
}

TEST_CASE("the kernel's consumer index is read again only when too little is known to be free") {
    fake_source<std::uint64_t> kernel(8, 0);
    fill_ring ring(memory_of(kernel));
    ring.reserve(8);
    ring.submit(8);
    CHECK(ring.free_slots(1) == 0);
    for (int i = 0; i < 6; ++i)
        kernel.take();
    kernel.publish();
    CHECK(ring.free_slots(2) == 6);  // too few known: looked
    kernel.take();
    kernel.publish();
    CHECK(ring.free_slots(6) == 6);  // enough known: did not look
    CHECK(ring.free_slots(7) == 7);
}

TEST_CASE("what the kernel never took can be read back") {
    fake_source<descriptor> kernel(8, 0xfffffffc);
    tx_ring ring(memory_of(kernel));
    const auto slots = ring.reserve(6);
    for (std::uint32_t i = 0; i < 6; ++i)
        slots[i] = {.address = i, .length = 60, .options = 0};
    ring.submit(6);
    kernel.take();
    kernel.take();
    kernel.publish();
    const auto left = ring.untaken();
    REQUIRE(left.size() == 4);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(left[i].address == i + 2);
}

TEST_CASE("a ring that does not exist is empty, full, and never asks to be woken") {
    rx_ring rx;
    tx_ring tx;
    CHECK(rx.peek(64).empty());
    CHECK(rx.available(1) == 0);
    CHECK(tx.reserve(64).empty());
    CHECK(tx.pending() == 0);
    CHECK(tx.untaken().empty());
    CHECK_FALSE(tx.needs_wakeup());
    CHECK(tx.occupied() == 0);
}

TEST_CASE("an index gone mad never yields more slots than the ring has") {
    fake_sink<std::uint64_t> kernel(4, 0);
    const auto where = memory_of(kernel);
    completion_ring ring(where);
    *where.producer = 0x80000000;
    CHECK(ring.peek(64).size() == 4);
    CHECK(ring.occupied() == 4);

    fake_source<std::uint64_t> other(4, 0);
    const auto there = memory_of(other);
    fill_ring producer(there);
    *there.consumer = 77;
    CHECK(producer.reserve(64).size() <= 4);
}

TEST_CASE("the need_wakeup flag is read from the ring's flags word") {
    fake_source<descriptor> kernel(4, 0);
    tx_ring ring(memory_of(kernel));
    CHECK_FALSE(ring.needs_wakeup());
    kernel.set_flags(uapi::ring_need_wakeup);
    CHECK(ring.needs_wakeup());
    kernel.set_flags(uapi::ring_need_wakeup << 1);
    CHECK_FALSE(ring.needs_wakeup());
}
