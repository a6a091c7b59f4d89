// SPDX-License-Identifier: Apache-2.0
// Reads classic pcap files. Use open_capture (capture_reader.hpp).
//
//     | magic 4 | major 2 | minor 2 | 0 4 | 0 4 | snap length 4 | link type 4 |      once
//     | seconds 4 | µs or ns 4 | captured 4 | original 4 | bytes ...          |      per record
#pragma once

#include "capture_reader.hpp"
#include "file_bytes.hpp"

namespace skein::tool {

class pcap_reader final : public capture_reader {
  public:
    // True if the first four bytes of a file are those of a pcap file.
    static bool recognises(std::span<const std::byte> first) noexcept;

    // The window must be at the beginning of the file.
    pcap_reader(capture_window window, std::string name);

    read_outcome next(capture_record& into) override;
    capture_format format() const noexcept override { return capture_format::pcap; }

  private:
    read_outcome skip_absurd(std::uint32_t bytes);

    capture_window window_;
    std::string name_;
    file_bytes order_;
    std::uint32_t fraction_ns_ = 1000;  // what one unit of the second time field is worth
    std::size_t pending_ = 0;           // bytes of the last record, not stepped over yet
};

}  // namespace skein::tool
