// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/error.hpp>

#include <cstring>

namespace skein::inline v0::xsk {

namespace {

std::string sentence(int error_number, const setup_failure& failure) {
    std::string text = failure.operation;
    if (!failure.interface.empty()) text += " on " + failure.interface;
    if (failure.queue) text += " queue " + std::to_string(*failure.queue);
    if (!failure.cause.empty()) {
        text += ": " + failure.cause;
        if (error_number != 0) text += " [" + errno_text(error_number) + "]";
    } else if (error_number != 0) {
        text += ": " + errno_text(error_number);
    }
    return text;
}

}  // namespace

std::string errno_text(int error_number) {
    const char* name = ::strerrorname_np(error_number);
    const char* description = ::strerrordesc_np(error_number);
    if (name == nullptr || description == nullptr) return "errno " + std::to_string(error_number);
    return std::string(name) + " (" + description + ")";
}

setup_error::setup_error(int error_number, setup_failure failure)
    : std::system_error(error_number, std::generic_category()),
      failure_(std::move(failure)),
      text_(sentence(error_number, failure_)) {}

}  // namespace skein::inline v0::xsk
