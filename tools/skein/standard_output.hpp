// SPDX-License-Identifier: Apache-2.0
// What every command of the program does alike: print to standard output, and be told to stop.
#pragma once

#include <exception>
#include <string_view>

namespace skein::tool {

// The reader of our output went away. Not a failure: the program ends quietly (exit code 0).
class closed_pipe : public std::exception {
  public:
    const char* what() const noexcept override { return "the reader of the output went away"; }
};

// Writes to standard output at once. Throws closed_pipe, or command_failure (a full disk).
void print_out(std::string_view text);

// Writes to standard error; what cannot be written is lost.
void print_error(std::string_view text) noexcept;

// Opens /dev/null in place of a closed standard descriptor, so that no file of ours gets its
// number, and makes a closed pipe an error of write instead of a signal. Call once, first.
void prepare_standard_descriptors();

}  // namespace skein::tool
