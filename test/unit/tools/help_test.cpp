// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <CLI/CLI.hpp>

#include "program.hpp"
#include "support/catch.hpp"

using namespace skein::tool;

namespace {

// Every command, and commands of commands.
std::vector<CLI::App*> commands_below(CLI::App& app) {
    std::vector<CLI::App*> all;
    for (auto* command : app.get_subcommands({})) {
        all.push_back(command);
        for (auto* below : commands_below(*command))
            all.push_back(below);
    }
    return all;
}

struct all_of_it {
    CLI::App app;
    invocation chosen;

    all_of_it() {
        for (const auto add : all_commands())
            add(app, chosen);
    }
};

}  // namespace

TEST_CASE("help states a text, a unit and a default for every option of every command") {
    all_of_it skein;
    const auto format = std::dynamic_pointer_cast<CLI::Formatter>(help_format());
    std::size_t looked_at = 0;
    for (const auto* command : commands_below(skein.app)) {
        for (const auto* option : command->get_options()) {
            if (option->get_group().empty()) continue;  // hidden
            CAPTURE(command->get_name(), option->get_name());
            ++looked_at;
            CHECK_FALSE(option->get_description().empty());
            const bool flag = option->get_expected_min() == 0;
            if (flag || option->get_positional()) continue;
            const auto line = format->make_option(option, false);
            CHECK_FALSE(option->get_type_name().empty());
            CHECK(option->get_type_name() != "TEXT");
            CHECK(option->get_type_name() != "UINT");
            CHECK((line.find("(default:") != std::string::npos || option->get_required()));
        }
    }
    CHECK(looked_at > 15);
}

TEST_CASE("every command has examples that begin with its name") {
    all_of_it skein;
    for (auto* command : skein.app.get_subcommands({})) {
        CAPTURE(command->get_name());
        try {
            command->parse("--list-examples");
            FAIL("no --list-examples");
        } catch (const text_request& asked) {
            CHECK(asked.text.find("skein " + command->get_name()) != std::string::npos);
            CHECK(asked.object.size() >= 1);
        }
        CHECK(command->get_footer().find("Examples:") == 0);
        CHECK(command->help().find("--list-examples") != std::string::npos);
    }
}

TEST_CASE("whole numbers are whole and within bounds") {
    auto check = whole_number(1, 1000);
    for (std::string good : {"1", "1000", "042"})
        CHECK(check(good).empty());
    for (std::string bad : {"0", "1001", "", "-1", "+1", "1.0", "1e2", "0x1", " 1", "1 ", "x",
                            "99999999999999999999999"}) {
        CHECK(check(bad) == bad + " is not a whole number from 1 to 1000");
    }
}

TEST_CASE("texts are broken into lines, defaults stand behind them") {
    CLI::App app;
    app.formatter(help_format());
    std::string value;
    const std::string text(40, 'a');
    app.add_option("--thing", value, text + " " + text)->type_name("BYTES")->default_str("12");
    const auto help = app.help();
    CHECK(help.find("--thing BYTES") != std::string::npos);
    CHECK(help.find(text + "\n" + std::string(32, ' ') + text + " (default: 12)") !=
          std::string::npos);
    CHECK(help.find("\n\n\n") == std::string::npos);
}
