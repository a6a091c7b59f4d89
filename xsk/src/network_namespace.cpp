// SPDX-License-Identifier: Apache-2.0
#include "network_namespace.hpp"

#include <cerrno>
#include <exception>
#include <system_error>
#include <thread>

#include <skein/xsk/error.hpp>

#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

[[noreturn]] void fail(int error_number, const std::string& name) {
    setup_failure failure{.operation = "enter network namespace " + name};
    if (error_number == ENOENT || error_number == ENOTDIR) {
        failure.cause = "there is none of that name";
        failure.remedy = "`ip netns list` shows those there are; give one of them, or a path";
    } else if (error_number == EINVAL || error_number == EISDIR) {
        failure.cause = "it is no network namespace";
        failure.remedy = "give a name of `ip netns list`, or a path such as /proc/PID/ns/net";
    } else if (error_number == EPERM || error_number == EACCES) {
        failure.cause = "not permitted";
        failure.remedy = "run as root or with CAP_SYS_ADMIN, or inside that namespace";
    }
    throw setup_error(error_number, std::move(failure));
}

// A name is a file in /run/netns, which ip(8) made; "." and ".." are none.
std::string path_of(const std::string& name) {
    if (name.find('/') != name.npos) return name;
    if (name == "." || name == "..") fail(ENOENT, name);
    return "/run/netns/" + name;
}

}  // namespace

network_namespace::network_namespace(const std::string& name) : name_(name) {
    if (name_.empty()) return;
    fd_ = sys::open_namespace(path_of(name_));
    if (fd_ < 0) fail(-fd_, name_);
}

network_namespace::~network_namespace() {
    if (fd_ >= 0) sys::close(fd_);
}

void network_namespace::enter(const std::function<void()>& work) const {
    std::exception_ptr failure;
    const auto inside = [&] {
        try {
            if (const int status = sys::enter_namespace(fd_); status < 0) fail(-status, name_);
            work();
        } catch (...) {
            failure = std::current_exception();
        }
    };
    try {
        std::thread(inside).join();
    } catch (const std::system_error& error) {
        throw setup_error(error.code().value(), {.operation = "enter network namespace " + name_,
                                                 .cause = "no thread could be started",
                                                 .remedy = "raise the limit on processes"});
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace skein::inline v0::xsk
