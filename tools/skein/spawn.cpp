// SPDX-License-Identifier: Apache-2.0
#include "spawn.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <skein/xsk/error.hpp>

#include "command.hpp"

extern char** environ;

namespace skein::tool {

namespace {

std::vector<char*> c_strings(const std::vector<std::string>& argv) {
    std::vector<char*> pointers;
    for (const std::string& word : argv)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

spawn_actions::spawn_actions() {
    ::posix_spawn_file_actions_init(&actions_);
}

spawn_actions::~spawn_actions() {
    ::posix_spawn_file_actions_destroy(&actions_);
}

void spawn_actions::redirect(int from, int to) {
    ::posix_spawn_file_actions_adddup2(&actions_, from, to);
}

void spawn_actions::empty_stdin() {
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
}

void spawn_actions::change_directory(const std::string& path) {
    ::posix_spawn_file_actions_addchdir_np(&actions_, path.c_str());
}

pid_t spawn(const std::vector<std::string>& argv, const spawn_actions& actions) {
    pid_t child = 0;
    const int failed = ::posix_spawnp(&child, argv.front().c_str(), actions.get(), nullptr,
                                      c_strings(argv).data(), environ);
    if (failed != 0)
        throw command_failure("cannot start '" + argv.front() + "': " + xsk::errno_text(failed));
    return child;
}

int shell_status(int wait_status) noexcept {
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

std::string joined(const std::vector<std::string>& argv) {
    std::string text;
    for (const std::string& word : argv)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

}  // namespace skein::tool
