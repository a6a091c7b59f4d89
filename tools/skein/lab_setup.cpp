// SPDX-License-Identifier: Apache-2.0
#include "lab_setup.hpp"

#include <csignal>

#include "command.hpp"
#include "lab_netlink.hpp"
#include "lab_process.hpp"

namespace skein::tool {

namespace {

constexpr std::array<int, 3> interrupts = {SIGINT, SIGTERM, SIGHUP};

// Keeps an interrupt waiting, so that it can be answered between two steps. The commands inherit
// this: the terminal's Ctrl-C does not break one off half-way.
class held_interrupts {
  public:
    held_interrupts() {
        sigset_t held;
        ::sigemptyset(&held);
        for (int number : interrupts)
            ::sigaddset(&held, number);
        ::sigprocmask(SIG_BLOCK, &held, &before_);
    }
    ~held_interrupts() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
    held_interrupts(const held_interrupts&) = delete;
    held_interrupts& operator=(const held_interrupts&) = delete;

    bool pending() const {
        sigset_t waiting;
        ::sigpending(&waiting);
        for (int number : interrupts) {
            if (::sigismember(&waiting, number) == 1) return true;
        }
        return false;
    }

  private:
    sigset_t before_{};
};

// Runs the steps and remembers which namespaces are its own.
class builder {
  public:
    void operator()(const make_namespace& step) {
        run_or_fail(as_argv(step));
        made_.push_back(step.name);
    }
    void operator()(const run_command& step) { run_or_fail(step.argv); }
    void operator()(const limit_sizes& step) {
        set_size_limits(step.space, step.device, step.bytes);
    }

    const std::vector<std::string>& made() const noexcept { return made_; }

  private:
    std::vector<std::string> made_;
};

// A pair goes when one of its ends goes; an end that is not there is no failure.
void remove_devices(const std::string& space) {
    for (const lab_end& end : lab_ends) {
        if (lab_namespace(end.name) == space)
            run_process({"ip", "-n", space, "link", "delete", "dev", std::string(end.device)});
    }
}

void remove_namespaces(const std::vector<std::string>& spaces) {
    for (const std::string& space : spaces)
        remove_devices(space);
    for (const std::string& space : spaces)
        run_or_fail({"ip", "netns", "delete", space});
}

void refuse_if_up() {
    const std::vector<std::string> found = lab_namespaces();
    if (found.empty()) return;
    std::string names;
    for (const std::string& space : found)
        names += (names.empty() ? "" : ", ") + space;
    const bool whole = found.size() == lab_names.size();
    throw command_failure((whole ? "a lab is already up: " : "a part of a lab is there: ") + names,
                          "take it down: skein lab down");
}

void run_steps(builder& build, const std::vector<lab_step>& plan) {
    const held_interrupts held;
    try {
        for (const lab_step& step : plan) {
            std::visit(build, step);
            if (held.pending()) throw command_failure("interrupted; what was made is removed");
        }
    } catch (...) {
        remove_namespaces(build.made());
        throw;
    }
}

}  // namespace

void bring_up(const std::vector<lab_step>& plan) {
    refuse_if_up();
    builder build;
    run_steps(build, plan);
}

removal take_down() {
    const held_interrupts held;
    removal done;
    done.spaces = lab_namespaces();
    for (const std::string& space : done.spaces) {
        const std::vector<inhabitant> inside = inhabitants(space);
        done.still_inside.insert(done.still_inside.end(), inside.begin(), inside.end());
    }
    remove_namespaces(done.spaces);
    return done;
}

}  // namespace skein::tool
