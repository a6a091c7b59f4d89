// SPDX-License-Identifier: Apache-2.0
// Receives on every queue of an interface and drops, printing the rate each second, until Ctrl-C:
// drop veth0
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <skein/xsk/interface.hpp>
#include <skein/xsk/port.hpp>
#include <skein/xsk/wait.hpp>

namespace {

namespace xsk = skein::xsk;
using clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stop = 0;

struct totals {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t lost = 0;  // what the kernel or skein could not hand over
};

totals count(const std::vector<std::unique_ptr<xsk::port>>& ports) {
    totals all;
    for (const auto& port : ports) {
        all.packets += port->received().packets.value();
        all.bytes += port->received().bytes.value();
        const auto kernel = port->kernel_statistics();
        all.lost += kernel.rx_dropped + kernel.rx_ring_full;
        for (const auto& reason : port->received().dropped)
            all.lost += reason.value();
    }
    return all;
}

void print_rate(const totals& now, const totals& before, double seconds) {
    const auto rate = [&](std::uint64_t a, std::uint64_t b) {
        return static_cast<double>(a - b) / seconds;
    };
    std::printf("%.0f packets/s, %.3f Gb/s, %llu lost\n", rate(now.packets, before.packets),
                rate(now.bytes, before.bytes) * 8 / 1e9,
                static_cast<unsigned long long>(now.lost - before.lost));
    std::fflush(stdout);
}

void run(const char* interface) {
    const auto program =
        std::make_shared<xsk::redirect_program>(xsk::program_options{.interface = interface});
    const auto queues = xsk::queue_count(interface);
    const auto memory = std::make_shared<xsk::umem>(xsk::umem_options{.frames = 4096 * queues});
    std::vector<std::unique_ptr<xsk::port>> ports;
    std::vector<xsk::port*> all;
    for (std::uint32_t queue = 0; queue < queues; ++queue) {
        const xsk::port_options how{.interface = interface, .queue = queue, .transmits = false};
        ports.push_back(std::make_unique<xsk::port>(how, memory, program));
        all.push_back(ports.back().get());
        std::fprintf(stderr, "%s\n", all.back()->description().c_str());
    }

    xsk::waiter waiter({}, all);
    skein::burst packets;
    totals before;
    for (auto last = clock::now(); stop == 0;) {
        std::size_t moved = 0;
        for (auto* port : all) {
            moved += port->receive(packets);
            packets.clear();  // their frames are free again
        }
        moved != 0 ? waiter.worked() : waiter.idle();
        const std::chrono::duration<double> passed = clock::now() - last;
        if (passed < std::chrono::seconds{1}) continue;
        const auto now = count(ports);
        print_rate(now, before, passed.count());
        for (auto* port : all) {
            if (port->probe() == xsk::port_status::device_gone)
                throw std::runtime_error(std::string(interface) + " was removed");
        }
        before = now;
        last = clock::now();
    }
    std::printf("%llu packets in all\n", static_cast<unsigned long long>(count(ports).packets));
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: drop INTERFACE\n");
        return 2;
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, [](int) { stop = 1; });
    run(argv[1]);
    return 0;
} catch (const skein::xsk::setup_error& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), error.remedy().c_str());
    return 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
