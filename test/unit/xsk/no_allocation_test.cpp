// SPDX-License-Identifier: Apache-2.0
// The steady state of a port: a million packets, no allocation, and no system call beyond what the
// flush policy says.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include <skein/parse.hpp>

#include "support/allocation_count.hpp"
#include "support/catch.hpp"
#include "support/fake_port.hpp"
#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::test;

namespace {

constexpr std::uint64_t packets_wanted = 1'000'000;
constexpr std::size_t batch = burst::capacity;

xsk::port_options roomy() {
    auto options = on("fake0");
    options.rings = {.fill = 1024, .rx = 1024, .tx = 1024, .completion = 1024};
    return options;
}

bytes udp_packet(std::size_t payload) {
    return packet_builder().ethernet().ipv4({}).udp({}).payload(payload).build();
}

// A port that receives, looks, changes and sends.
class forwarder {
  public:
    forwarder(kernel_profile profile, xsk::port_options options)
        : fake_(profile, std::move(options), {.mtu_bytes = 9000}, frames(4096)) {
        fake_.socket().record_wire = false;
        fake_.socket().carry = {};
    }

    fake_kernel& kernel() { return fake_.kernel; }
    xsk::port& port() { return *fake_.port; }
    std::uint64_t allocations() const { return allocations_; }
    std::uint64_t parsed() const { return parsed_; }

    void arrive(const bytes& packet, std::size_t n = batch) {
        for (std::size_t i = 0; i < n; ++i)
            REQUIRE(fake_.deliver(packet));
    }
    template <class Work>
    void counted(Work&& work) {
        allocation_count::start();
        work();
        allocations_ += allocation_count::stop();
    }
    void look() {
        for (const auto& p : packets_)
            parsed_ += parse_packet(p, link_layer::ethernet).is_ok() ? 1 : 0;
    }
    void change() {
        std::uint64_t copied = 0;
        for (auto& p : packets_)
            p.make_writable(14, &copied)[0] = std::byte{2};
    }
    burst& packets() { return packets_; }
    void finish() {
        fake_.close_and_check();
        CHECK(fake_.pool().free_frames() == fake_.pool().total());
    }

  private:
    fake_port fake_;
    burst packets_;
    std::uint64_t allocations_ = 0;
    std::uint64_t parsed_ = 0;
};

}  // namespace

TEST_CASE("the guard sees what is allocated") {
    allocation_count::start();
    ::operator delete(::operator new(100));
    CHECK(allocation_count::stop() == 1);
    if (!allocation_count::counts_malloc()) return;
    void* volatile kept = nullptr;
    allocation_count::start();
    kept = std::malloc(10);
    std::free(kept);
    kept = std::calloc(1, 10);
    std::free(kept);
    kept = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const auto seen = allocation_count::stop();
    ::munmap(kept, 4096);
    CHECK(seen == 3);
}

TEST_CASE("a million packets received, parsed, changed, sent and recycled allocate nothing") {
    forwarder f({}, roomy());
    const auto packet = udp_packet(18);
    const auto calls_before = f.kernel().calls();
    std::uint64_t rounds = 0;
    for (std::uint64_t done = 0; done < packets_wanted; done += batch, ++rounds) {
        f.arrive(packet);
        f.counted([&] {
            f.port().receive(f.packets());
            f.look();
            f.change();
            f.port().send(f.packets());
            f.port().flush();
        });
    }
    CHECK(f.allocations() == 0);
    CHECK(f.parsed() == rounds * batch);
    CHECK(f.port().counters().tx_packets.value() == rounds * batch);
    // One call a flush, and no other call at all.
    CHECK(f.kernel().calls() - calls_before == rounds);
    CHECK(f.port().counters().tx_calls.value() == rounds);
    f.finish();
}

TEST_CASE("long packets, twins and copied headers allocate nothing either") {
    forwarder f({}, roomy());
    const auto packet = udp_packet(8000);  // five segments: beyond the inline ones
    for (int round = 0; round < 2000; ++round) {
        f.arrive(packet, 8);
        f.counted([&] {
            f.port().receive(f.packets());
            burst twins;
            for (const auto& p : f.packets())
                twins.push_back(p.share());
            f.look();
            f.change();
            f.port().send(f.packets());
            f.port().send(twins);
            f.port().flush();
        });
        REQUIRE(f.packets().empty());
    }
    CHECK(f.allocations() == 0);
    CHECK(f.parsed() == 16000);
    f.finish();
}

TEST_CASE("without a flush of the caller's, calls are made at the threshold alone") {
    auto options = roomy();
    options.flush.flush_at_descriptors = 512;
    forwarder f({}, options);
    const auto packet = udp_packet(18);
    const auto calls_before = f.kernel().calls();
    for (int round = 0; round < 800; ++round) {
        f.arrive(packet);
        f.counted([&] {
            f.port().receive(f.packets());
            f.port().send(f.packets());
        });
    }
    CHECK(f.allocations() == 0);
    CHECK(f.kernel().calls() - calls_before == 800 * batch / 512);
    f.finish();
}

TEST_CASE("with the kernel's budget of 32 a batch of 64 takes two calls") {
    forwarder f(linux_6_12(), roomy());
    const auto packet = udp_packet(18);
    const auto calls_before = f.kernel().calls();
    for (int round = 0; round < 500; ++round) {
        f.arrive(packet);
        f.counted([&] {
            f.port().receive(f.packets());
            f.port().send(f.packets());
            f.port().flush();
        });
    }
    CHECK(f.allocations() == 0);
    CHECK(f.kernel().calls() - calls_before == 1000);
    f.finish();
}

TEST_CASE("idle rounds make no system call") {
    forwarder f({}, roomy());
    const auto calls_before = f.kernel().calls();
    f.counted([&] {
        for (int round = 0; round < 10000; ++round) {
            f.port().receive(f.packets());
            f.port().send(f.packets());
            f.port().flush();
            f.port().recycle();
        }
    });
    CHECK(f.allocations() == 0);
    CHECK(f.kernel().calls() == calls_before);
    f.finish();
}
