// SPDX-License-Identifier: Apache-2.0
#include "bench_contender.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace skein::tool {

namespace {

class skein_contender final : public contender {
  public:
    explicit skein_contender(std::string wait) : wait_(std::move(wait)) {}

    std::string name() const override { return "skein"; }

    std::vector<std::string> command(const bench_case& what,
                                     std::chrono::seconds bound) const override {
        std::vector<std::string> argv = {own_path(), std::string(to_string(what.job))};
        if (what.job == bench_job::tx) {
            argv.insert(argv.end(), {"client0", "--size", std::to_string(what.size_bytes)});
        } else {
            argv.push_back("left");
        }
        if (what.job == bench_job::forward) argv.push_back("right");
        argv.insert(argv.end(), {"--mode", what.mode, "--wait", wait_, "--json", "--duration",
                                 std::to_string(bound.count())});
        return argv;
    }

    bench_tally tally(const std::string& output) const override {
        const auto line = nlohmann::json::parse(last_line(output), nullptr, false);
        if (!line.is_object() || !line.contains("final")) return {};
        return {.received = line["rx"]["packets"],
                .sent = line["tx"]["packets"],
                .calls = line["tx"]["calls"]};
    }

    std::string remedy(const std::string&) const override { return "ask: skein doctor"; }

  private:
    static std::string last_line(const std::string& text) {
        std::istringstream lines(text);
        std::string last;
        for (std::string line; std::getline(lines, line);)
            last = line;
        return last;
    }

    std::string wait_;
};

// A table row of xdpsock, a name of 18 columns, a rate, a count: the last count of that name.
std::uint64_t last_count(const std::string& output, const std::string& name) {
    const auto row = fmt::format("{:18} ", name);
    std::istringstream lines(output);
    std::uint64_t count = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.compare(0, row.size(), row) != 0) continue;
        const auto last_word = line.find_last_not_of(' ');
        const auto start = line.find_last_of(' ', last_word) + 1;
        std::uint64_t value = 0;
        std::from_chars(line.data() + start, line.data() + last_word + 1, value);
        count = value;
    }
    return count;
}

class xdpsock_contender final : public contender {
  public:
    explicit xdpsock_contender(std::filesystem::path program) : program_(std::move(program)) {}

    std::string name() const override { return "xdpsock"; }

    std::vector<std::string> command(const bench_case& what,
                                     std::chrono::seconds bound) const override {
        constexpr std::uint32_t fcs_bytes = 4;
        const bool transmits = what.job == bench_job::tx;
        std::vector<std::string> argv = {"env", "LC_ALL=C", program_.string()};
        argv.insert(argv.end(), {job_option(what.job), "-i", transmits ? "client0" : "left"});
        argv.insert(argv.end(), {"-q", "0", what.mode == "native" ? "-N" : "-S", "-c", "-a"});
        argv.insert(argv.end(), {"-n", "1", "-d", std::to_string(bound.count())});
        if (transmits) argv.insert(argv.end(), {"-s", std::to_string(what.size_bytes + fcs_bytes)});
        return argv;
    }

    std::string directory() const override { return program_.parent_path().string(); }
    bool forwards_back() const override { return true; }
    // It prints its totals once a second.
    std::chrono::milliseconds lag() const override { return std::chrono::milliseconds{1200}; }

    bench_tally tally(const std::string& output) const override {
        bench_tally found{.received = last_count(output, "rx"), .sent = last_count(output, "tx")};
        for (const char* row : {"copy tx sendtos", "tx wakeup sendtos", "opt polls",
                                "rx empty polls", "fill fail polls"})
            found.calls += last_count(output, row);
        return found;
    }

    std::string remedy(const std::string& errors) const override {
        if (errors.find("RLIMIT_MEMLOCK") == std::string::npos)
            return "run it by hand: " + program_.string() + " --help";
        return "this machine does not let it raise RLIMIT_MEMLOCK, which it does not need: build "
               "it with that failure ignored";
    }

  private:
    static const char* job_option(bench_job job) noexcept {
        if (job == bench_job::rx) return "-r";
        return job == bench_job::tx ? "-t" : "-l";
    }

    std::filesystem::path program_;
};

}  // namespace

std::unique_ptr<contender> make_skein(const std::string& wait) {
    return std::make_unique<skein_contender>(wait);
}

std::unique_ptr<contender> make_peer(const std::string& text) {
    const auto equals = text.find('=');
    if (text.substr(0, equals) != "xdpsock" || equals == std::string::npos)
        throw usage_failure("no such peer: " + text, "known is xdpsock=PATH");
    std::error_code error;
    const auto path = std::filesystem::canonical(text.substr(equals + 1), error);
    if (error || ::access(path.c_str(), X_OK) != 0 || std::filesystem::is_directory(path))
        throw usage_failure(text.substr(equals + 1) + " is no program that can be run",
                            "build xdpsock of xdp-project/bpf-examples and name its path");
    return std::make_unique<xdpsock_contender>(path);
}

std::string own_path() {
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace skein::tool
