// SPDX-License-Identifier: Apache-2.0
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "doctor.hpp"

namespace skein::tool {

namespace {

constexpr long bpf_file_system = 0xcafe4a11;           // BPF_FS_MAGIC
constexpr std::uint64_t default_umem = 4096u * 4096u;  // of a port, unless told otherwise

struct known_capability {
    int number;
    const char* name;
    const char* purpose;
};

// In the order of how much goes without. bpf and perfmon have no name in older headers.
constexpr std::array<known_capability, 6> capabilities = {{
    {CAP_NET_RAW, "CAP_NET_RAW", "AF_XDP sockets: nothing can be received or sent"},
    {CAP_NET_ADMIN, "CAP_NET_ADMIN", "attaching XDP programs, and so for receiving"},
    {39, "CAP_BPF", "loading XDP programs, and so for receiving"},
    {CAP_IPC_LOCK, "CAP_IPC_LOCK", "packet memory beyond the limit of locked memory"},
    {38, "CAP_PERFMON", "reading tx_no_linear from the kernel"},
    {CAP_SYS_ADMIN, "CAP_SYS_ADMIN",
     "looking into other people's programs, --replace, and other network namespaces"},
}};

std::string first_line(const std::string& path) {
    std::string line;
    std::getline(std::ifstream(path), line);
    return line;
}

std::uint64_t number_in(const std::string& path) {
    std::uint64_t value = 0;
    std::ifstream(path) >> value;
    return value;
}

std::uint64_t effective_capabilities() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word != "CapEff:") continue;
        std::uint64_t bits = 0;
        status >> std::hex >> bits;
        return bits;
    }
    return 0;
}

void note_capabilities(machine_facts& machine) {
    const std::uint64_t bits = effective_capabilities();
    const auto held = [&](int number) { return (bits >> number & 1) != 0; };
    const bool admin = held(CAP_SYS_ADMIN);  // stands in for the two that came out of it
    for (const auto& [number, name, purpose] : capabilities) {
        const bool covered = admin && (number == 38 || number == 39);
        if (held(number) || covered)
            machine.capabilities.emplace_back(name);
        else
            machine.missing.push_back({fmt::format("{} is missing, for {}", name, purpose),
                                       "run as root, or add the capability"});
    }
}

bool knows_xdp_sockets() {
    const int fd = ::socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0) return errno != EAFNOSUPPORT;
    ::close(fd);
    return true;
}

}  // namespace

bool machine_facts::has(std::string_view capability) const {
    return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

machine_facts inspect_machine() {
    machine_facts machine;
    utsname names{};
    if (::uname(&names) == 0) {
        machine.kernel = names.release;
        machine.architecture = names.machine;
    }
    note_capabilities(machine);
    rlimit limit{};
    ::getrlimit(RLIMIT_MEMLOCK, &limit);
    machine.memlock_bytes = limit.rlim_cur;
    const std::string huge = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
    machine.huge_pages = number_in(huge + "nr_hugepages");
    machine.huge_pages_free = number_in(huge + "free_hugepages");
    std::error_code ignored;
    machine.btf = std::filesystem::exists("/sys/kernel/btf/vmlinux", ignored);
    struct statfs mounted {};
    machine.bpffs = ::statfs("/sys/fs/bpf", &mounted) == 0 && mounted.f_type == bpf_file_system;
    machine.xdp_sockets = knows_xdp_sockets();
    machine.congestion_control = first_line("/proc/sys/net/ipv4/tcp_congestion_control");
    machine.wmem_max_bytes = number_in("/proc/sys/net/core/wmem_max");
    return machine;
}

std::vector<problem> problems_of(const machine_facts& machine) {
    std::vector<problem> found;
    if (!machine.xdp_sockets)
        found.push_back(
            {"this kernel has no AF_XDP sockets", "use one that is built with CONFIG_XDP_SOCKETS"});
    for (const problem& missing : machine.missing) {
        const bool memory = missing.what.starts_with("CAP_IPC_LOCK");
        if (memory && machine.memlock_bytes >= 2 * default_umem) continue;
        found.push_back(missing);
        if (memory)
            found.back() = {
                fmt::format("CAP_IPC_LOCK is missing and locked memory is limited to {} bytes: a "
                            "port's default memory is {}",
                            machine.memlock_bytes, default_umem),
                "add CAP_IPC_LOCK, raise `ulimit -l`, or ask for fewer --frames"};
    }
    if (!machine.btf)
        found.push_back({"the kernel shows no types of its own: tx_no_linear comes from the table",
                         "use a kernel built with CONFIG_DEBUG_INFO_BTF"});
    return found;
}

}  // namespace skein::tool
