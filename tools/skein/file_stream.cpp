// SPDX-License-Identifier: Apache-2.0
#include "file_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <skein/xsk/error.hpp>

#include "command.hpp"
#include "standard_output.hpp"
#include "stop_signal.hpp"

namespace skein::tool {

namespace {

std::string remedy_for(int error_number) {
    switch (error_number) {
        case ENOENT:
            return "check the name and that the folder exists";
        case EACCES:
        case EPERM:
            return "check the permissions of the file and its folder";
        case ENOSPC:
        case EDQUOT:
            return "make room, or write to another disk";
        case EISDIR:
            return "name a file, not a folder";
        default:
            return {};
    }
}

const std::string standard_output_name = "standard output";

[[noreturn]] void fail_on(const char* operation, const std::string& name, int error_number) {
    throw command_failure(fmt::format("{} {}: {}", operation, name, xsk::errno_text(error_number)),
                          remedy_for(error_number));
}

bool is_plain_file(int file) {
    struct stat about {};
    return ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

// The path a symbolic link stands for, so that the link survives a rename.
std::string resolved(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                           &std::free);
    return real ? real.get() : path;
}

}  // namespace

// --- input ---------------------------------------------------------------------------------------

input_file::input_file(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_.number() < 0) fail_on("open", name_, errno);
    struct stat about {};
    if (::fstat(file_.number(), &about) == 0 && S_ISDIR(about.st_mode)) {
        fail_on("open", name_, EISDIR);
    }
}

std::size_t input_file::read(std::span<std::byte> into) {
    for (;;) {
        const auto got = ::read(file_.number(), into.data(), into.size());
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) fail_on("read", name_, errno);
        check_stop();
    }
}

bool input_file::seekable() const {
    return is_plain_file(file_.number());
}

void input_file::rewind() {
    if (::lseek(file_.number(), 0, SEEK_SET) != 0) fail_on("rewind", name_, errno);
}

bool input_file::is_same_file(const std::string& path) const {
    struct stat mine {};
    struct stat other {};
    if (::fstat(file_.number(), &mine) != 0 || ::stat(path.c_str(), &other) != 0) return false;
    return S_ISREG(mine.st_mode) && mine.st_dev == other.st_dev && mine.st_ino == other.st_ino;
}

// --- output --------------------------------------------------------------------------------------

output_file::output_file(const std::string& path, output_style style)
    : name_(path == "-" ? standard_output_name : path), buffer_(buffer_bytes) {
    if (path == "-") {
        file_ = file_descriptor(::dup(STDOUT_FILENO));
        if (file_.number() < 0) fail("open", errno);
    } else {
        open(path, style);
    }
}

output_file::~output_file() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void output_file::open(const std::string& path, output_style style) {
    struct stat about {};
    const bool exists = ::stat(path.c_str(), &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) fail("open", EISDIR);
    if (style == output_style::whole_or_nothing && (!exists || S_ISREG(about.st_mode))) {
        if (exists && ::access(path.c_str(), W_OK) != 0) fail("open", errno);
        open_beside(resolved(path));
        if (exists) static_cast<void>(::fchmod(file_.number(), about.st_mode & 07777));
        return;
    }
    file_ = file_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file_.number() < 0) fail("open", errno);
    // Live capture must not hang behind a reader that stands still; replay may wait for one.
    if (style == output_style::as_it_comes) ::fcntl(file_.number(), F_SETFL, O_NONBLOCK);
}

void output_file::open_beside(const std::string& path) {
    path_ = path;
    const auto slash = path.rfind('/') + 1;  // 0 without any
    const auto hidden =
        fmt::format("{}.{}", path.substr(0, slash), path.substr(slash, NAME_MAX / 2));
    for (int attempt = 0; file_.number() < 0; ++attempt) {
        temporary_ = fmt::format("{}.{}.{}.part", hidden, ::getpid(), attempt);
        file_ = file_descriptor(
            ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (file_.number() >= 0 || (errno == EEXIST && attempt < 100)) continue;
        const int why = errno;
        temporary_.clear();
        fail("open", why);
    }
}

void output_file::flush() {
    write_out(std::span(buffer_).first(std::exchange(used_, 0)));
}

void output_file::write_around(std::span<const std::byte> bytes) {
    flush();
    if (bytes.size() > buffer_.size()) return write_out(bytes);
    write(bytes);
}

void output_file::write_out(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto done = ::write(file_.number(), bytes.data(), bytes.size());
        if (done >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(done));
        } else if (errno == EINTR) {
            check_stop();
        } else if (errno == EAGAIN) {
            wait_for_reader();
        } else {
            fail("write", errno);
        }
    }
}

// A pipe is full. Its reader may be slow, but not stand still.
void output_file::wait_for_reader() const {
    constexpr int patience_ms = 2000;
    constexpr int look_around_ms = 100;
    pollfd room{.fd = file_.number(), .events = POLLOUT, .revents = 0};
    for (int waited = 0; ::poll(&room, 1, look_around_ms) <= 0; waited += look_around_ms) {
        check_stop();
        if (waited >= patience_ms) fail("write", ETIMEDOUT);
    }
}

void output_file::commit() {
    flush();
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename to", errno);
    temporary_.clear();
}

void output_file::fail(const char* operation, int error_number) const {
    if (error_number == EPIPE && name_ == standard_output_name) throw closed_pipe();
    fail_on(operation, name_, error_number);
}

}  // namespace skein::tool
