// SPDX-License-Identifier: Apache-2.0
// What the live tests of the XDP program's loader share: a foreign program, frames on a cable,
// processes that own a program.
#pragma once

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <skein/xsk/error.hpp>
#include <skein/xsk/program.hpp>

#include "support/child_process.hpp"
#include "support/network_namespace.hpp"

namespace skein::test {

// A program of somebody else, that passes everything.
class foreign_program {
  public:
    static constexpr const char* name = "somebody_else";

    foreign_program() {
        const std::array<bpf_insn, 2> pass = {
            {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, XDP_PASS}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}}};
        fd_ = ::bpf_prog_load(BPF_PROG_TYPE_XDP, name, "GPL", pass.data(), pass.size(), nullptr);
        REQUIRE(fd_ >= 0);
    }
    foreign_program(const foreign_program&) = delete;
    foreign_program& operator=(const foreign_program&) = delete;
    ~foreign_program() {
        ::close(link_);
        ::close(fd_);
    }

    void attach_by_netlink(int interface, std::uint32_t flags = XDP_FLAGS_DRV_MODE) const {
        REQUIRE(::bpf_xdp_attach(interface, fd_, flags, nullptr) == 0);
    }
    void attach_by_link(int interface, std::uint32_t flags = XDP_FLAGS_DRV_MODE) {
        LIBBPF_OPTS(bpf_link_create_opts, options, .flags = flags);
        link_ = ::bpf_link_create(fd_, interface, BPF_XDP, &options);
        REQUIRE(link_ >= 0);
    }

  private:
    int fd_ = -1;
    int link_ = -1;
};

// Frames of 60 bytes, of an EtherType for experiments, put on a cable's end.
inline void send_frames(int interface, int count) {
    const int fd = ::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    REQUIRE(fd >= 0);
    sockaddr_ll to{};
    to.sll_family = AF_PACKET;
    to.sll_ifindex = interface;
    std::array<unsigned char, 60> frame{};
    frame.fill(0x02);
    frame[12] = 0x88;
    frame[13] = 0xb5;
    for (int i = 0; i < count; ++i)
        REQUIRE(::sendto(fd, frame.data(), frame.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                         sizeof to) == static_cast<ssize_t>(frame.size()));
    ::close(fd);
}

template <class Condition>
bool comes_true(Condition condition) {
    for (int i = 0; i < 200; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

// A process that has attached a program to the interface and holds it.
inline child_process owner_of(const std::string& interface, xsk::attach_method method) {
    return child_process([=] {
        auto* program = new xsk::redirect_program({.interface = interface, .method = method});
        return "attached " + std::to_string(program->attached().program_id);
    });
}

// What a failing set-up says: "what; remedy".
template <class Action>
std::string failure_of(Action action) {
    try {
        action();
    } catch (const xsk::setup_error& error) {
        return std::string(error.what()) + "; " + error.remedy();
    }
    return "no failure";
}

}  // namespace skein::test
