// SPDX-License-Identifier: Apache-2.0
// Where capture files come from and go to: anything that yields, or takes, bytes in order.
#pragma once

#include <cstddef>
#include <span>

namespace skein::tool {

class byte_input {
  public:
    virtual ~byte_input() = default;
    // Reads up to into.size() bytes; 0 only at the end. Throws command_failure.
    virtual std::size_t read(std::span<std::byte> into) = 0;
};

class byte_output {
  public:
    virtual ~byte_output() = default;
    // Takes all of the bytes, now or with the next flush. Both throw command_failure.
    virtual void write(std::span<const std::byte> bytes) = 0;
    virtual void flush() = 0;
};

}  // namespace skein::tool
