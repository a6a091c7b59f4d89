// SPDX-License-Identifier: Apache-2.0
#include "lab_namespace.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

#include <skein/xsk/error.hpp>

#include "command.hpp"
#include "lab_plan.hpp"

namespace skein::tool {

namespace {

namespace fs = std::filesystem;

std::string path_of(const std::string& space) {
    return space.find('/') == space.npos ? "/run/netns/" + space : space;
}

[[noreturn]] void fail(const std::string& operation) {
    const int reason = errno;
    const bool no_namespace = reason == ENOENT || reason == EINVAL;
    const bool no_right = reason == EPERM || reason == EACCES;
    throw command_failure(operation + ": " + xsk::errno_text(reason),
                          no_namespace ? "give a name of `ip netns list`, or a path such as "
                                         "/proc/PID/ns/net"
                          : no_right   ? "run it as root, or with CAP_SYS_ADMIN"
                                       : "");
}

file_descriptor open_namespace(const std::string& path) {
    file_descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (opened.number() < 0) fail("open " + path);
    return opened;
}

void enter(const file_descriptor& space, const std::string& name) {
    if (::setns(space.number(), CLONE_NEWNET) != 0) fail("enter network namespace " + name);
}

std::optional<pid_t> as_pid(const std::string& text) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return pid;
}

bool is_same_file(const std::string& path, const struct stat& other) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 && found.st_dev == other.st_dev &&
           found.st_ino == other.st_ino;
}

// sysfs shows the network devices of the namespace it was mounted from: mount it anew, seen by this
// process alone.
void mount_own_sysfs(const std::string& space) {
    if (::unshare(CLONE_NEWNS) != 0) fail("unshare the mount namespace");
    if (::mount("", "/", "none", MS_SLAVE | MS_REC, nullptr) != 0) fail("make / a slave mount");
    struct statvfs before {};
    const bool read_only = ::statvfs("/sys", &before) == 0 && (before.f_flag & ST_RDONLY) != 0;
    ::umount2("/sys", MNT_DETACH);
    const unsigned long flags = read_only ? MS_RDONLY : 0;
    if (::mount(space.c_str(), "/sys", "sysfs", flags, nullptr) != 0) fail("mount /sys");
}

void reset_signals() {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
}

}  // namespace

bool namespace_exists(const std::string& space) {
    return fs::exists(path_of(space));
}

std::vector<std::string> lab_namespaces() {
    std::vector<std::string> found;
    for (std::string_view name : lab_names) {
        if (namespace_exists(lab_namespace(name))) found.push_back(lab_namespace(name));
    }
    return found;
}

std::vector<inhabitant> inhabitants(const std::string& space) {
    std::vector<inhabitant> found;
    struct stat wanted {};
    if (::stat(path_of(space).c_str(), &wanted) != 0) return found;
    std::error_code ignored;  // processes come and go while /proc is read
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::optional<pid_t> pid = as_pid(entry.path().filename());
        if (!pid || !is_same_file(entry.path() / "ns/net", wanted)) continue;
        std::string name;
        std::getline(std::ifstream(entry.path() / "comm"), name);
        found.push_back({*pid, name, space});
    }
    std::sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.pid < b.pid; });
    return found;
}

namespace_visit::namespace_visit(const std::string& space)
    : home_(open_namespace("/proc/self/ns/net")) {
    enter(open_namespace(path_of(space)), space);
}

// Failing to go home would leave the program working on the wrong devices: that must not go on.
namespace_visit::~namespace_visit() {
    enter(home_, "of this process");
}

void move_into(const std::string& space) {
    enter(open_namespace(path_of(space)), space);
    mount_own_sysfs(space);
}

void exec_inside(const std::string& space, const std::vector<std::string>& command) {
    move_into(space);
    reset_signals();
    std::vector<char*> argv;
    for (const std::string& word : command)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv.front(), argv.data());
    throw command_failure("cannot run '" + command.front() + "': " + xsk::errno_text(errno));
}

}  // namespace skein::tool
