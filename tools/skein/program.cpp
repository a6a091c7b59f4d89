// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <new>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <skein/version.hpp>
#include <skein/xsk/error.hpp>

#include "build_info.hpp"
#include "help.hpp"
#include "standard_output.hpp"

namespace skein::tool {

namespace {

using json = nlohmann::ordered_json;

constexpr int failed = 1;
constexpr int usage = 2;

// Also before, and where parsing fails: an error in the command line is reported in JSON, too.
bool asks_for_json(std::span<const char* const> arguments) {
    for (const std::string_view argument : arguments) {
        if (argument == "--") return false;
        if (argument == "--json") return true;
    }
    return false;
}

std::string line_of(const json& document) {
    return document.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

int report_error(bool in_json, int code, const std::string& what, const std::string& remedy) {
    if (in_json) {
        print_out(line_of({{"error", {{"what", what}, {"remedy", remedy}}}}));
    } else {
        print_error(fmt::format("skein: {}\n", what));
        if (!remedy.empty()) print_error(fmt::format("  remedy: {}\n", remedy));
    }
    return code;
}

std::string version() {
    return fmt::format("{}.{}.{}", header_version.major, header_version.minor,
                       header_version.patch);
}

void add_version(CLI::App& app) {
    const auto ask = [] {
        throw text_request{fmt::format("skein {} (commit {})\n", version(), build_commit),
                           {{"name", "skein"}, {"version", version()}, {"commit", build_commit}}};
    };
    app.add_flag_callback("--version", ask, "print name, version and commit");
}

// The innermost command that was named, for its help.
const CLI::App& named_command(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : named_command(*chosen.front());
}

std::string full_name(const CLI::App& command) {
    const auto* parent = command.get_parent();
    return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

class program {
  public:
    program(std::span<const char* const> arguments, std::span<const add_command> commands)
        : in_json_(asks_for_json(arguments.subspan(1))) {
        app_.name("skein");
        app_.formatter(help_format());
        app_.set_help_flag("-h,--help", "print this help");
        add_version(app_);
        app_.footer("Each command has its own help: skein COMMAND --help");
        for (const auto add : commands)
            add(app_, chosen_);
    }

    int run(std::span<const char* const> arguments) {
        try {
            app_.parse(static_cast<int>(arguments.size()), arguments.data());
            if (!chosen_.run) throw usage_failure("a command is required", "see skein --help");
            chosen_.json = chosen_.json || in_json_;
            return chosen_.run();
        } catch (const CLI::CallForHelp&) {
            return print({help(), {{"help", help()}}});
        } catch (const text_request& asked) {
            return print(asked);
        } catch (const CLI::ParseError& e) {
            const auto name = full_name(named_command(app_));
            return report_error(in_json_, usage, e.what(), fmt::format("see {} --help", name));
        } catch (const usage_failure& e) {
            return report_error(in_json_, usage, e.what(), e.remedy());
        } catch (const command_failure& e) {
            return report_error(in_json_, failed, e.what(), e.remedy());
        } catch (const xsk::setup_error& e) {
            return report_error(in_json_, failed, e.what(), e.remedy());
        } catch (const std::bad_alloc&) {
            return report_error(in_json_, failed, "out of memory", "give fewer --frames");
        } catch (const closed_pipe&) {
            return 0;
        } catch (const std::exception& e) {
            return report_error(in_json_, failed, e.what(), {});
        }
    }

  private:
    std::string help() const {
        const auto& command = named_command(app_);
        return command.help(command.get_parent() == nullptr ? ""
                                                            : full_name(*command.get_parent()));
    }

    int print(const text_request& asked) const {
        print_out(in_json_ ? line_of(asked.object) : asked.text);
        return 0;
    }

    CLI::App app_{"AF_XDP zero-copy packet I/O"};
    invocation chosen_;
    bool in_json_;
};

}  // namespace

int run_program(int argc, const char* const* argv, std::span<const add_command> commands) {
    const std::span<const char* const> arguments(argv, static_cast<std::size_t>(argc));
    try {
        prepare_standard_descriptors();
        return program(arguments, commands).run(arguments);
    } catch (const closed_pipe&) {
        return 0;
    } catch (const std::exception& e) {
        print_error(fmt::format("skein: {}\n", e.what()));
        return failed;
    }
}

}  // namespace skein::tool
