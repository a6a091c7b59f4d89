// SPDX-License-Identifier: Apache-2.0
#include "standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include <skein/xsk/error.hpp>

#include "command.hpp"

namespace skein::tool {

namespace {

// 0, or the errno that ended it.
int write_all(int file, std::string_view text) noexcept {
    while (!text.empty()) {
        const auto done = ::write(file, text.data(), text.size());
        if (done >= 0) {
            text.remove_prefix(static_cast<std::size_t>(done));
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

}  // namespace

void print_out(std::string_view text) {
    const int failed = write_all(STDOUT_FILENO, text);
    if (failed == EPIPE) throw closed_pipe();
    if (failed == 0) return;
    throw command_failure("write standard output: " + xsk::errno_text(failed),
                          "make room, or write elsewhere");
}

void print_error(std::string_view text) noexcept {
    write_all(STDERR_FILENO, text);
}

void prepare_standard_descriptors() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is this one: those below are open by now.
        static_cast<void>(::open("/dev/null", O_RDWR));
    }
    // A handler, not SIG_IGN: programs we start get the default action back.
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    nothing.sa_flags = SA_RESTART;
    ::sigaction(SIGPIPE, &nothing, nullptr);
}

}  // namespace skein::tool
