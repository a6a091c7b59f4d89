// SPDX-License-Identifier: Apache-2.0
// The rings between two threads: the order of memory is real here, and the thread sanitizer sees
// where it is not.
#include <atomic>
#include <thread>

#include <skein/xsk/ring.hpp>

#include "support/catch.hpp"
#include "support/fake_ring.hpp"

using namespace skein::xsk;
using skein::descriptor;
using skein::test::fake_ring_layout;

namespace {

constexpr std::uint32_t entries = 16;
constexpr std::uint64_t rounds = 200'000;

// One memory seen by both of our ring types: the port's producer against the port's consumer.
template <class Producer, class Consumer>
void exchange(std::uint32_t start) {
    skein::test::fake_sink<descriptor> memory(entries, start);
    auto* base = memory.memory()->base();
    const ring_memory<descriptor> where{
        reinterpret_cast<std::uint32_t*>(base + fake_ring_layout.producer),
        reinterpret_cast<std::uint32_t*>(base + fake_ring_layout.consumer),
        reinterpret_cast<std::uint32_t*>(base + fake_ring_layout.flags),
        reinterpret_cast<descriptor*>(base + fake_ring_layout.desc), entries};

    Producer producer(where);
    Consumer consumer(where);
    std::thread writer([&] {
        for (std::uint64_t sent = 0; sent < rounds;) {
            const auto slots = producer.reserve(static_cast<std::uint32_t>(sent % 7 + 1));
            std::uint32_t n = 0;
            for (; n < slots.size() && sent < rounds; ++n, ++sent)
                slots[n] = {
                    .address = sent, .length = static_cast<std::uint32_t>(~sent), .options = 0};
            if (n != 0) producer.submit(n);
            if (n == 0) std::this_thread::yield();
        }
    });
    bool intact = true;
    for (std::uint64_t seen = 0; seen < rounds;) {
        const auto found = consumer.peek(static_cast<std::uint32_t>(seen % 5 + 1));
        for (std::size_t i = 0; i < found.size(); ++i, ++seen) {
            const auto& d = found[i];
            intact = intact && d.address == seen && d.length == static_cast<std::uint32_t>(~seen);
        }
        consumer.release(static_cast<std::uint32_t>(found.size()));
        if (found.empty()) std::this_thread::yield();
    }
    writer.join();
    CHECK(intact);
    CHECK(consumer.available(1) == 0);
    CHECK(producer.pending() == 0);
}

}  // namespace

TEST_CASE("entries cross from thread to thread whole and in order") {
    exchange<tx_ring, rx_ring>(0);
    exchange<tx_ring, rx_ring>(0xffffff00);
}
