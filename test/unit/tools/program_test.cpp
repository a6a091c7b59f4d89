// SPDX-License-Identifier: Apache-2.0
// What commands throw, and what the program makes of it. The rest is tested on the program itself.
#include "program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <new>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <skein/xsk/error.hpp>

#include "standard_output.hpp"
#include "support/catch.hpp"

using namespace skein::tool;

namespace {

// Everything written to a descriptor while this exists.
class redirected {
  public:
    explicit redirected(int number)
        : number_(number), before_(::dup(number)), file_(std::tmpfile()) {
        ::dup2(::fileno(file_), number_);
    }
    redirected(const redirected&) = delete;
    redirected& operator=(const redirected&) = delete;
    ~redirected() {
        ::dup2(before_, number_);
        ::close(before_);
        std::fclose(file_);
    }
    std::string text() const {
        std::array<char, 4096> bytes{};
        const auto n = ::pread(::fileno(file_), bytes.data(), bytes.size(), 0);
        return {bytes.data(), static_cast<std::size_t>(n)};
    }

  private:
    int number_;
    int before_;
    std::FILE* file_;
};

std::function<int()> body;  // of the command below

void add_trial(CLI::App& app, invocation& chosen) {
    auto& command = *app.add_subcommand("trial", "runs what the test says");
    command.add_flag("--json", chosen.json);
    command.callback([&chosen] { chosen.run = body; });
}

struct outcome {
    int code;
    std::string out;
    std::string err;
};

outcome run(std::vector<const char*> arguments) {
    static constexpr std::array<add_command, 1> commands{add_trial};
    const redirected out(STDOUT_FILENO);
    const redirected err(STDERR_FILENO);
    const int code = run_program(static_cast<int>(arguments.size()), arguments.data(), commands);
    return {code, out.text(), err.text()};
}

// Runs a command that does `what`, in both forms; checks that they tell the same.
void check_error(std::function<int()> what, int code, const std::string& text,
                 const std::string& remedy) {
    body = std::move(what);
    const auto plain = run({"skein", "trial"});
    CHECK(plain.code == code);
    CHECK(plain.out.empty());
    CHECK(plain.err ==
          "skein: " + text + "\n" + (remedy.empty() ? "" : "  remedy: " + remedy + "\n"));
    const auto in_json = run({"skein", "trial", "--json"});
    CHECK(in_json.code == code);
    CHECK(in_json.err.empty());
    const nlohmann::ordered_json expected{{"error", {{"what", text}, {"remedy", remedy}}}};
    CHECK(in_json.out == expected.dump() + "\n");
}

}  // namespace

TEST_CASE("a command's return value is the exit code") {
    body = [] {
        print_out("done\n");
        return 0;
    };
    const auto ran = run({"skein", "trial"});
    CHECK(ran.code == 0);
    CHECK(ran.out == "done\n");
    body = [] { return 1; };
    CHECK(run({"skein", "trial"}).code == 1);
}

TEST_CASE("what a command throws becomes an exit code and an error with its remedy") {
    check_error([]() -> int { throw command_failure("it broke", "mend it"); }, 1, "it broke",
                "mend it");
    check_error([]() -> int { throw command_failure("it broke"); }, 1, "it broke", "");
    check_error([]() -> int { throw usage_failure("no sense", "make some"); }, 2, "no sense",
                "make some");
    check_error(
        []() -> int {
            throw skein::xsk::setup_error(EBUSY, {.operation = "bind",
                                                  .interface = "veth0",
                                                  .queue = 3,
                                                  .remedy = "choose another queue"});
        },
        1, "bind on veth0 queue 3: EBUSY (Device or resource busy)", "choose another queue");
    check_error([]() -> int { throw std::runtime_error("surprise"); }, 1, "surprise", "");
    check_error([]() -> int { throw std::bad_alloc(); }, 1, "out of memory", "give fewer --frames");
}

TEST_CASE("an error that is no text is still JSON") {
    body = []() -> int { throw command_failure("open \xff\xfe: ENOENT"); };
    const auto ran = run({"skein", "trial", "--json"});
    CHECK(nlohmann::json::accept(ran.out));
}

TEST_CASE("a reader that went away is no failure") {
    body = []() -> int { throw closed_pipe(); };
    const auto ran = run({"skein", "trial"});
    CHECK(ran.code == 0);
    CHECK(ran.out.empty());
    CHECK(ran.err.empty());
}

TEST_CASE("the option --json behind -- is not the program's") {
    body = [] { return 0; };
    const auto ran = run({"skein", "trial", "--no-such", "--", "--json"});
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("skein: ") == 0);
}
