// SPDX-License-Identifier: Apache-2.0
// The XDP program's loader with fewer privileges than root's, and what it says about that.
#include <linux/capability.h>
#include <sys/syscall.h>

#include "netns/program_live.hpp"

using namespace skein::test;
using namespace skein::xsk;
using Catch::Contains;

namespace {

constexpr unsigned bit(unsigned capability) {
    return capability % 32;
}

// Keeps these of the process's capabilities, for the test's child process.
void keep_only(std::initializer_list<unsigned> capabilities) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2]{};
    for (const unsigned capability : capabilities) {
        data[capability / 32].effective |= 1u << bit(capability);
        data[capability / 32].permitted |= 1u << bit(capability);
    }
    if (::syscall(SYS_capset, &header, data) != 0) throw std::runtime_error("capset failed");
}

std::string one_line(std::string text) {
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text;
}

// What a process with these capabilities meets when it sets up a program.
std::string attempt(std::initializer_list<unsigned> capabilities, const program_options& options) {
    const child_process child([&] {
        keep_only(capabilities);
        std::string result;
        const auto failure = failure_of([&] {
            auto* program = new redirect_program(options);
            result = to_string(program->attached());
        });
        return one_line(result.empty() ? failure : result);
    });
    return child.report();
}

}  // namespace

TEST_CASE("without privileges the missing capabilities are named") {
    const network_namespace space;
    space.add_veth("cable");
    const auto said = attempt({}, {.interface = "cable"});
    CHECK_THAT(said, Contains("load XDP program on cable") && Contains("EPERM") &&
                         Contains("CAP_BPF") && Contains("CAP_NET_ADMIN"));
    CHECK_THAT(said, !Contains("ulimit") && !Contains("MEMLOCK"));
    CHECK_THAT(attempt({CAP_NET_ADMIN}, {.interface = "cable"}), Contains("CAP_BPF"));
    CHECK(attached_programs("cable").empty());
}

TEST_CASE("CAP_NET_ADMIN and CAP_BPF are enough") {
    const network_namespace space;
    space.add_veth("cable");
    CHECK_THAT(attempt({CAP_NET_ADMIN, CAP_BPF}, {.interface = "cable"}),
               Contains("native, link, program"));
}

TEST_CASE(
    "without CAP_SYS_ADMIN a program in the way is refused though its name is not to be seen") {
    const network_namespace space;
    space.add_veth("busy");
    foreign_program other;
    other.attach_by_netlink(space.index_of("busy"));
    const auto id = std::to_string(attached_programs("busy").at(0).id);
    CHECK_THAT(attempt({CAP_NET_ADMIN, CAP_BPF}, {.interface = "busy"}),
               Contains("program " + id + " (native") && Contains("CAP_SYS_ADMIN"));
    CHECK_THAT(attempt({CAP_NET_ADMIN, CAP_BPF}, {.interface = "busy", .replace = true}),
               Contains("remove program " + id) && Contains("ip link set busy xdp off"));
    CHECK(attached_programs("busy").size() == 1);
}

TEST_CASE("libxdp without CAP_SYS_ADMIN leaves nothing behind where it fails") {
    const network_namespace space;
    space.add_veth("cable");
    const auto said = attempt({CAP_NET_ADMIN, CAP_BPF},
                              {.interface = "cable", .method = attach_method::dispatcher});
    INFO(said);
    if (said.find("program ") == std::string::npos || said.find("; ") != std::string::npos)
        CHECK(attached_programs("cable").empty());
    else
        CHECK_THAT(said, Contains("libxdp without dispatcher"));
}

TEST_CASE("the libraries print nothing, whatever happens") {
    const network_namespace space;
    space.add_veth("narrow", 1, 4);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    {
        const child_process child([&] {
            ::dup2(ends[1], STDERR_FILENO);
            ::dup2(ends[1], STDOUT_FILENO);
            failure_of([] { redirect_program({.interface = "narrow", .mode = xdp_mode::native}); });
            redirect_program({.interface = "narrow", .method = attach_method::dispatcher});
            remove_leftovers("narrow");
            keep_only({});
            return failure_of([] { redirect_program({.interface = "narrow"}); });
        });
        CHECK_THAT(child.report(), Contains("EPERM"));
    }
    ::close(ends[1]);
    std::string printed(4096, '\0');
    const auto length = ::read(ends[0], printed.data(), printed.size());
    ::close(ends[0]);
    printed.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    CHECK(printed == "");
}
