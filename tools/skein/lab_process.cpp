// SPDX-License-Identifier: Apache-2.0
#include "lab_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include <skein/xsk/error.hpp>

#include "command.hpp"
#include "file_descriptor.hpp"
#include "spawn.hpp"

namespace skein::tool {

namespace {

struct pipe_ends {
    file_descriptor read;
    file_descriptor write;
};

pipe_ends make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw command_failure("pipe: " + xsk::errno_text(errno));
    return {file_descriptor(ends[0]), file_descriptor(ends[1])};
}

struct needed_program {
    const char* name;
    const char* package;
};

constexpr std::array<needed_program, 3> needed_programs = {
    {{"ip", "iproute2"}, {"ethtool", "ethtool"}, {"sysctl", "procps"}}};

bool is_in_path(const std::string& path, const std::string& name) {
    for (std::size_t start = 0; start < path.size();) {
        const std::size_t end = std::min(path.find(':', start), path.size());
        const std::string candidate = path.substr(start, end - start) + "/" + name;
        if (end > start && ::access(candidate.c_str(), X_OK) == 0) return true;
        start = end + 1;
    }
    return false;
}

// Reads both pipes side by side until both are closed, so that neither can fill up and block.
void collect(const pipe_ends& out, const pipe_ends& err, process_result& result) {
    std::array<pollfd, 2> polled = {
        {{out.read.number(), POLLIN, 0}, {err.read.number(), POLLIN, 0}}};
    const std::array<std::string*, 2> sinks = {&result.out, &result.err};
    std::array<char, 4096> chunk{};
    while (polled[0].fd >= 0 || polled[1].fd >= 0) {
        if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
        for (std::size_t i = 0; i < polled.size(); ++i) {
            if (polled[i].fd < 0 || polled[i].revents == 0) continue;
            const ssize_t length = ::read(polled[i].fd, chunk.data(), chunk.size());
            if (length > 0) sinks[i]->append(chunk.data(), static_cast<std::size_t>(length));
            if (length == 0 || (length < 0 && errno != EINTR)) polled[i].fd = -1;
        }
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return shell_status(status);
}

}  // namespace

void require_programs() {
    const char* set = std::getenv("PATH");
    const std::string path = std::string(set == nullptr ? "" : set) + ":/usr/sbin:/sbin";
    ::setenv("PATH", path.c_str(), 1);
    for (const auto& [name, package] : needed_programs) {
        if (is_in_path(path, name)) continue;
        throw command_failure("the program '" + std::string(name) + "' was not found",
                              "install it: apt-get install " + std::string(package));
    }
}

process_result run_process(const std::vector<std::string>& argv) {
    pipe_ends out = make_pipe();
    pipe_ends err = make_pipe();
    spawn_actions actions;
    actions.empty_stdin();
    actions.redirect(out.write.number(), STDOUT_FILENO);
    actions.redirect(err.write.number(), STDERR_FILENO);
    const pid_t child = spawn(argv, actions);
    out.write.close();
    err.write.close();
    process_result result;
    collect(out, err, result);
    result.status = wait_for(child);
    return result;
}

std::string run_or_fail(const std::vector<std::string>& argv) {
    process_result result = run_process(argv);
    if (result.status == 0) return result.out;
    while (!result.err.empty() && result.err.back() == '\n')
        result.err.pop_back();
    const std::string reason =
        result.err.empty() ? "exit status " + std::to_string(result.status) : result.err;
    throw command_failure("'" + joined(argv) + "' failed: " + reason);
}

}  // namespace skein::tool
