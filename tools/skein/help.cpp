// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <charconv>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace skein::tool {

namespace {

constexpr std::size_t first_column = 32;
constexpr std::size_t line_length = 100;

// Breaks a text into lines that fit beside the first column.
std::string wrapped(std::string_view text) {
    constexpr auto width = line_length - first_column;
    std::string lines;
    while (text.size() > width) {
        const auto space = text.rfind(' ', width);
        if (space == std::string_view::npos) break;
        lines.append(text.substr(0, space)).append("\n");
        text.remove_prefix(space + 1);
    }
    return lines.append(text);
}

class help_formatter final : public CLI::Formatter {
  public:
    help_formatter() { column_width(first_column); }

    std::string make_help(const CLI::App* command, std::string name,
                          CLI::AppFormatMode mode) const override {
        auto text = CLI::Formatter::make_help(command, std::move(name), mode);
        for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) {
            text.erase(at, 1);
        }
        return text;
    }

    // The list of commands has room for the first line of what they do.
    std::string make_subcommand(const CLI::App* command) const override {
        const auto text = command->get_description();
        std::stringstream out;
        CLI::detail::format_help(out, command->get_name(), text.substr(0, text.find('\n')),
                                 first_column);
        return out.str();
    }

    // What a positional argument is, its name and text say.
    std::string make_option_opts(const CLI::Option* option) const override {
        const bool plain = option->get_positional() && option->get_type_name() == "TEXT";
        if (is_flag(*option) || plain || option->get_type_name().empty()) return {};
        return " " + option->get_type_name();
    }

    // An option that says nothing of a default has none.
    std::string make_option_desc(const CLI::Option* option) const override {
        const auto text = option->get_description();
        const bool told = text.find("(default:") != std::string::npos;
        const bool needed = option->get_positional() || option->get_required();
        auto value = option->get_default_str();
        if (value.empty() && !told && !needed && !is_flag(*option)) value = "none";
        return wrapped(value.empty() ? text : fmt::format("{} (default: {})", text, value));
    }

  private:
    static bool is_flag(const CLI::Option& option) { return option.get_expected_min() == 0; }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() {
    return std::make_shared<help_formatter>();
}

void add_examples(CLI::App& command, std::span<const example> examples) {
    std::string footer = "Examples:";
    for (const auto& one : examples) {
        footer += fmt::format("\n  # {}\n  {}", one.purpose, one.command_line);
    }
    command.footer(footer);
    const auto list = [examples] {
        text_request request{{}, nlohmann::ordered_json::array()};
        for (const auto& one : examples) {
            request.text += fmt::format("{}\n", one.command_line);
            request.object.push_back(one.command_line);
        }
        throw request;
    };
    command.add_flag_callback("--list-examples", list, "print the examples alone, one a line");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    const auto check = [least, most](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto* end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value);
        const bool whole = error == std::errc{} && stopped == end;
        if (whole && value >= least && value <= most) return {};
        return fmt::format("{} is not a whole number from {} to {}", text, least, most);
    };
    return CLI::Validator(check, "");
}

}  // namespace skein::tool
