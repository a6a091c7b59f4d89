// SPDX-License-Identifier: Apache-2.0
// A program that runs beside this one, and ends with its owner at the latest.
//
// Its input is empty; what it prints is kept in memory by the kernel, so that it never waits for a
// reader. Errors: command_failure.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "file_descriptor.hpp"

namespace skein::tool {

class background_process {
  public:
    explicit background_process(const std::vector<std::string>& argv,
                                const std::string& directory = {});
    background_process(const background_process&) = delete;
    background_process& operator=(const background_process&) = delete;
    ~background_process();  // kills it where it still runs

    bool ended();
    void interrupt() const noexcept;  // SIGINT
    // Waits for its end and returns its status as the shell counts. Throws where it takes longer,
    // or when this process is told to stop.
    int wait(std::chrono::milliseconds patience);

    std::string output() const;  // so far
    std::string errors() const;
    const std::string& command_line() const noexcept { return command_line_; }

  private:
    std::string command_line_;
    file_descriptor output_;
    file_descriptor errors_;
    pid_t child_ = -1;
    int status_ = 0;
};

// Sleeps, but not longer than until this process is told to stop: then it throws command_failure.
void sleep_unless_stopped(std::chrono::milliseconds duration);

}  // namespace skein::tool
