// SPDX-License-Identifier: Apache-2.0
#include "stop_signal.hpp"

#include <string>

#include "command.hpp"

namespace skein::tool {

namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
    received = signal;
}

const char* name_of(int signal) {
    return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP";
}

}  // namespace

stop_signal::stop_signal() {
    received = 0;
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART
    for (std::size_t i = 0; i < signals_.size(); ++i)
        ::sigaction(signals_[i], &action, &before_[i]);
}

stop_signal::~stop_signal() {
    for (std::size_t i = 0; i < signals_.size(); ++i)
        ::sigaction(signals_[i], &before_[i], nullptr);
}

bool stop_signal::requested() noexcept {
    return received != 0;
}

void check_stop() {
    if (received == 0) return;
    throw command_failure(std::string("stopped by ") + name_of(received));
}

}  // namespace skein::tool
