// SPDX-License-Identifier: Apache-2.0
#include "program_log.hpp"

#include <bpf/libbpf.h>
#include <xdp/libxdp.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <mutex>

namespace skein::inline v0::xsk {

namespace {

thread_local log_capture* current = nullptr;

std::mutex installation;
unsigned captures = 0;  // guarded by installation
std::atomic<libbpf_print_fn_t> bpf_before{nullptr};
std::atomic<libxdp_print_fn_t> xdp_before{nullptr};

std::string formatted(const char* format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, arguments);
    return text;
}

int keep_bpf(libbpf_print_level level, const char* format, va_list arguments) {
    if (current == nullptr) {
        const auto before = bpf_before.load();
        return before == nullptr ? 0 : before(level, format, arguments);
    }
    if (level == LIBBPF_WARN) current->add(formatted(format, arguments));
    return 0;
}

int keep_xdp(libxdp_print_level level, const char* format, va_list arguments) {
    if (current == nullptr) {
        const auto before = xdp_before.load();
        return before == nullptr ? 0 : before(level, format, arguments);
    }
    if (level != LIBXDP_DEBUG) current->add(formatted(format, arguments));
    return 0;
}

void install() {
    const std::lock_guard lock(installation);
    if (captures++ != 0) return;
    bpf_before = ::libbpf_set_print(keep_bpf);
    xdp_before = ::libxdp_set_print(keep_xdp);
}

// Whoever set a callback of their own meanwhile keeps it.
void uninstall() {
    const std::lock_guard lock(installation);
    if (--captures != 0) return;
    const auto bpf_now = ::libbpf_set_print(bpf_before);
    if (bpf_now != keep_bpf) ::libbpf_set_print(bpf_now);
    const auto xdp_now = ::libxdp_set_print(xdp_before);
    if (xdp_now != keep_xdp) ::libxdp_set_print(xdp_now);
}

}  // namespace

log_capture::log_capture() : outer_(current) {
    install();
    current = this;
}

log_capture::~log_capture() {
    current = outer_;
    uninstall();
}

std::string log_capture::text() const {
    std::string all;
    for (const std::string& line : lines_)
        all += (all.empty() ? "" : "\n") + line;
    return all;
}

void log_capture::add(const std::string& message) {
    std::size_t begin = 0;
    while (begin < message.size()) {
        const std::size_t end = std::min(message.find('\n', begin), message.size());
        if (end != begin) lines_.push_back(message.substr(begin, end - begin));
        if (lines_.size() > kept_lines) lines_.pop_front();
        begin = end + 1;
    }
}

}  // namespace skein::inline v0::xsk
