// SPDX-License-Identifier: Apache-2.0
#include "live_capture.hpp"

#include <chrono>

namespace skein::tool {

live_capture::live_capture(const std::string& file)
    : file_(file, output_style::as_it_comes), writer_(file_, {.format = capture_format::pcapng}) {}

std::uint32_t live_capture::add_interface(const std::string& name) {
    const std::lock_guard turn(turn_);
    return writer_.add_interface({.link = link_type::ethernet, .nanoseconds = true, .name = name});
}

void live_capture::write(std::uint32_t interface, const burst& packets) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto stamp = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const std::lock_guard turn(turn_);
    for (const auto& p : packets)
        writer_.write(interface, p, static_cast<std::uint64_t>(stamp));
}

void live_capture::flush() {
    const std::lock_guard turn(turn_);
    writer_.flush();
}

void live_capture::finish() {
    const std::lock_guard turn(turn_);
    writer_.finish();
    file_.commit();
}

}  // namespace skein::tool
