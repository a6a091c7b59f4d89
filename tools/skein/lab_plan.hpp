// SPDX-License-Identifier: Apache-2.0
// What `skein lab up` is going to do, as a list of steps: plan first, run later.
//
//     skein-client             skein-middle              skein-server
//     client0 ───────────── left        right ─────────── server0
//     10.77.0.1/24            (no addresses)             10.77.0.2/24
//     fd77::1/64                                         fd77::2/64
//
// Client and server are in one subnet: nothing joins them until a transparent bridge (`skein
// forward left right`) runs in the middle. The middle ends have no IPv6 of their own, so that every
// frame seen there is a frame to carry. Checksum and tag offload are off at the ends: with them
// veth hands out packets whose checksum nobody filled in and whose VLAN tag lies outside the frame.
//
// Planning is pure: it touches nothing, and `lab up --dry-run` prints the steps for copying.
// Sources: veth(4), ip-link(8), ip-netns(8); Linux 6.18 drivers/net/veth.c.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace skein::tool {

inline constexpr std::array<std::string_view, 3> lab_names = {"client", "middle", "server"};

struct lab_end {
    std::string_view name;    // "client", "middle", "server"
    std::string_view device;  // its name inside that namespace
};

inline constexpr std::array<lab_end, 4> lab_ends = {
    {{"client", "client0"}, {"middle", "left"}, {"middle", "right"}, {"server", "server0"}}};

// The name ip(8) knows it by: "skein-client".
std::string lab_namespace(std::string_view name);

struct lab_options {
    std::uint32_t queues = 1;         // receive and transmit queues of every end, 1 to 4096
    std::uint32_t mtu = 1500;         // bytes, every end, 68 to 65535
    std::uint32_t big_tcp_bytes = 0;  // 65536 to 524280; 0 leaves the kernel's size limits alone
    bool ipv6 = true;                 // false where the running kernel has none
};

// IPv6 needs links of 1280 bytes (RFC 8200 §5); below that the lab speaks IPv4 only.
bool lab_has_ipv6(const lab_options& options);

struct make_namespace {
    std::string name;
};

struct run_command {
    std::vector<std::string> argv;
};

// The four size limits of a device (gso, gro, and both for IPv4). `ip` has known the last two only
// since 6.3, so this step speaks to the kernel itself; as text it is what a recent `ip` would do.
struct limit_sizes {
    std::string space;
    std::string device;
    std::uint32_t bytes;
};

using lab_step = std::variant<make_namespace, run_command, limit_sizes>;

// Throws usage_failure where an option is out of range.
std::vector<lab_step> plan_lab(const lab_options& options);

// The step as a command line. No word of it needs quoting.
std::vector<std::string> as_argv(const lab_step& step);
std::string as_text(const lab_step& step);

}  // namespace skein::tool
