// SPDX-License-Identifier: Apache-2.0
// What skein doctor finds out, and what it makes of it.
//
// Three steps, each of its own: facts are gathered (doctor_machine, doctor_peer, skein/xsk's
// discovery), problems are a pure function of them (doctor_problems), and both are shown as text
// (doctor_text) or JSON (doctor_json).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <skein/xsk/discovery.hpp>
#include <skein/xsk/program.hpp>

namespace skein::tool {

struct problem {
    std::string what;
    std::string remedy;

    bool operator==(const problem&) const = default;
};

struct machine_facts {
    std::string kernel;
    std::string architecture;
    std::vector<std::string> capabilities;  // effective, of those that skein can use
    std::vector<problem> missing;           // capabilities: which, and what for
    std::uint64_t memlock_bytes = 0;        // RLIMIT_MEMLOCK; the largest number: no limit
    std::uint64_t huge_pages = 0;           // of 2 MiB, reserved
    std::uint64_t huge_pages_free = 0;
    bool btf = false;
    bool bpffs = false;        // /sys/fs/bpf, for libxdp's dispatcher
    bool xdp_sockets = false;  // CONFIG_XDP_SOCKETS
    std::string congestion_control;
    std::uint64_t wmem_max_bytes = 0;

    bool has(std::string_view capability) const;
};

machine_facts inspect_machine();
std::vector<problem> problems_of(const machine_facts& machine);

// The other end of a veth.
struct peer_facts {
    std::string name = {};   // empty where it cannot be seen
    std::string space = {};  // its network namespace's name; empty: this one
    std::uint32_t mtu = 0;
    std::uint32_t tx_queues = 0;
    bool up = false;
    bool tx_checksum = false;
    bool tx_vlan = false;
    std::string hidden = {};  // why it cannot be seen
};

// Nothing for a device that is no veth.
std::optional<peer_facts> find_peer(const xsk::discovered_device& device);

struct device_report {
    xsk::discovered_device device;
    std::vector<xsk::attached_program> programs;
    std::optional<peer_facts> peer;
};

std::vector<problem> problems_of(const device_report& report, const machine_facts& machine);

// One bind() that a port with default options would try, and what will come of it.
struct planned_bind {
    std::uint16_t flags;
    std::string text;      // "zero-copy, scatter-gather, need_wakeup"
    std::string expected;  // "refused", "accepted", "not reached"
    std::string why;
};
std::vector<planned_bind> plan_bind(const xsk::discovered_device& device);

nlohmann::ordered_json as_json(const device_report& report, const machine_facts& machine);
nlohmann::ordered_json as_json(const machine_facts& machine);
nlohmann::ordered_json drivers_json();
std::string as_text(const device_report& report, const machine_facts& machine);
std::string as_text(const machine_facts& machine);
std::string as_line(const device_report& report);
std::string as_text(const std::vector<problem>& problems);
std::string drivers_text();

// Throws command_failure where there is no such device in this namespace: close names, and the
// named namespaces that have one.
void require_device(const std::string& name);
std::vector<std::string> device_names();
std::vector<std::string> close_names(const std::string& name, const std::vector<std::string>& all);
// The names under /run/netns.
std::vector<std::string> named_spaces();

}  // namespace skein::tool
