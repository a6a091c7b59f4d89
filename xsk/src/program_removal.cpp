// SPDX-License-Identifier: Apache-2.0
#include "program_removal.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <xdp/libxdp.h>

#include <algorithm>
#include <cerrno>

#include <skein/xsk/error.hpp>

#include "network_namespace.hpp"
#include "program_log.hpp"
#include "program_survey.hpp"

namespace skein::inline v0::xsk {

namespace {

setup_error removal_error(int error_number, const interface_facts& device,
                          const attached_program& program, std::string cause) {
    return setup_error(
        error_number,
        {.operation = "remove " + to_string(program),
         .interface = device.label(),
         .cause = std::move(cause),
         .remedy = "remove it as root: " +
                   command_beside(device, "ip link set " + device.name + " xdp off")});
}

int remove_component(int interface_index, std::uint32_t program_id) {
    auto* programs = ::xdp_multiprog__get_from_ifindex(interface_index);
    if (const long failure = ::libxdp_get_error(programs); failure != 0)
        return static_cast<int>(failure);
    int status = -ENOENT;
    for (auto* program = ::xdp_multiprog__next_prog(nullptr, programs); program != nullptr;
         program = ::xdp_multiprog__next_prog(program, programs)) {
        if (::xdp_program__id(program) != program_id) continue;
        status = ::xdp_program__detach(program, interface_index,
                                       ::xdp_multiprog__attach_mode(programs), 0);
        break;
    }
    ::xdp_multiprog__close(programs);
    return status;
}

void remove_alone(const interface_facts& device, const attached_program& program) {
    const owned_fd fd = open_program(program.id);
    if (!fd) throw removal_error(EPERM, device, program, "not permitted to open it by its id");
    const found_link link = find_link(device.index, program.id);
    if (link.ambiguous)
        throw removal_error(0, device, program, "several links of that program fit this device");
    const int status =
        link.fd ? ::bpf_link_detach(link.fd.value())
                : detach_netlink(static_cast<int>(device.index), program.mode, fd.value());
    if (status < 0) throw removal_error(-status, device, program, "");
}

}  // namespace

int detach_netlink(int interface_index, xdp_mode mode, int program_fd) noexcept {
    const auto flags = mode == xdp_mode::generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE;
    LIBBPF_OPTS(bpf_xdp_attach_opts, expected, .old_prog_fd = program_fd);
    return ::bpf_xdp_detach(interface_index, flags | XDP_FLAGS_REPLACE, &expected);
}

void remove(const interface_facts& device, const attached_program& program) {
    const log_capture log;
    if (program.offloaded) throw removal_error(0, device, program, "it runs in the device itself");
    if (!program.in_dispatcher) return remove_alone(device, program);
    const int status = remove_component(static_cast<int>(device.index), program.id);
    if (status < 0) throw removal_error(-status, device, program, log.text());
}

std::vector<attached_program> remove_dead(const interface_facts& device,
                                          std::vector<attached_program>& programs) {
    std::vector<attached_program> removed;
    for (const attached_program& program : programs) {
        if (program.owner != program_owner::ours_dead) continue;
        remove(device, program);
        removed.push_back(program);
    }
    std::erase_if(programs, [](const auto& p) { return p.owner == program_owner::ours_dead; });
    return removed;
}

std::vector<attached_program> remove_leftovers(const std::string& interface,
                                               const std::string& network_namespace) {
    return xsk::network_namespace(network_namespace).run([&] {
        const interface_facts device = inspect_interface(interface, network_namespace);
        std::vector<attached_program> programs = survey(device);
        return remove_dead(device, programs);
    });
}

}  // namespace skein::inline v0::xsk
