// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/wait.hpp>

#include <algorithm>
#include <array>

#include <skein/xsk/error.hpp>
#include <skein/xsk/uapi.hpp>

#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

// Tells the CPU that this is a waiting loop.
void pause_cpu() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

waiter::waiter(wait_options options, std::span<port* const> ports)
    : options_(options), ports_(ports.begin(), ports.end()) {
    if (options_.strategy != wait_strategy::busy) return;
    for (const auto* p : ports_)
        ask_for_busy_polling(*p);
}

void waiter::ask_for_busy_polling(const port& p) {
    const struct {
        int name;
        std::uint32_t value;
    } wishes[] = {{uapi::so_prefer_busy_poll, 1},
                  {uapi::so_busy_poll, options_.busy_poll_us},
                  {uapi::so_busy_poll_budget, options_.busy_poll_budget}};
    for (const auto& wish : wishes) {
        const int status =
            sys::set_option(p.fd(), SOL_SOCKET, wish.name, &wish.value, sizeof wish.value);
        if (status >= 0) continue;
        notes_.push_back(p.options().interface + ": busy polling refused: " + errno_text(-status));
        return;
    }
    std::uint32_t napi = 0;
    auto bytes = sizeof napi;
    sys::get_option(p.fd(), SOL_SOCKET, uapi::so_incoming_napi_id, &napi, &bytes);
    if (napi == 0) {
        notes_.push_back(p.options().interface +
                         ": no NAPI id, so the kernel cannot busy-poll this device");
    }
}

void waiter::idle() noexcept {
    switch (options_.strategy) {
        case wait_strategy::spin:
            for (std::uint32_t i = 0; i < options_.spin_pauses; ++i)
                pause_cpu();
            return;
        case wait_strategy::busy:
            for (const auto* p : ports_)
                sys::wake_rx(p->fd());
            return;
        case wait_strategy::adaptive:
            if (idle_rounds_ < options_.adaptive_yields) {
                ++idle_rounds_;
                sys::yield();
                return;
            }
            break;
        case wait_strategy::poll:
            break;
    }
    sleep();
}

// Packets wait and yet nothing moves. A few times that is chance: they came just now.
bool waiter::blocked() noexcept {
    constexpr std::uint32_t chance = 8;
    return ++blocked_rounds_ > chance;
}

void waiter::sleep() noexcept {
    constexpr std::size_t most = 64;
    std::array<pollfd, most> entries;
    std::size_t n = 0;
    bool short_nap = ports_.size() > most;  // not all of them can wake us
    for (auto* p : ports_) {
        if (p->has_packets()) {
            if (blocked()) sys::sleep_for(std::chrono::milliseconds{1});
            return;
        }
        short_nap = short_nap || p->under_way() != 0;
        if (p->fd() >= 0 && p->options().receives && n < most) {
            entries[n++] = {.fd = p->fd(), .events = POLLIN, .revents = 0};
        }
    }
    const auto nap = short_nap ? std::chrono::milliseconds{1} : options_.longest;
    sys::poll({entries.data(), n}, std::min(nap, options_.longest));
}

}  // namespace skein::inline v0::xsk
