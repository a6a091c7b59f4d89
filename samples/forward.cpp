// SPDX-License-Identifier: Apache-2.0
// A bridge of two interfaces over one UMEM, both directions, until Ctrl-C:  forward veth0 veth1
//
// What arrives on one side leaves on the other as it lies: the descriptor goes from ring to ring,
// the bytes are never touched. A packet that finds no room waits, and behind it the ring it came
// from fills up: the sender sees the loss, none happens here.
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <span>
#include <stdexcept>

#include <skein/xsk/port.hpp>
#include <skein/xsk/wait.hpp>

namespace {

namespace xsk = skein::xsk;
using clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stop = 0;

// One interface, and what was received there and is not sent yet.
struct side {
    explicit side(const char* interface, const std::shared_ptr<xsk::umem>& memory)
        : port({.interface = interface}, memory,
               std::make_shared<xsk::redirect_program>(
                   xsk::program_options{.interface = interface})) {
        std::fprintf(stderr, "%s\n", port.description().c_str());
    }

    xsk::port port;
    skein::burst waiting;
};

std::size_t carry(side& from, side& to) {
    from.port.receive(from.waiting, from.waiting.room());
    const bool more_to_come = from.waiting.full();
    const auto sent = to.port.send(from.waiting);
    // While bursts come full the port calls the kernel by its own policy; the last is pushed out.
    if (!more_to_come || !from.waiting.empty()) to.port.flush();
    return sent;
}

// A removed device tells nobody: it is asked now and then.
void expect_devices(std::span<xsk::port* const> ports) {
    for (auto* port : ports) {
        if (port->probe() == xsk::port_status::device_gone)
            throw std::runtime_error(port->options().interface + " was removed");
    }
}

void run(const char* left, const char* right) {
    const auto memory = std::make_shared<xsk::umem>(xsk::umem_options{.frames = 8192});
    side a(left, memory);
    side b(right, memory);
    const std::array ports{&a.port, &b.port};
    xsk::waiter waiter({}, ports);
    for (auto checked = clock::now(); stop == 0;) {
        if (carry(a, b) + carry(b, a) != 0) {
            waiter.worked();
            continue;
        }
        waiter.idle();
        if (clock::now() - checked < std::chrono::seconds{1}) continue;
        expect_devices(ports);
        checked = clock::now();
    }
    for (auto* port : ports) {
        std::printf("%s: %llu packets received, %llu sent\n", port->options().interface.c_str(),
                    static_cast<unsigned long long>(port->received().packets.value()),
                    static_cast<unsigned long long>(port->counters().tx_packets.value()));
    }
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fprintf(stderr, "usage: forward INTERFACE INTERFACE\n");
        return 2;
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, [](int) { stop = 1; });
    run(argv[1], argv[2]);
    return 0;
} catch (const skein::xsk::setup_error& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), error.remedy().c_str());
    return 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
