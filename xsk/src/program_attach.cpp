// SPDX-License-Identifier: Apache-2.0
#include "program_attach.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <xdp/libxdp.h>

#include <cerrno>

#include "program_log.hpp"
#include "program_removal.hpp"

namespace skein::inline v0::xsk {

namespace {

std::uint32_t kernel_flags(xdp_mode mode) noexcept {
    return mode == xdp_mode::generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE;
}

xdp_attach_mode libxdp_mode(xdp_mode mode) noexcept {
    return mode == xdp_mode::generic ? XDP_MODE_SKB : XDP_MODE_NATIVE;
}

std::uint32_t attached_id(int interface_index, xdp_mode mode) noexcept {
    std::uint32_t id = 0;
    const int status =
        ::bpf_xdp_query_id(interface_index, static_cast<int>(kernel_flags(mode)), &id);
    return status == 0 ? id : 0;
}

// Its section names the program; frags are announced because libxdp 1.3 reads no ".frags" there.
xdp_program* libxdp_handle(const program_object& object) noexcept {
    auto* program = ::xdp_program__from_bpf_obj(object.object(), "xdp.frags");
    if (::libxdp_get_error(program) != 0) return nullptr;
    ::xdp_program__set_xdp_frags_support(program, true);
    return program;
}

}  // namespace

int attachment::take_link(const interface_facts& device, const program_object& object,
                          xdp_mode mode) {
    LIBBPF_OPTS(bpf_link_create_opts, options, .flags = kernel_flags(mode));
    owned_fd link(::bpf_link_create(object.file_descriptor(), static_cast<int>(device.index),
                                    BPF_XDP, &options));
    if (!link) return -errno;
    link_ = std::move(link);
    mode_ = mode;
    method_ = attach_method::link;
    return 0;
}

int attachment::take_libxdp(const interface_facts& device, const program_object& object,
                            xdp_mode mode) {
    interface_index_ = static_cast<int>(device.index);
    mode_ = mode;
    component_ = libxdp_handle(object);
    if (component_ == nullptr) return -EINVAL;
    const int status = ::xdp_program__attach(component_, interface_index_, libxdp_mode(mode), 0);
    program_fd_ = object.file_descriptor();
    // After some failures libxdp leaves the program on the device, alone: release() then removes
    // it.
    const bool alone = attached_id(interface_index_, mode) == object.id();
    method_ = alone || status < 0 ? attach_method::single : attach_method::dispatcher;
    if (status < 0) release();
    return status;
}

void attachment::release() noexcept {
    link_ = owned_fd();
    if (component_ == nullptr) return;
    const log_capture log;
    if (method_ == attach_method::dispatcher)
        ::xdp_program__detach(component_, interface_index_, libxdp_mode(mode_), 0);
    else if (program_fd_ >= 0)
        detach_netlink(interface_index_, mode_, program_fd_);
    ::xdp_program__close(component_);
    component_ = nullptr;
}

}  // namespace skein::inline v0::xsk
