// SPDX-License-Identifier: Apache-2.0
// Files as byte streams: one to read, one to write.
//
// "-" is standard input, or output. An output file is written in one of two ways:
//
// - whole_or_nothing (replay): under another name in the same folder, which becomes the real one
//   only in commit(). Without it, on any failure, nothing is left and an older file stays as it is.
//   What is no plain file (a pipe, /dev/null, standard output) is written directly.
// - as_it_comes (live capture): under its own name from the start, so that others can follow it.
//
// Failure: command_failure that names the file and the errno. Threading: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "byte_stream.hpp"
#include "file_descriptor.hpp"

namespace skein::tool {

class input_file final : public byte_input {
  public:
    explicit input_file(const std::string& path);

    std::size_t read(std::span<std::byte> into) override;

    bool seekable() const;  // a plain file: may be read twice
    void rewind();
    // Are both the same file, whatever their names?
    bool is_same_file(const std::string& path) const;
    const std::string& name() const noexcept { return name_; }

  private:
    std::string name_;  // for messages
    file_descriptor file_;
};

enum class output_style : std::uint8_t { whole_or_nothing, as_it_comes };

class output_file final : public byte_output {
  public:
    output_file(const std::string& path, output_style style);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file() override;

    void write(std::span<const std::byte> bytes) override {
        if (bytes.size() > buffer_.size() - used_) return write_around(bytes);
        std::copy(bytes.begin(), bytes.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
        used_ += bytes.size();
    }
    void flush() override;

    // Everything is there: flushes, and gives the file its name.
    void commit();

  private:
    static constexpr std::size_t buffer_bytes = 256 << 10;

    void open(const std::string& path, output_style style);
    void open_beside(const std::string& path);
    void write_around(std::span<const std::byte> bytes);
    void write_out(std::span<const std::byte> bytes);
    void wait_for_reader() const;
    [[noreturn]] void fail(const char* operation, int error_number) const;

    std::string name_;       // for messages
    std::string path_;       // where it goes in the end; symbolic links resolved
    std::string temporary_;  // what it is called until then; empty: its own name
    file_descriptor file_;
    std::vector<std::byte> buffer_;
    std::size_t used_ = 0;
};

}  // namespace skein::tool
