// SPDX-License-Identifier: Apache-2.0
// What a coroutine costs: the same UDP echo as a coroutine over an asio_port and in a plain loop,
// at batch 32.
//
// Measured is everything from receive() to the end of the send: rings, packets, addresses exchanged
// in every packet, the loop; the next 32 packets are there whenever the last were sent, and putting
// them there is not measured. Where they come from is the two programs' own affair:
//
//     echo_bench       the fake kernel; what that spends in sendto is taken off: the library's work
//                      and the loop's alone
//     echo_live_bench  a veth pair: with the kernel's part, which is what an echo costs
//
// The two alternate in pairs; printed are the medians and the quartiles of the pairs' ratios.
#pragma once

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

namespace skein::test {

namespace asio = boost::asio;

constexpr std::size_t batch = 32;
constexpr std::size_t pairs = 21;
constexpr std::size_t rounds = 4'000;

inline void exchange_addresses(burst& packets) {
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

inline std::vector<std::byte> udp_packet() {
    std::vector<std::byte> packet(60);
    wire::ethernet_header{}.emit(packet);
    wire::ipv4_header{.payload_bytes = 26, .source = wire::ipv4_address(1)}.emit(
        std::span(packet).subspan(14));
    wire::udp_header{.source_port = 1, .destination_port = 7, .payload_bytes = 18}.emit(
        std::span(packet).subspan(34));
    return packet;
}

// Where packets come from: whatever was sent, the next batch can be had.
class supply {
  public:
    virtual ~supply() = default;
    virtual std::unique_ptr<xsk::port> open() = 0;
    virtual void deliver() = 0;                              // the next batch arrives
    virtual std::uint64_t not_ours_ns() const { return 0; }  // spent in what stands for the kernel
    virtual bool all_echoed() = 0;
};

// A port with packets that never run out, and a clock that runs while the echo works.
class course {
  public:
    explicit course(supply& packets) : supply_(packets), port_(packets.open()) {}

    // Each gives the nanoseconds a packet takes; once, for a course of its own.
    double plain() {
        feed();
        for (burst packets; rounds_left_ != 0;) {
            port_->wait(std::chrono::milliseconds{100});
            port_->receive(packets);
            exchange_addresses(packets);
            echoed_ += port_->send(packets);
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
            echoed_ += co_await port.async_send(packets, asio::use_awaitable);
            feed();
        }
    }
    // Between rounds, unmeasured: the next batch arrives.
    void feed() {
        const auto stopped = std::chrono::steady_clock::now();
        if (rounds_left_ != rounds + 1) spent_ += stopped - started_;
        if (--rounds_left_ != 0) supply_.deliver();
        started_ = std::chrono::steady_clock::now();
    }
    // Nothing where more than a few packets were lost: the rounds were no batches then.
    double cost() {
        if (echoed_ * 10 < rounds * batch * 9 || !supply_.all_echoed()) return 0;
        const auto own = spent_.count() - static_cast<std::int64_t>(supply_.not_ours_ns());
        return static_cast<double>(own) / static_cast<double>(echoed_);
    }

    supply& supply_;
    std::unique_ptr<xsk::port> port_;
    std::size_t rounds_left_ = rounds + 1;
    std::size_t echoed_ = 0;
    std::chrono::steady_clock::time_point started_{};
    std::chrono::steady_clock::duration spent_{};
};

// By nearest rank: 1 the lower, 2 the median, 3 the upper.
inline double quartile(std::vector<double> values, std::size_t which) {
    std::sort(values.begin(), values.end());
    return values[(values.size() * which + 3) / 4 - 1];
}

template <class Supply>
double plain() {
    Supply packets;
    return course(packets).plain();
}
template <class Supply>
double coroutine() {
    Supply packets;
    return course(packets).coroutine();
}

struct figures {
    std::vector<double> plains = std::vector<double>(pairs);
    std::vector<double> coroutines = std::vector<double>(pairs);
    std::vector<double> ratios = std::vector<double>(pairs);
    bool complete = true;
};

template <class Supply>
figures measure() {
    figures found;
    plain<Supply>();
    coroutine<Supply>();
    for (std::size_t i = 0; i < pairs; ++i) {
        auto& mine = found.plains[i];
        if (i % 2 == 0) mine = plain<Supply>();
        found.coroutines[i] = coroutine<Supply>();
        if (i % 2 != 0) mine = plain<Supply>();
        found.complete = found.complete && mine != 0 && found.coroutines[i] != 0;
        found.ratios[i] = found.coroutines[i] / mine;
    }
    return found;
}

// The program: measures, prints, and fails if the median ratio is above a limit given.
template <class Supply>
int compare_echoes(const char* where, int argc, char** argv) try {
    const bool limited = argc == 3 && std::string_view(argv[1]) == "--limit";
    if (argc != 1 && !limited) {
        std::printf("usage: %s [--limit RATIO]\n", argv[0]);
        return 2;
    }
    const auto found = measure<Supply>();
    if (!found.complete) {
        std::printf("%s: too many packets were lost\n", argv[0]);
        return 1;
    }
    const auto ratio = quartile(found.ratios, 2);
    std::printf(
        "echo at batch %zu over %s, medians of %zu pairs: plain loop %.1f ns, coroutine %.1f ns a "
        "packet; ratio %.3f, quartiles %.3f and %.3f\n",
        batch, where, pairs, quartile(found.plains, 2), quartile(found.coroutines, 2), ratio,
        quartile(found.ratios, 1), quartile(found.ratios, 3));
    if (!limited || ratio <= std::strtod(argv[2], nullptr)) return 0;
    std::printf("%s: more than %s\n", argv[0], argv[2]);
    return 1;
} catch (const xsk::setup_error& error) {
    std::printf("%s\n%s\n", error.what(), error.remedy().c_str());
    return 1;
}

}  // namespace skein::test
