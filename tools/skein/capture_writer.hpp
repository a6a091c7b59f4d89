// SPDX-License-Identifier: Apache-2.0
// Writes packets to a capture, pcap or pcapng, as they lie in their frames.
//
// For files and for live capture alike: the writer only appends, every record is complete when
// write() returns, and flush() makes it readable for others. It knows nothing of files: bytes go to
// a byte_output (output_file.hpp).
//
//     capture_writer out(file, {.format = capture_format::pcapng});
//     const auto eth = out.add_interface({.link = link_type::ethernet, .name = "veth0"});
//     out.write(eth, packet);
//
// pcap has one link type and one resolution of time for the whole file; pcapng has both by
// interface, any number of them, and interfaces may be added at any time. pcapng is written in
// nanoseconds always. Both are written in the machine's byte order.
//
// A packet longer than max_written_bytes is cut, with its true length beside it.
// Failure: what the output throws; an interface that pcap has no place for: capture_failure.
// Threading: none.
#pragma once

#include <vector>

#include <skein/packet.hpp>

#include "byte_stream.hpp"
#include "capture.hpp"

namespace skein::tool {

class capture_writer {
  public:
    struct options {
        capture_format format = capture_format::pcap;
        bool nanoseconds = true;  // pcap only: nanoseconds, or microseconds
    };

    capture_writer(byte_output& output, options how);

    // Returns the number by which write() knows the interface.
    std::uint32_t add_interface(const capture_interface& added);

    // Appends one packet with its own timestamp (0: unknown). Its length on the wire is
    // original_bytes where that is more than its size. True if it was cut to be written.
    bool write(std::uint32_t interface, const packet& p) {
        return write(interface, p, p.timestamp_ns);
    }
    bool write(std::uint32_t interface, const packet& p, std::uint64_t timestamp_ns);

    // A file without any packet or interface gets its header, too. Flushes.
    void finish();
    void flush() { output_->flush(); }

  private:
    struct record_size {
        std::uint32_t written;
        std::uint32_t original;
    };

    void begin_pcap(const capture_interface& only);
    void begin_pcapng();
    void add_to_pcapng(const capture_interface& added);
    void write_pcap_header(std::uint64_t timestamp_ns, record_size size);
    void write_pcapng_header(std::uint32_t interface, std::uint64_t timestamp_ns, record_size size);
    void write_pcapng_trailer(std::uint32_t written);
    void write_bytes(const packet& p, std::uint32_t most);

    byte_output* output_;
    options how_;
    std::vector<capture_interface> interfaces_;
};

}  // namespace skein::tool
