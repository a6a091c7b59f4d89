// SPDX-License-Identifier: Apache-2.0
// A port in a loop of your own: epoll waits for packets, signals and a timer at once.
//
//     own_loop veth0 [SECONDS]
//
// Counts and drops what arrives, says once a second how much that was, and ends with Ctrl-C or
// after so many seconds.
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

#include <skein/xsk/port.hpp>

namespace {

int checked(int result, const char* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

struct descriptor {
    descriptor(int opened, const char* what) : number(checked(opened, what)) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() { ::close(number); }

    const int number;
};

int open_signals() {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int one : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&wanted, one);
    sigprocmask(SIG_BLOCK, &wanted, nullptr);
    return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

void run(const char* interface, std::uint64_t seconds) {
    const descriptor signals(open_signals(), "signalfd");
    const descriptor ticks(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "timerfd");
    const itimerspec second{.it_interval = {.tv_sec = 1, .tv_nsec = 0},
                            .it_value = {.tv_sec = 1, .tv_nsec = 0}};
    checked(timerfd_settime(ticks.number, 0, &second, nullptr), "timerfd_settime");
    const descriptor loop(epoll_create1(EPOLL_CLOEXEC), "epoll");
    skein::xsk::port port({.interface = interface});
    std::fprintf(stderr, "%s\n", port.description().c_str());
    for (const int fd : {port.fd(), signals.number, ticks.number}) {
        epoll_event wanted{.events = EPOLLIN, .data = {.fd = fd}};
        checked(epoll_ctl(loop.number, EPOLL_CTL_ADD, fd, &wanted), "epoll_ctl");
    }
    skein::burst packets;
    for (bool going_on = true; going_on;) {
        port.refill();  // so that there are frames to receive into
        std::array<epoll_event, 3> ready{};
        const int n = epoll_wait(loop.number, ready.data(), static_cast<int>(ready.size()), -1);
        for (int i = 0; i < n; ++i) {
            const int fd = ready[static_cast<std::size_t>(i)].data.fd;
            std::uint64_t ticked = 0;
            if (fd == port.fd()) {  // level-triggered: what is left is announced again
                port.receive(packets);
                packets.clear();
            } else if (fd == signals.number) {
                going_on = false;
            } else if (::read(fd, &ticked, sizeof ticked) == sizeof ticked) {
                std::printf("%llu packets\n",
                            static_cast<unsigned long long>(port.received().packets.value()));
                std::fflush(stdout);
                seconds -= ticked < seconds ? ticked : seconds;
                going_on = seconds != 0;
                if (port.probe() == skein::xsk::port_status::device_gone)
                    throw std::runtime_error(std::string(interface) + " was removed");
            }
        }
    }
    std::printf("%s\n", to_string(port.close()).c_str());
}

}  // namespace

int main(int argc, char** argv) try {
    run(argc > 1 ? argv[1] : "", argc > 2 ? std::strtoull(argv[2], nullptr, 10) : ~0ull);
} catch (const skein::xsk::setup_error& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), error.remedy().c_str());
    return 1;
} catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
