// SPDX-License-Identifier: Apache-2.0
// What a capture file is made of, whatever its format: interfaces and records.
//
// The formats are read and written by skein itself (capture_reader, capture_writer). libpcap was
// the obvious choice and falls short for this job: up to 1.10 it cannot write pcapng, refuses
// captures whose interfaces differ in link type or snap length, refuses records over 262144 bytes,
// and does not tell a file that ends in mid-record from a damaged one. What remains after writing
// pcapng by hand is the reader of a 24-byte and a 16-byte header.
//
// Units: time is nanoseconds since 1970, 0 where the record has none; lengths are bytes.
// Sources: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng, tcpdump.org/linktypes.html.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "command.hpp"

namespace skein::tool {

// LINKTYPE_ values. An open set: any value may come from a file.
enum class link_type : std::uint32_t {
    null = 0,
    ethernet = 1,
    raw_bsd = 12,      // DLT_RAW's value on most systems, written by some as a link type
    raw_openbsd = 14,  // the same on OpenBSD
    raw = 101,
    loop = 108,
    linux_sll = 113,
    ipv4 = 228,
    ipv6 = 229,
    linux_sll2 = 276,
};

// Capture tools refuse records longer than this (MAXIMUM_SNAPLEN of libpcap, tcpdump, Wireshark).
inline constexpr std::uint32_t max_written_bytes = 262144;

// A record longer than this is taken for damage, so that a wrong length cannot eat the memory.
inline constexpr std::uint32_t max_read_bytes = 16 << 20;

struct capture_interface {
    link_type link = link_type::ethernet;
    bool nanoseconds = false;  // its timestamps are finer than a microsecond
    std::string name = {};

    friend bool operator==(const capture_interface&, const capture_interface&) = default;
};

struct capture_record {
    std::uint32_t interface = 0;  // index into the reader's interfaces()
    std::uint64_t timestamp_ns = 0;
    std::uint32_t original_bytes = 0;       // on the wire; more than bytes.size() if cut
    std::span<const std::byte> bytes = {};  // valid until the next record is read
};

enum class capture_format : std::uint8_t { pcap, pcapng };

// What helps where a file is no capture at all.
inline constexpr const char* give_a_capture = "give a file written by tcpdump, Wireshark or skein";

// The file is no capture, or cannot be read on from here.
class capture_failure : public command_failure {
  public:
    using command_failure::command_failure;
};

}  // namespace skein::tool
