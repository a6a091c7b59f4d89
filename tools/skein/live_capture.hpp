// SPDX-License-Identifier: Apache-2.0
// --pcap: every packet a live command handles, as a pcapng file beside it.
//
// One file for all ports, an interface block for each. Packets are written as they lie, with the
// wall clock of their burst (one reading a burst). Several shards may write: each burst goes in
// whole.
//
// Failure: the constructor throws command_failure. Later ones (a full disk, a reader that went away
// or takes nothing for two seconds) end the capture, not the packets' way: nothing more is written,
// and failure() says what happened, for the session to end with.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include <skein/burst.hpp>
#include <skein/xsk/port.hpp>

#include "capture_writer.hpp"
#include "command.hpp"
#include "file_stream.hpp"

namespace skein::tool {

class live_capture {
  public:
    explicit live_capture(const std::string& file);

    // The number by which write() knows a port's interface.
    std::uint32_t add_interface(const std::string& name);
    void write(std::uint32_t interface, const burst& packets) noexcept;
    // What was written so far can be read by others. Does nothing while a shard is writing.
    void flush() noexcept;
    void finish() noexcept;

    bool failed() const noexcept { return failed_.load(); }
    std::optional<command_failure> failure() const;

  private:
    template <class Work>
    void attempt(Work&& work) noexcept;

    mutable std::mutex turn_;  // guards what follows but failed_
    output_file file_;
    capture_writer writer_;
    std::optional<command_failure> failure_;
    std::atomic<bool> failed_{false};
};

}  // namespace skein::tool
