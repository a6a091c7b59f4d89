// SPDX-License-Identifier: Apache-2.0
#include "program_error.hpp"

#include <cerrno>

#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

const char* const capabilities_remedy =
    "run as root, or with CAP_NET_ADMIN and CAP_BPF (and CAP_NET_RAW for the sockets)";

// The libraries' own words behind ours, so that nothing they know is lost.
std::string with_log(std::string cause, const std::string& log) {
    if (log.empty()) return cause;
    return cause.empty() ? log : cause + "\n" + log;
}

explanation too_long(xdp_mode mode, const interface_facts& on) {
    if (mode == xdp_mode::generic) return {"the MTU of the device is too large for XDP", ""};
    const int mtu = sys::interface_mtu(on.name);
    const std::string which = mtu > 0 ? "MTU " + std::to_string(mtu) : "the MTU";
    return {which + " is too large for native XDP on this device",
            "lower it (" + command_beside(on, "ip link set " + on.name + " mtu 3506") +
                " or less), or use generic mode"};
}

explanation too_few_queues(const interface_facts& on) {
    return {
        "the device has too few queues for native XDP; a veth needs at least as many RX queues "
        "as its peer has TX queues",
        "raise them (" + command_beside(on, "ethtool -L " + on.name) +
            " rx N, or numrxqueues when the veth is made), or use generic mode"};
}

explanation occupied(const interface_facts& on) {
    return {"another XDP program holds the device",
            "remove it (" + command_beside(on, "ip link set " + on.name + " xdp off") +
                "), or use --replace"};
}

}  // namespace

explanation explain_attach(int error_number, xdp_mode mode, const interface_facts& on) {
    switch (error_number) {
        case EPERM:
        case EACCES:
            return {"not permitted to attach an XDP program", capabilities_remedy};
        case ERANGE:
            return too_long(mode, on);
        case ENOSPC:
            return too_few_queues(on);
        case EOPNOTSUPP:
            return {"the driver has no native XDP, or not in its present configuration",
                    "use generic mode"};
        case EBUSY:
        case EEXIST:
            return occupied(on);
        case ENODEV:
            return {"the device is gone", "ip link lists the devices of this network namespace"};
        default:
            return {};
    }
}

setup_error attach_error(int error_number, xdp_mode mode, const interface_facts& on,
                         const std::string& log) {
    auto [cause, remedy] = explain_attach(error_number, mode, on);
    return setup_error(error_number,
                       {.operation = "attach XDP program (" + std::string(to_string(mode)) + ")",
                        .interface = on.label(),
                        .cause = with_log(std::move(cause), log),
                        .remedy = std::move(remedy)});
}

setup_error load_error(int error_number, const interface_facts& on, const std::string& log) {
    setup_failure failure{.operation = "load XDP program", .interface = on.label()};
    if (error_number == EPERM) {  // the log only guesses at RLIMIT_MEMLOCK
        failure.cause = "not permitted to use bpf()";
        failure.remedy = capabilities_remedy;
        return setup_error(error_number, std::move(failure));
    }
    failure.cause = with_log("", log);
    if (error_number == EINVAL || error_number == ENOSYS)
        failure.remedy =
            "skein needs Linux 5.18 or newer with CONFIG_BPF_SYSCALL and "
            "CONFIG_XDP_SOCKETS";
    return setup_error(error_number, std::move(failure));
}

}  // namespace skein::inline v0::xsk
