// SPDX-License-Identifier: Apache-2.0
// Runs the skein program and collects what it prints; and a folder that goes away by itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace skein::test {

struct run_result {
    int code = -1;  // the exit code, or 128 + the signal that ended it
    std::string out = {};
    std::string err = {};
};

struct run_options {
    std::string input = "/dev/null";      // a file for standard input
    std::function<void()> in_child = {};  // before the program starts
};

// A program that runs; wait() collects it. The destructor ends it if it still does.
class tool_process {
  public:
    tool_process(std::vector<std::string> arguments, const run_options& how);
    tool_process(const tool_process&) = delete;
    tool_process& operator=(const tool_process&) = delete;
    ~tool_process();

    int id() const { return id_; }
    run_result wait();

  private:
    int id_ = -1;
    int out_ = -1;
    int err_ = -1;
};

// skein ARGUMENTS...
run_result run_skein(std::vector<std::string> arguments, const run_options& how = {});
// A shell command line, with `skein` being the program under test.
run_result run_shell(const std::string& line);

// In the child: permissions count, also for root.
void drop_file_privileges();

class scratch_folder {
  public:
    scratch_folder();
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder();

    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }
    std::vector<std::string> list() const;  // names in it, sorted

  private:
    std::string path_;
};

}  // namespace skein::test
