// SPDX-License-Identifier: Apache-2.0
#include "live_capture.hpp"

#include <chrono>
#include <exception>

namespace skein::tool {

live_capture::live_capture(const std::string& file)
    : file_(file, output_style::as_it_comes), writer_(file_, {.format = capture_format::pcapng}) {}

// The caller has the turn.
template <class Work>
void live_capture::attempt(Work&& work) noexcept {
    if (failed()) return;
    try {
        work();
    } catch (const command_failure& failure) {
        failure_ = failure;
    } catch (const std::exception& failure) {
        failure_.emplace(failure.what());
    }
    failed_.store(failure_.has_value());
}

std::uint32_t live_capture::add_interface(const std::string& name) {
    const std::lock_guard turn(turn_);
    return writer_.add_interface({.link = link_type::ethernet, .nanoseconds = true, .name = name});
}

void live_capture::write(std::uint32_t interface, const burst& packets) noexcept {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto stamp = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const std::lock_guard turn(turn_);
    attempt([&] {
        for (const auto& p : packets)
            writer_.write(interface, p, static_cast<std::uint64_t>(stamp));
    });
}

void live_capture::flush() noexcept {
    const std::unique_lock turn(turn_, std::try_to_lock);
    if (turn.owns_lock()) attempt([&] { writer_.flush(); });
}

void live_capture::finish() noexcept {
    const std::lock_guard turn(turn_);
    attempt([&] {
        writer_.finish();
        file_.commit();
    });
}

std::optional<command_failure> live_capture::failure() const {
    const std::lock_guard turn(turn_);
    return failure_;
}

}  // namespace skein::tool
