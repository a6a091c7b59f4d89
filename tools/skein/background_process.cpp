// SPDX-License-Identifier: Apache-2.0
#include "background_process.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include <skein/xsk/error.hpp>

#include "command.hpp"
#include "spawn.hpp"
#include "stop_signal.hpp"

namespace skein::tool {

namespace {

file_descriptor memory_file() {
    file_descriptor file(::memfd_create("output", MFD_CLOEXEC));
    if (file.number() < 0) throw command_failure("memfd_create: " + xsk::errno_text(errno));
    return file;
}

std::string content(const file_descriptor& file) {
    std::string text;
    std::array<char, 4096> chunk{};
    for (;;) {
        const auto at = static_cast<off_t>(text.size());
        const auto length = ::pread(file.number(), chunk.data(), chunk.size(), at);
        if (length <= 0) return text;
        text.append(chunk.data(), static_cast<std::size_t>(length));
    }
}

}  // namespace

background_process::background_process(const std::vector<std::string>& argv,
                                       const std::string& directory)
    : command_line_(joined(argv)), output_(memory_file()), errors_(memory_file()) {
    spawn_actions actions;
    actions.empty_stdin();
    actions.redirect(output_.number(), STDOUT_FILENO);
    actions.redirect(errors_.number(), STDERR_FILENO);
    if (!directory.empty()) actions.change_directory(directory);
    child_ = spawn(argv, actions);
}

background_process::~background_process() {
    if (ended()) return;
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
}

bool background_process::ended() {
    if (child_ < 0) return true;
    if (::waitpid(child_, &status_, WNOHANG) != child_) return false;
    child_ = -1;
    return true;
}

void background_process::interrupt() const noexcept {
    if (child_ > 0) ::kill(child_, SIGINT);
}

int background_process::wait(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!ended()) {
        if (std::chrono::steady_clock::now() >= deadline)
            throw command_failure("'" + command_line_ + "' does not end");
        sleep_unless_stopped(std::chrono::milliseconds{10});
    }
    return shell_status(status_);
}

std::string background_process::output() const {
    return content(output_);
}

std::string background_process::errors() const {
    return content(errors_);
}

void sleep_unless_stopped(std::chrono::milliseconds duration) {
    constexpr std::chrono::milliseconds look{20};
    for (auto left = duration; left.count() > 0; left -= look) {
        check_stop();
        std::this_thread::sleep_for(std::min(left, look));
    }
    check_stop();
}

}  // namespace skein::tool
