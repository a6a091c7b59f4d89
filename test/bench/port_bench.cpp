// SPDX-License-Identifier: Apache-2.0
// What a packet costs in a port: descriptor → packet → descriptor, at batch 64, in process.
//
// The port runs over the fake kernel. Each round the fake kernel delivers 64 packets, unmeasured;
// then the clock runs over
//
//     receive()   COMPLETION read, frames back to the pool, FILL refilled, RX read, packets made
//     send()      packets turned into TX descriptors, announced
//     flush()     the decision to call, and the call
//
// and what the fake kernel spent inside that call is taken off again. Two readings of the clock a
// round stay in, about half a nanosecond a packet. So all of skein's own work on a forwarded packet
// is in the number, and nothing of the kernel's. Packet bytes are not touched: that is the
// application's.
//
// Usage: port_bench [--limit NANOSECONDS]: fails if the median is above the limit.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include <skein/xsk/port.hpp>

#include "support/fake_kernel.hpp"

namespace {

using namespace skein;
using clock = std::chrono::steady_clock;

constexpr std::size_t batch = burst::capacity;
constexpr std::size_t warm_up_rounds = 2'000;
constexpr std::size_t rounds = 20'000;

class forwarder {
  public:
    forwarder() {
        kernel_.add_device({.name = "bench0"});
        memory_ = std::make_shared<xsk::umem>(xsk::umem_options{});
        port_ =
            std::make_unique<xsk::port>(xsk::port_options{.interface = "bench0"}, memory_, nullptr);
        auto& socket = kernel_.socket("bench0");
        socket.record_wire = false;
        socket.carry = {};
    }

    // One batch through the port; nanoseconds a packet.
    double round() {
        for (std::size_t i = 0; i < batch; ++i)
            kernel_.deliver("bench0", 0, packet_);
        const auto inside_before = kernel_.nanoseconds_inside();
        const auto start = clock::now();
        port_->receive(packets_);
        port_->send(packets_);
        port_->flush();
        const auto whole = clock::now() - start;
        const auto inside = kernel_.nanoseconds_inside() - inside_before;
        return static_cast<double>(whole.count() - static_cast<std::int64_t>(inside)) / batch;
    }

    std::uint64_t sent() const { return port_->counters().tx_packets.value(); }

  private:
    test::fake_kernel kernel_;
    std::shared_ptr<xsk::umem> memory_;
    std::unique_ptr<xsk::port> port_;
    burst packets_;
    test::bytes packet_ = test::bytes(60, std::byte{0x5a});
};

double at_rank(const std::vector<double>& sorted, double rank) {
    return sorted[static_cast<std::size_t>(rank * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
    const bool limited = argc == 3 && std::string_view(argv[1]) == "--limit";
    const double limit = limited ? std::atof(argv[2]) : 0;

    forwarder bench;
    for (std::size_t i = 0; i < warm_up_rounds; ++i)
        bench.round();
    std::vector<double> costs(rounds);
    for (auto& cost : costs)
        cost = bench.round();
    if (bench.sent() != (warm_up_rounds + rounds) * batch) {
        std::puts("port_bench: not every packet was forwarded");
        return 1;
    }
    std::sort(costs.begin(), costs.end());
    std::printf(
        "descriptor -> packet -> descriptor, batch %zu: median %.1f ns a packet "
        "(10 %%: %.1f, 90 %%: %.1f)\n",
        batch, at_rank(costs, 0.5), at_rank(costs, 0.1), at_rank(costs, 0.9));
    if (limited && at_rank(costs, 0.5) > limit) {
        std::printf("port_bench: more than %.0f ns\n", limit);
        return 1;
    }
    return 0;
}
