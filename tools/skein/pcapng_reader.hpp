// SPDX-License-Identifier: Apache-2.0
// Reads pcapng files. Use open_capture (capture_reader.hpp).
//
//     | type 4 | length 4 | body ... padded to 4 | length 4 |      one block; length counts all
//
// A section header block sets the byte order and begins a new numbering of interfaces. Packets are
// enhanced (6), simple (3) and the obsolete packet blocks (2); other blocks are stepped over.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "capture_reader.hpp"
#include "file_bytes.hpp"

namespace skein::tool {

// How an interface's 64-bit timestamps become nanoseconds since 1970: if_tsresol and if_tsoffset.
class pcapng_time {
  public:
    pcapng_time() noexcept = default;
    // resolution: the option's byte; bit 7 chooses powers of two. offset: seconds to add.
    pcapng_time(std::uint8_t resolution, std::int64_t offset_seconds) noexcept;

    bool finer_than_microseconds() const noexcept { return units_per_second_ > 1'000'000; }
    std::uint64_t nanoseconds(std::uint64_t units) const noexcept;

  private:
    // A wider type holds 2^127; finer units than 10^19 a second all round to 0 ns within a day.
    __extension__ using wide = unsigned __int128;

    wide units_per_second_ = 1'000'000;
    std::int64_t offset_seconds_ = 0;
};

class pcapng_reader final : public capture_reader {
  public:
    static bool recognises(std::span<const std::byte> first) noexcept;

    // The window must be at the beginning of the file.
    pcapng_reader(capture_window window, std::string name);

    read_outcome next(capture_record& into) override;
    capture_format format() const noexcept override { return capture_format::pcapng; }

  private:
    struct source {
        std::uint32_t index;  // in interfaces_
        std::uint32_t snap_bytes;
        pcapng_time time;
    };
    enum class step : std::uint8_t { skipped, record, end, truncated };

    step next_block(capture_record& into);
    step oversized_block(std::uint64_t length);
    bool begin_section(std::span<const std::byte> first);
    void add_interface(std::span<const std::byte> body);
    std::uint32_t number_of(const capture_interface& described);
    void enhanced(std::span<const std::byte> body, capture_record& into);
    void simple(std::span<const std::byte> body, capture_record& into);
    void obsolete(std::span<const std::byte> body, capture_record& into);
    void fill(const source& from, std::span<const std::byte> fields,
              std::span<const std::byte> bytes, capture_record& into);
    const source& source_at(std::uint32_t id) const;
    [[noreturn]] void damaged(const std::string& why) const;

    capture_window window_;
    std::string name_;
    file_bytes order_;
    // Interfaces that are described alike, and how many of them the current section has named.
    struct look_alikes {
        std::vector<std::uint32_t> numbers;
        std::size_t taken = 0;
        std::uint64_t section = 0;
    };

    std::vector<source> sources_;  // of the current section
    std::uint64_t section_ = 0;
    std::map<std::tuple<link_type, bool, std::string>, look_alikes> alike_;
    std::uint64_t block_at_ = 0;  // where the block begins that is being read
    std::size_t pending_ = 0;     // bytes of the last block, not stepped over yet
};

}  // namespace skein::tool
