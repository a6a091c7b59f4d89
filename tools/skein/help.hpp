// SPDX-License-Identifier: Apache-2.0
// How help looks: options with unit and default, and examples that a test can run.
//
//     -o,--out FILE               where packets go: pcapng if ... (default: nowhere)
//     --frames FRAMES             frames of memory, 1 to 1048576 (default: 4096)
//
// Each command keeps its examples in one table. Help prints them, and the option --list-examples
// prints the bare command lines, one a line, for scripts and for the test that runs them all.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace CLI {
class App;
class FormatterBase;
class Validator;
}  // namespace CLI

namespace skein::tool {

struct example {
    std::string_view command_line;  // as typed in a shell
    std::string_view purpose;
};

// The table must be static.
void add_examples(CLI::App& command, std::span<const example> examples);

std::shared_ptr<CLI::FormatterBase> help_format();

// A whole number from `least` to `most`; the error names both.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

// Thrown by an option that asks for a text instead of a run (--version, --list-examples): main()
// prints it and ends with 0.
struct text_request {
    std::string text;
    nlohmann::ordered_json object;  // what --json prints instead
};

}  // namespace skein::tool
