// SPDX-License-Identifier: Apache-2.0
// How the commands of the skein program plug into it.
//
// Each command lives in a file of its own and offers one add_*_command function. It declares its
// options on a CLI11 subcommand and, in that subcommand's callback, stores in `invocation` what is
// to be run. main() parses, then runs it, and turns what is thrown into the contract's exit codes
// and error forms: 0 done, 1 failed (command_failure, skein::xsk::setup_error, any other
// exception), 2 usage (CLI11's errors, usage_failure).
//
// Help: every option states its unit (type_name) and its default; add_examples (help.hpp) prints
// the examples and lets a test run them.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace skein::tool {

struct invocation {
    std::function<int()> run;  // returns the exit code
    bool json = false;         // stdout carries JSON and nothing else
};

// The command could not do its work. `remedy` says what the user can do, empty where unknown.
class command_failure : public std::runtime_error {
  public:
    explicit command_failure(const std::string& what, std::string remedy_text = {})
        : std::runtime_error(what), remedy_(std::move(remedy_text)) {}
    const std::string& remedy() const noexcept { return remedy_; }

  private:
    std::string remedy_;
};

// The command line makes no sense: exit code 2.
class usage_failure : public command_failure {
  public:
    using command_failure::command_failure;
};

void add_doctor_command(CLI::App& app, invocation& chosen);
void add_lab_command(CLI::App& app, invocation& chosen);
void add_replay_command(CLI::App& app, invocation& chosen);
void add_rx_command(CLI::App& app, invocation& chosen);
void add_tx_command(CLI::App& app, invocation& chosen);
void add_forward_command(CLI::App& app, invocation& chosen);
void add_bench_command(CLI::App& app, invocation& chosen);

}  // namespace skein::tool
