// SPDX-License-Identifier: Apache-2.0
// Fuzz target of the capture readers and the writer. The first byte chooses how many bytes a read
// yields; the rest is the file.
//
// Invariants: records lie inside the file and name an interface; what is read does not depend on
// how the bytes arrive; what was read, written as pcapng and read again is the same.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "capture_reader.hpp"
#include "capture_writer.hpp"
#include "unit/tools/memory_stream.hpp"

using namespace skein::test;
using namespace skein::tool;

namespace {

struct kept_record {
    capture_interface interface;
    std::uint64_t timestamp_ns;
    std::uint32_t original_bytes;
    std::vector<std::byte> bytes;

    friend bool operator==(const kept_record&, const kept_record&) = default;
};

struct kept_capture {
    std::vector<kept_record> records;
    std::string end;  // of the reading: its outcome or the error's text

    friend bool operator==(const kept_capture&, const kept_capture&) = default;
};

void require(bool holds, const char* invariant) {
    if (holds) return;
    std::fprintf(stderr, "violated: %s\n", invariant);
    std::abort();
}

kept_capture read_all(std::span<const std::byte> file, std::size_t piece) {
    kept_capture all;
    std::size_t bytes = 0;
    try {
        memory_input input(file, piece);
        const auto reader = open_capture(input, "fuzz");
        capture_record record;
        auto outcome = reader->next(record);
        for (; outcome == read_outcome::record; outcome = reader->next(record)) {
            require(record.interface < reader->interfaces().size(), "the interface exists");
            require(record.original_bytes >= record.bytes.size(), "captured at most the original");
            bytes += record.bytes.size();
            require(bytes <= file.size(), "records lie inside the file");
            all.records.push_back({reader->interfaces()[record.interface],
                                   record.timestamp_ns,
                                   record.original_bytes,
                                   {record.bytes.begin(), record.bytes.end()}});
        }
        all.end = outcome == read_outcome::end ? "end" : "truncated";
    } catch (const capture_failure& failure) {
        require(failure.what()[0] != '\0', "a failure has a text");
        all.end = failure.what();
    }
    return all;
}

// Frames for a few packets at a time.
class small_memory {
  public:
    skein::packet lay(const kept_record& record) {
        skein::packet laid(pool_);
        for (std::size_t at = 0; at < record.bytes.size();) {
            const auto n = std::min<std::size_t>(record.bytes.size() - at, 2048);
            skein::frame_id frame{};
            require(pool_.take({&frame, 1}) == 1, "a frame is free");
            std::copy_n(record.bytes.begin() + static_cast<std::ptrdiff_t>(at), n,
                        pool_.area().data(frame));
            require(laid.append({frame, 0, static_cast<std::uint16_t>(n)}), "a block is free");
            at += n;
        }
        laid.original_bytes = record.original_bytes;
        return laid;
    }

  private:
    static constexpr std::uint32_t frames = 512;

    std::vector<std::byte> bytes_ = std::vector<std::byte>(std::size_t{frames} * 2048);
    skein::frame_pool pool_{skein::frame_area(bytes_.data(), frames, 2048)};
};

void check_round_trip(const kept_capture& all) {
    static small_memory memory;
    memory_output output;
    capture_writer writer(output, {.format = capture_format::pcapng});
    for (const auto& record : all.records) {
        // An interface for each record: the reader may see several that look alike.
        const auto number = writer.add_interface(record.interface);
        writer.write(number, memory.lay(record), record.timestamp_ns);
    }
    const auto again = read_all(output.bytes, ~std::size_t{0});
    require(again.end == "end", "what was written is whole");
    require(again.records.size() == all.records.size(), "as many records as written");
    for (std::size_t i = 0; i < all.records.size(); ++i) {
        const auto& before = all.records[i];
        const auto& after = again.records[i];
        require(after.bytes == before.bytes, "the same bytes");
        require(after.timestamp_ns == before.timestamp_ns, "the same time");
        require(after.original_bytes == before.original_bytes, "the same length");
        require(static_cast<std::uint16_t>(after.interface.link) ==
                    static_cast<std::uint16_t>(before.interface.link),
                "the same link type");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || size > 200'000) return 0;
    const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data + 1), size - 1);
    const auto all = read_all(file, ~std::size_t{0});
    require(read_all(file, 1 + data[0]) == all, "pieces make no difference");
    check_round_trip(all);
    return 0;
}
