// SPDX-License-Identifier: Apache-2.0
#include "capture_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <skein/version.hpp>

namespace skein::tool {

namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr std::uint32_t packet_block_bytes = 32;  // an enhanced packet block without its packet

// Collects integers in the machine's byte order, to be written at once.
class fields {
  public:
    template <class T>
    fields& add(T value) {
        std::memcpy(bytes_.data() + size_, &value, sizeof value);
        size_ += sizeof value;
        return *this;
    }
    // A pcapng option, padded.
    fields& add_option(std::uint16_t code, std::string_view value) {
        const auto length = std::min<std::size_t>(value.size(), most_option_bytes);
        add(code).add(static_cast<std::uint16_t>(length));
        std::memcpy(bytes_.data() + size_, value.data(), length);
        size_ += (length + 3) & ~std::size_t{3};
        return *this;
    }
    std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

  private:
    static constexpr std::size_t most_option_bytes = 128;

    std::array<std::byte, 256> bytes_{};
    std::size_t size_ = 0;
};

// A pcapng block around what is already in `body`.
void write_block(byte_output& output, std::uint32_t type, const fields& body) {
    const auto length = static_cast<std::uint32_t>(body.bytes().size() + 12);
    output.write(fields().add(type).add(length).bytes());
    output.write(body.bytes());
    output.write(fields().add(length).bytes());
}

std::string application() {
    return fmt::format("skein {}.{}.{}", header_version.major, header_version.minor,
                       header_version.patch);
}

}  // namespace

capture_writer::capture_writer(byte_output& output, options how) : output_(&output), how_(how) {
    if (how_.format == capture_format::pcapng) begin_pcapng();
}

std::uint32_t capture_writer::add_interface(const capture_interface& added) {
    if (how_.format == capture_format::pcapng) {
        add_to_pcapng(added);
    } else if (interfaces_.empty()) {
        begin_pcap(added);
    } else if (added.link != interfaces_.front().link) {
        throw capture_failure(fmt::format("a pcap file holds one link type, there are {} and {}",
                                          static_cast<std::uint32_t>(interfaces_.front().link),
                                          static_cast<std::uint32_t>(added.link)),
                              "write to a file whose name ends in .pcapng");
    } else if (added.nanoseconds && !how_.nanoseconds) {
        throw capture_failure(
            "a pcap file has one resolution of time, and nanoseconds came after microseconds",
            "write to a file whose name ends in .pcapng");
    }
    interfaces_.push_back(added);
    return static_cast<std::uint32_t>(interfaces_.size() - 1);
}

bool capture_writer::write(std::uint32_t interface, const packet& p, std::uint64_t timestamp_ns) {
    const record_size size{.written = std::min(p.size_bytes(), max_written_bytes),
                           .original = std::max(p.original_bytes, p.size_bytes())};
    if (how_.format == capture_format::pcap) {
        write_pcap_header(timestamp_ns, size);
        write_bytes(p, size.written);
    } else {
        write_pcapng_header(interface, timestamp_ns, size);
        write_bytes(p, size.written);
        write_pcapng_trailer(size.written);
    }
    return size.written != p.size_bytes();
}

void capture_writer::finish() {
    if (how_.format == capture_format::pcap && interfaces_.empty()) begin_pcap({});
    flush();
}

void capture_writer::write_bytes(const packet& p, std::uint32_t most) {
    for (const auto& piece : p) {
        if (most == 0) break;
        const auto bytes = p.pool()->area().bytes(piece);
        const auto n = std::min<std::size_t>(bytes.size(), most);
        output_->write(bytes.first(n));
        most -= static_cast<std::uint32_t>(n);
    }
}

// --- pcap ----------------------------------------------------------------------------------------

void capture_writer::begin_pcap(const capture_interface& only) {
    output_->write(fields()
                       .add(how_.nanoseconds ? 0xa1b23c4du : 0xa1b2c3d4u)
                       .add(std::uint16_t{2})
                       .add(std::uint16_t{4})
                       .add(std::uint64_t{0})
                       .add(max_written_bytes)
                       .add(static_cast<std::uint32_t>(only.link))
                       .bytes());
}

void capture_writer::write_pcap_header(std::uint64_t timestamp_ns, record_size size) {
    const auto seconds = std::min<std::uint64_t>(timestamp_ns / second_ns,
                                                 std::numeric_limits<std::uint32_t>::max());
    const auto fraction_ns = timestamp_ns % second_ns;
    output_->write(
        fields()
            .add(static_cast<std::uint32_t>(seconds))
            .add(static_cast<std::uint32_t>(how_.nanoseconds ? fraction_ns : fraction_ns / 1000))
            .add(size.written)
            .add(size.original)
            .bytes());
}

// --- pcapng --------------------------------------------------------------------------------------

void capture_writer::begin_pcapng() {
    write_block(*output_, 0x0a0d0d0a,
                fields()
                    .add(0x1a2b3c4du)
                    .add(std::uint16_t{1})
                    .add(std::uint16_t{0})
                    .add(~std::uint64_t{0})        // section length: not known
                    .add_option(4, application())  // shb_userappl
                    .add(std::uint32_t{0}));       // end of options
}

void capture_writer::add_to_pcapng(const capture_interface& added) {
    fields body;
    body.add(static_cast<std::uint16_t>(added.link)).add(std::uint16_t{0}).add(max_written_bytes);
    if (!added.name.empty()) body.add_option(2, added.name);  // if_name
    body.add_option(9, "\x09");                               // if_tsresol: 10^-9 s
    body.add(std::uint32_t{0});
    write_block(*output_, 1, body);
}

void capture_writer::write_pcapng_header(std::uint32_t interface, std::uint64_t timestamp_ns,
                                         record_size size) {
    const auto padded = (size.written + 3) & ~3u;
    output_->write(fields()
                       .add(std::uint32_t{6})
                       .add(packet_block_bytes + padded)
                       .add(interface)
                       .add(static_cast<std::uint32_t>(timestamp_ns >> 32))
                       .add(static_cast<std::uint32_t>(timestamp_ns))
                       .add(size.written)
                       .add(size.original)
                       .bytes());
}

void capture_writer::write_pcapng_trailer(std::uint32_t written) {
    static constexpr std::array<std::byte, 3> padding{};
    const auto padded = (written + 3) & ~3u;
    output_->write(std::span(padding).first(padded - written));
    output_->write(fields().add(packet_block_bytes + padded).bytes());
}

}  // namespace skein::tool
