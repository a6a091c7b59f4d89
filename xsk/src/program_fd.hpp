// SPDX-License-Identifier: Apache-2.0
// A file descriptor of a program, map or link that closes itself; -1 is none.
#pragma once

#include <utility>

#include "sys.hpp"

namespace skein::inline v0::xsk {

class owned_fd {
  public:
    owned_fd() = default;
    explicit owned_fd(int fd) noexcept : fd_(fd < 0 ? -1 : fd) {}
    owned_fd(owned_fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    owned_fd& operator=(owned_fd&& other) noexcept {
        owned_fd(std::move(other)).swap(*this);
        return *this;
    }
    ~owned_fd() {
        if (fd_ >= 0) sys::close(fd_);
    }

    void swap(owned_fd& other) noexcept { std::swap(fd_, other.fd_); }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    int value() const noexcept { return fd_; }

  private:
    int fd_ = -1;
};

}  // namespace skein::inline v0::xsk
