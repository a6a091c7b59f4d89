// SPDX-License-Identifier: Apache-2.0
// A real descriptor for a fake socket, so that poll() and epoll can wait for it: an eventfd.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace skein::test {

class fake_descriptor {
  public:
    fake_descriptor() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        if (fd_ < 0) std::abort();
    }
    fake_descriptor(const fake_descriptor&) = delete;
    fake_descriptor& operator=(const fake_descriptor&) = delete;
    ~fake_descriptor() { ::close(fd_); }

    int number() const noexcept { return fd_; }
    // Readable, and an event for whoever waits.
    void announce() noexcept {
        if (eventfd_write(fd_, 1) == 0) readable_ = true;
    }
    void silence() noexcept {
        eventfd_t count = 0;
        if (readable_ && eventfd_read(fd_, &count) == 0) readable_ = false;
    }

  private:
    int fd_;
    bool readable_ = false;
};

}  // namespace skein::test
