// SPDX-License-Identifier: Apache-2.0
// What a coroutine costs: the same UDP echo as a coroutine over an asio_port and in a plain loop,
// at batch 32, in process.
//
// Both run over the fake kernel, which has the next 32 packets there whenever the last were sent.
// Measured is everything from receive() to the end of the send: rings, packets, addresses exchanged
// in every packet, the loop. Delivering is not, and what the fake kernel spends in sendto is taken
// off: what remains is the library's work and the loop's. (A real kernel's part is the same in
// both, near a microsecond a packet in copy mode: there the two are more alike.)
//
// The two alternate in pairs; printed are the medians and the median of the pairs' ratios.
//
// Usage: echo_bench [--limit RATIO]: fails if the ratio is above the limit.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include <skein/wire/wire.hpp>
#include <skein/xsk/asio.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "support/fake_kernel.hpp"

namespace {

using namespace skein;
namespace asio = boost::asio;
using clock = std::chrono::steady_clock;

constexpr std::size_t batch = 32;
constexpr std::size_t pairs = 21;
constexpr std::size_t rounds = 4'000;

void exchange_addresses(burst& packets) {
    for (auto& packet : packets) {
        const auto bytes = packet.make_writable(42);
        const auto ethernet = wire::ethernet_mutable_view::check(bytes);
        const auto ip = wire::ipv4_mutable_view::check(bytes.subspan(14));
        const auto udp = wire::udp_mutable_view::check(bytes.subspan(34));
        if (!ethernet || !ip || !udp) continue;
        const auto mac = ethernet->source();
        ethernet->set_source(ethernet->destination());
        ethernet->set_destination(mac);
        const auto address = ip->source();
        ip->set_source(ip->destination());
        ip->set_destination(address);
        const auto port = udp->source_port();
        udp->set_source_port(udp->destination_port());
        udp->set_destination_port(port);
    }
}

test::bytes udp_packet() {
    test::bytes packet(60);
    wire::ethernet_header{}.emit(packet);
    wire::ipv4_header{.payload_bytes = 26, .source = wire::ipv4_address(1)}.emit(
        std::span(packet).subspan(14));
    wire::udp_header{.source_port = 1, .destination_port = 7, .payload_bytes = 18}.emit(
        std::span(packet).subspan(34));
    return packet;
}

// A port with packets that never run out, and a clock that runs while the echo works.
class course {
  public:
    course() {
        kernel_.give_real_descriptors();
        kernel_.add_device({.name = "bench0"});
        port_ =
            std::make_unique<xsk::port>(xsk::port_options{.interface = "bench0"},
                                        std::make_shared<xsk::umem>(xsk::umem_options{}), nullptr);
        kernel_.socket("bench0").record_wire = false;
        port_->refill();
        inside_before_ = kernel_.nanoseconds_inside();
    }

    // Each gives the nanoseconds a packet takes; once, for a course of its own.
    double plain() {
        feed();
        for (burst packets; rounds_left_ != 0;) {
            port_->wait(std::chrono::milliseconds{100});
            port_->receive(packets);
            exchange_addresses(packets);
            port_->send(packets);
            port_->flush();
            feed();
        }
        return cost();
    }
    double coroutine() {
        feed();
        asio::io_context context{1};
        xsk::asio_port port(context, std::move(port_));
        asio::co_spawn(context, echo(port), asio::detached);
        context.run();
        return cost();
    }

  private:
    asio::awaitable<void> echo(xsk::asio_port& port) {
        for (burst packets; rounds_left_ != 0;) {
            co_await port.async_receive(packets, asio::use_awaitable);
            exchange_addresses(packets);
            co_await port.async_send(packets, asio::use_awaitable);
            feed();
        }
    }
    // Between rounds, unmeasured: the next batch arrives.
    void feed() {
        const auto stopped = clock::now();
        if (rounds_left_ != rounds + 1) spent_ += stopped - started_;
        --rounds_left_;
        for (std::size_t i = 0; i < batch; ++i)
            kernel_.deliver("bench0", 0, packet_);
        started_ = clock::now();
    }
    double cost() {
        if (kernel_.socket("bench0").sent_packets != rounds * batch) return 0;
        const auto inside = kernel_.nanoseconds_inside() - inside_before_;
        const auto own = spent_.count() - static_cast<std::int64_t>(inside);
        return static_cast<double>(own) / (rounds * batch);
    }

    test::fake_kernel kernel_;
    std::unique_ptr<xsk::port> port_;
    test::bytes packet_ = udp_packet();
    std::size_t rounds_left_ = rounds + 1;
    clock::time_point started_{};
    clock::duration spent_{};
    std::uint64_t inside_before_ = 0;
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double plain() {
    return course().plain();
}
double coroutine() {
    return course().coroutine();
}

}  // namespace

int main(int argc, char** argv) {
    const bool limited = argc == 3 && std::string_view(argv[1]) == "--limit";
    const double limit = limited ? std::atof(argv[2]) : 0;

    std::vector<double> plains(pairs);
    std::vector<double> coroutines(pairs);
    std::vector<double> ratios(pairs);
    plain();
    coroutine();
    for (std::size_t i = 0; i < pairs; ++i) {
        if (i % 2 == 0) plains[i] = plain();
        coroutines[i] = coroutine();
        if (i % 2 != 0) plains[i] = plain();
        if (plains[i] == 0 || coroutines[i] == 0) {
            std::puts("echo_bench: not every packet came back");
            return 1;
        }
        ratios[i] = coroutines[i] / plains[i];
    }
    const auto ratio = median(ratios);
    std::printf(
        "echo at batch %zu, medians of %zu pairs: plain loop %.1f ns, coroutine %.1f ns a packet; "
        "ratio %.2f\n",
        batch, pairs, median(plains), median(coroutines), ratio);
    if (limited && ratio > limit) {
        std::printf("echo_bench: more than %.2f\n", limit);
        return 1;
    }
    return 0;
}
