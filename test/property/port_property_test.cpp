// SPDX-License-Identifier: Apache-2.0
// Two ports over one memory and a kernel with moods: traffic, faults and closings in random order.
// The ledger balances after each step, nothing is sent but what was handed over, in order.
#include <deque>

#include "support/catch.hpp"
#include "support/fake_port.hpp"
#include "support/seed.hpp"

using namespace skein;
using namespace skein::test;

namespace {

kernel_profile any_profile(random_numbers& random) {
    const kernel_profile profiles[] = {linux_6_1(), linux_6_12(), linux_6_18()};
    auto profile = profiles[random.between(0, 2)];
    profile.first_index = random.one_in(2) ? 0xffffffe0u : 0u;
    return profile;
}

xsk::umem_options any_memory(random_numbers& random) {
    auto options = frames(static_cast<std::uint32_t>(random.between(20, 80)));
    options.unaligned = random.one_in(2);
    if (options.unaligned) {
        options.chunk_bytes = static_cast<std::uint32_t>(random.between(2048, 4096));
    }
    options.headroom_bytes = static_cast<std::uint32_t>(random.between(0, 2) * 128);
    return options;
}

class playground {
  public:
    explicit playground(std::uint64_t seed) : random_(seed), kernel_(any_profile(random_)) {
        for (const char* name : {"left", "right"})
            kernel_.add_device({.name = name, .mtu_bytes = 1500});
        memory_ = std::make_shared<xsk::umem>(any_memory(random_));
        for (const char* name : {"left", "right"})
            ends_.push_back({name, nullptr, {}, {}});
    }

    void step() {
        auto& end = ends_[random_.between(0, 1)];
        if (end.port == nullptr) return open(end);
        switch (random_.between(0, 11)) {
            case 0:
            case 1:
            case 2:
                return arrive(end);
            case 3:
            case 4:
                return forward(end);
            case 5:
                return end.port->flush();
            case 6:
                kernel_.socket(end.name).hold_completions = random_.one_in(2);
                return;
            case 7:
            case 8:
                return complete_one(end);
            case 9:
                kernel_.device(end.name).up = !random_.one_in(4);
                return;
            case 10:
                return lie(end);
            default:
                if (random_.one_in(12)) close(end);
        }
    }

    void check() {
        ledger_check(kernel_, *memory_);
        for (auto& end : ends_)
            if (end.port != nullptr) check_wire(end);
    }

    void finish() {
        for (auto& end : ends_) {
            kernel_.device(end.name).up = true;
            if (end.port != nullptr) close(end);
        }
        REQUIRE(memory_->pool().free_frames() + written_off_ == memory_->pool().total());
        REQUIRE(memory_->ledger().written_off == written_off_);
        memory_.reset();
    }

  private:
    struct endpoint {
        const char* name;
        std::unique_ptr<xsk::port> port;
        std::deque<bytes> arrived;  // and not yet received
        std::deque<bytes> handed;   // to send(), and not yet seen on the wire
    };

    void open(endpoint& end) {
        kernel_.device(end.name).up = true;
        auto options = on(end.name);
        const std::uint32_t sizes[] = {4, 8, 16};
        for (auto* ring :
             {&options.rings.fill, &options.rings.rx, &options.rings.tx, &options.rings.completion})
            *ring = sizes[random_.between(0, 2)];
        options.flush.flush_at_descriptors = static_cast<std::uint32_t>(random_.between(0, 6));
        options.reserve_frames = static_cast<std::uint32_t>(random_.between(0, 6));
        end.port = std::make_unique<xsk::port>(options, memory_, nullptr);
        end.arrived.clear();
        end.handed.clear();
    }

    void arrive(endpoint& end) {
        const auto large = random_.one_in(5) && end.port->bound().scatter_gather;
        const auto packet = numbered(random_.between(14, large ? 5000 : 1514), ++number_);
        if (kernel_.deliver(end.name, 0, packet)) end.arrived.push_back(packet);
    }

    // Receives at one end and sends at the other, if there is one.
    void forward(endpoint& end) {
        burst packets;
        const auto received = end.port->receive(packets, random_.between(1, 8));
        REQUIRE(received == packets.size());
        for (const auto& p : packets) {
            REQUIRE_FALSE(end.arrived.empty());
            REQUIRE(bytes_of(p) == end.arrived.front());
            end.arrived.pop_front();
        }
        auto& other = &end == &ends_[0] ? ends_[1] : ends_[0];
        if (other.port == nullptr) return;
        std::vector<bytes> wanted;
        for (const auto& p : packets) {
            // MTU 1500: the device drops what is longer, after completing it.
            if (!other.port->refuses(p)) wanted.push_back(bytes_of(p));
        }
        const auto sent = other.port->send(packets);
        REQUIRE(sent <= wanted.size());
        for (std::size_t i = 0; i < sent; ++i)
            if (wanted[i].size() <= 1518) other.handed.push_back(wanted[i]);
    }

    void complete_one(endpoint& end) {
        auto& socket = kernel_.socket(end.name);
        if (socket.in_flight() == 0) return;
        socket.complete_nth(random_.between(0, socket.in_flight() - 1));
    }

    // An address nobody sent from here: outside the memory, or a frame not in TX.
    void lie(endpoint& end) {
        auto& socket = kernel_.socket(end.name);
        if (socket.completion_room() == 0) return;
        const frame_id frame{
            static_cast<std::uint32_t>(random_.between(0, memory_->pool().total() - 1))};
        const bool in_tx = memory_->pool().holder(frame) == frame_holder::tx;
        const auto address = in_tx || random_.one_in(3)
                                 ? memory_->area().size_bytes() + random_.bits() % 4096
                                 : memory_->area().address_of(frame) + 256;
        const auto refused = end.port->counters().completion_refused.value();
        socket.post_completion(address);
        end.port->recycle();
        REQUIRE(end.port->counters().completion_refused.value() > refused);
    }

    void check_wire(endpoint& end) {
        auto& wire = kernel_.socket(end.name).wire;
        for (const auto& packet : wire) {
            REQUIRE_FALSE(end.handed.empty());
            REQUIRE(packet == end.handed.front());
            end.handed.pop_front();
        }
        wire.clear();
    }

    void close(endpoint& end) {
        check_wire(end);
        const auto report = end.port->close(std::chrono::milliseconds{3});
        written_off_ += report.written_off.size();
        end.port.reset();
    }

    random_numbers random_;
    fake_kernel kernel_;
    std::shared_ptr<xsk::umem> memory_;
    std::vector<endpoint> ends_;
    std::size_t written_off_ = 0;
    unsigned number_ = 0;
};

}  // namespace

TEST_CASE("whatever the kernel does, no frame is lost, and packets keep their bytes and order") {
    const auto seed = announced_seed("port_property_test");
    for (std::uint64_t i = 0; i < 60; ++i) {
        INFO("SKEIN_SEED=" << seed + i);
        playground ground(seed + i);
        for (int step = 0; step < 800; ++step) {
            ground.step();
            if (step % 3 == 0) ground.check();
        }
        ground.finish();
    }
}
