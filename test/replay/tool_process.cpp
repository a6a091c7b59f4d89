// SPDX-License-Identifier: Apache-2.0
#include "replay/tool_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace skein::test {

namespace {

namespace fs = std::filesystem;

int temporary_file() {
    auto name = (fs::temp_directory_path() / "skein-test-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    if (file < 0) throw std::runtime_error("mkstemp");
    ::unlink(name.c_str());
    ::fcntl(file, F_SETFD, FD_CLOEXEC);
    return file;
}

std::string take_contents(int file) {
    std::string text;
    std::array<char, 4096> piece{};
    ::lseek(file, 0, SEEK_SET);
    for (ssize_t n; (n = ::read(file, piece.data(), piece.size())) > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(n));
    }
    ::close(file);
    return text;
}

}  // namespace

tool_process::tool_process(std::vector<std::string> arguments, const run_options& how)
    : out_(temporary_file()), err_(temporary_file()) {
    std::vector<char*> argv;
    for (auto& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    id_ = ::fork();
    if (id_ < 0) throw std::runtime_error("fork");
    if (id_ > 0) return;
    ::dup2(::open(how.input.c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(out_, STDOUT_FILENO);
    ::dup2(err_, STDERR_FILENO);
    if (how.in_child) how.in_child();
    ::execv(argv[0], argv.data());
    ::_exit(126);
}

tool_process::~tool_process() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    wait();
}

run_result tool_process::wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, take_contents(out_), take_contents(err_)};
}

run_result run_skein(std::vector<std::string> arguments, const run_options& how) {
    arguments.insert(arguments.begin(), SKEIN_BINARY);
    return tool_process(std::move(arguments), how).wait();
}

run_result run_shell(const std::string& line) {
    const auto folder = fs::path(SKEIN_BINARY).parent_path().string();
    return tool_process({"/bin/sh", "-c", "PATH=" + folder + ":$PATH; " + line}, {}).wait();
}

void drop_file_privileges() {
    constexpr unsigned long dac_override = 1;  // linux/capability.h
    constexpr unsigned long dac_read_search = 2;
    for (const auto capability : {dac_override, dac_read_search}) {
        ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
}

scratch_folder::scratch_folder() {
    path_ = (fs::temp_directory_path() / "skein-folder-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp");
}

scratch_folder::~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::vector<std::string> scratch_folder::list() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace skein::test
