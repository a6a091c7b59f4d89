// SPDX-License-Identifier: Apache-2.0
// A file descriptor with one owner, closed with it. -1 means none.
#pragma once

#include <unistd.h>

#include <utility>

namespace skein::tool {

class file_descriptor {
  public:
    explicit file_descriptor(int number = -1) noexcept : number_(number) {}
    file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    file_descriptor& operator=(file_descriptor&& other) noexcept {
        file_descriptor replaced(std::exchange(number_, std::exchange(other.number_, -1)));
        return *this;
    }
    ~file_descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    int number() const noexcept { return number_; }
    void close() noexcept { *this = file_descriptor(); }

  private:
    int number_;
};

}  // namespace skein::tool
