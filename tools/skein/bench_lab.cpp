// SPDX-License-Identifier: Apache-2.0
#include "bench_lab.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <skein/xsk/error.hpp>

#include "command.hpp"
#include "lab_namespace.hpp"
#include "lab_plan.hpp"
#include "lab_process.hpp"
#include "lab_setup.hpp"

namespace skein::tool {

namespace {

void mount_or_fail(const char* what, const char* where, const char* kind, unsigned long flags) {
    if (::mount(what, where, kind, flags, nullptr) == 0) return;
    throw command_failure(std::string("cannot mount on ") + where + ": " + xsk::errno_text(errno),
                          "the benchmark needs root with CAP_SYS_ADMIN");
}

// A /run/netns that no other process sees.
void hide_names() {
    if (::unshare(CLONE_NEWNS) != 0)
        throw command_failure("cannot make a mount namespace: " + xsk::errno_text(errno),
                              "the benchmark needs root with CAP_SYS_ADMIN");
    mount_or_fail("none", "/", nullptr, MS_REC | MS_PRIVATE);
    std::filesystem::create_directories("/run/netns");
    mount_or_fail("skein-bench", "/run/netns", "tmpfs", 0);
}

}  // namespace

bench_lab::bench_lab() {
    if (::geteuid() != 0)
        throw command_failure("skein bench io needs root: it makes network namespaces",
                              "run it as root, for instance with sudo");
    require_programs();
    hide_names();
    // IPv6 would only send packets of its own between those that are counted.
    bring_up(plan_lab({.ipv6 = false}));
    for (const auto name : lab_names)
        run_process({"ip", "netns", "exec", lab_namespace(name), "sysctl", "-qw",
                     "net.ipv6.conf.all.disable_ipv6=1"});
}

bench_lab::~bench_lab() {
    try {
        take_down();
    } catch (const std::exception&) {  // the namespaces go with this process
    }
}

std::vector<std::string> bench_lab::inside(std::string_view name, unsigned cpu,
                                           const std::vector<std::string>& argv) const {
    std::vector<std::string> all = {"ip", "netns", "exec", lab_namespace(name)};
    all.insert(all.end(), {"taskset", "--cpu-list", std::to_string(cpu)});
    all.insert(all.end(), {"setpriv", "--pdeathsig", "KILL"});  // not to outlive a kill -9
    all.insert(all.end(), argv.begin(), argv.end());
    return all;
}

std::uint64_t bench_lab::received(std::string_view name, const std::string& device) const {
    const namespace_visit visit(lab_namespace(name));
    std::ifstream table("/proc/thread-self/net/dev");
    for (std::string line; std::getline(table, line);) {
        std::istringstream columns(line);
        std::string name_and_colon;
        std::uint64_t bytes = 0;
        std::uint64_t packets = 0;
        columns >> name_and_colon >> bytes >> packets;
        if (name_and_colon == device + ":") return packets;
    }
    throw command_failure("the benchmark's device " + device + " is gone");
}

bench_cpus choose_cpus() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    std::vector<unsigned> found;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE && found.size() < 2; ++cpu) {
        if (CPU_ISSET(cpu, &allowed)) found.push_back(cpu);
    }
    if (found.empty()) return {0, 0};
    return {found.front(), found.back()};
}

}  // namespace skein::tool
