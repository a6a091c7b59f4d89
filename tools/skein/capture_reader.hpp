// SPDX-License-Identifier: Apache-2.0
// Reads a capture, pcap or pcapng, record by record.
//
// Accepted: pcap 2.3 and 2.4 with microseconds or nanoseconds, pcapng 1.0 to 1.2 with any number of
// sections and interfaces, both in either byte order. Interfaces of all sections share one
// numbering, in the order of the file. Lengths are believed only as far as bytes follow; nothing
// in a file can make the reader allocate more than max_read_bytes.
//
// A stream that ends inside a record (or any other block) is *truncated*: the records before it
// are good. A stream whose lengths contradict each other is damaged: capture_failure, with the
// offset.
//
// Not kept: a snap length (the record says itself that it was cut), FCS length, comments and other
// options, time finer than a nanosecond. Times before 1970 or after 2554 are clamped.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "capture.hpp"
#include "capture_window.hpp"

namespace skein::tool {

enum class read_outcome : std::uint8_t { record, end, truncated };

class capture_reader {
  public:
    virtual ~capture_reader() = default;

    // Reads the next record. After end or truncated there is nothing more.
    virtual read_outcome next(capture_record& into) = 0;

    // The interfaces met so far: all of them for pcap, those before the current record for pcapng.
    const std::vector<capture_interface>& interfaces() const noexcept { return interfaces_; }
    virtual capture_format format() const noexcept = 0;

  protected:
    std::vector<capture_interface> interfaces_;
};

// Looks at the first bytes and picks the format. `name` is used in messages. Throws capture_failure
// if this is no capture. The stream must outlive the reader.
std::unique_ptr<capture_reader> open_capture(byte_input& stream, const std::string& name);

}  // namespace skein::tool
