// SPDX-License-Identifier: Apache-2.0
// Starting another program without a shell.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace skein::tool {

// What happens to the child's descriptors and directory before it becomes the program.
class spawn_actions {
  public:
    spawn_actions();
    spawn_actions(const spawn_actions&) = delete;
    spawn_actions& operator=(const spawn_actions&) = delete;
    ~spawn_actions();

    void redirect(int from, int to);
    void empty_stdin();
    void change_directory(const std::string& path);

    const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

// Starts argv, found through PATH, with this process's environment. Throws command_failure.
pid_t spawn(const std::vector<std::string>& argv, const spawn_actions& actions);

// A waitpid() status as the shell counts: the exit code, or 128 + signal.
int shell_status(int wait_status) noexcept;

// The words with blanks between them, for messages.
std::string joined(const std::vector<std::string>& argv);

}  // namespace skein::tool
