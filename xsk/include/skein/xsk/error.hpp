// SPDX-License-Identifier: Apache-2.0
// What set-up throws: which operation failed, on which interface and queue, why, and what helps.
//
// Everything that prepares or takes down a port throws setup_error. The data path never throws.
// what() reads as one sentence, for instance
//
//     bind on veth0 queue 3: EBUSY (Device or resource busy)
//
// and remedy() is a second one, empty where no cure is known. Errno values are named, not numbered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include <skein/export.hpp>

namespace skein::inline v0::xsk {

struct setup_failure {
    std::string operation;       // "bind", "attach", "register UMEM"
    std::string interface = {};  // empty where no device is involved
    std::optional<std::uint32_t> queue = {};
    std::string cause = {};  // replaces the errno's text where more is known
    std::string remedy = {};
};

class SKEIN_EXPORT setup_error : public std::system_error {
  public:
    // error_number is a positive errno value, 0 where the cause is not a system call's.
    setup_error(int error_number, setup_failure failure);

    const char* what() const noexcept override { return text_.c_str(); }
    const std::string& operation() const noexcept { return failure_.operation; }
    const std::string& interface() const noexcept { return failure_.interface; }
    std::optional<std::uint32_t> queue() const noexcept { return failure_.queue; }
    const std::string& remedy() const noexcept { return failure_.remedy; }
    int error_number() const noexcept { return code().value(); }

  private:
    setup_failure failure_;
    std::string text_;
};

// "EBUSY (Device or resource busy)"; error_number is a positive errno value.
SKEIN_EXPORT std::string errno_text(int error_number);

}  // namespace skein::inline v0::xsk
