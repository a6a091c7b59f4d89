// SPDX-License-Identifier: Apache-2.0
// --pcap: every packet a live command handles, as a pcapng file beside it.
//
// One file for all ports, an interface block for each. Packets are written as they lie, with the
// wall clock of their burst (one reading a burst). Several shards may write: each burst goes in
// whole. Failure: command_failure, from the constructor or from write (a full disk).
#pragma once

#include <mutex>
#include <string>

#include <skein/burst.hpp>
#include <skein/xsk/port.hpp>

#include "capture_writer.hpp"
#include "file_stream.hpp"

namespace skein::tool {

class live_capture {
  public:
    explicit live_capture(const std::string& file);

    // The number by which write() knows a port's interface.
    std::uint32_t add_interface(const std::string& name);
    void write(std::uint32_t interface, const burst& packets);
    // What was written so far can be read by others.
    void flush();
    void finish();

  private:
    std::mutex turn_;
    output_file file_;
    capture_writer writer_;
};

}  // namespace skein::tool
