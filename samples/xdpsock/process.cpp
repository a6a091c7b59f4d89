// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace xdpsock {

namespace {

volatile std::sig_atomic_t stop = 0;

void remember(int) {
    stop = 1;
}

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

void watch_for_stop() {
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: poll() returns
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGABRT})
        ::sigaction(signal, &action, nullptr);
}

bool stop_requested() noexcept {
    return stop != 0;
}

void apply_scheduling(const options& given) {
    if (!given.policy && !given.priority) return;
    sched_param wanted{};
    wanted.sched_priority = given.priority.value_or(0);
    if (::sched_setscheduler(0, given.policy.value_or(SCHED_OTHER), &wanted) == 0) return;
    fail("-W and -U (FIFO wants a priority from 1 to 99 and CAP_SYS_NICE, OTHER 0)");
}

void keep_only_net_raw() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
    if (::syscall(SYS_capget, &header, sets) < 0) fail("-R: capget");
    for (auto& set : sets)
        set.inheritable = 0;
    const unsigned raw = 1u << CAP_NET_RAW;
    sets[0].permitted &= raw;
    sets[0].effective &= raw;
    sets[1].permitted = sets[1].effective = 0;
    if (::syscall(SYS_capset, &header, sets) < 0) fail("-R: capset");
}

}  // namespace xdpsock
