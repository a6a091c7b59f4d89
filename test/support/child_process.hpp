// SPDX-License-Identifier: Apache-2.0
// A second process that a test can kill: runs a function, says when it is through, and then waits
// to be ended. It ends with the test in any case.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "support/catch.hpp"

namespace skein::test {

class child_process {
  public:
    // `body` returns what it has to report, one line. Whatever it holds by then must outlive it:
    // let it be static or a leaked object.
    template <class Body>
    explicit child_process(Body body) {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        id_ = ::fork();
        REQUIRE(id_ >= 0);
        if (id_ == 0) run(ends[1], body);
        ::close(ends[1]);
        char buffer[4096];
        for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
            report_.append(buffer, static_cast<std::size_t>(n));
            if (report_.back() == '\n') break;
        }
        ::close(ends[0]);
        if (!report_.empty()) report_.pop_back();
    }
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;
    ~child_process() { kill(); }

    pid_t id() const { return id_; }
    // Empty where the child died before it could report.
    const std::string& report() const { return report_; }

    // Like kill -9; returns when the process is gone.
    void kill() {
        kill_but_keep_zombie();
        if (id_ > 0) ::waitpid(id_, nullptr, 0);
        id_ = -1;
    }
    // The process is dead, its entry in the process table is not taken yet.
    void kill_but_keep_zombie() const {
        if (id_ <= 0) return;
        ::kill(id_, SIGKILL);
        siginfo_t info{};
        ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT);
    }

  private:
    template <class Body>
    [[noreturn]] static void run(int report_to, Body& body) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        std::string line;
        try {
            line = body();
        } catch (const std::exception& error) {
            line = std::string("threw: ") + error.what();
        }
        line += '\n';
        if (::write(report_to, line.data(), line.size()) < 0) ::_exit(1);
        for (;;)
            ::pause();
    }

    pid_t id_ = -1;
    std::string report_;
};

}  // namespace skein::test
