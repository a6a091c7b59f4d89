// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include <probe.skel.h>

#include <bpf/bpf.h>

#include <cerrno>
#include <filesystem>
#include <memory>

#include <skein/xsk/error.hpp>

#include "program_log.hpp"

namespace skein::inline v0::xsk {

namespace {

struct closer {
    void operator()(skein_probe* skeleton) const noexcept { skein_probe::destroy(skeleton); }
};
using probe_object = std::unique_ptr<skein_probe, closer>;

std::string explain_load(int error_number) {
    if (error_number == EPERM || error_number == EACCES)
        return "not permitted: it takes CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN";
    std::error_code ignored;
    if (!std::filesystem::exists("/sys/kernel/btf/vmlinux", ignored))
        return "the kernel shows no types of its own (CONFIG_DEBUG_INFO_BTF)";
    return "the probe does not load: " + errno_text(error_number);
}

bpf_program* chosen(const skein_probe& skeleton, probe_way way) noexcept {
    return way == probe_way::walk ? skeleton.progs.skein_probe_walk
                                  : skeleton.progs.skein_probe_packet;
}

// Only the program of that way is loaded: the other may need what the kernel does not have. Null,
// with errno set, where that fails.
probe_object load(probe_way way, std::uint32_t interface_index) {
    probe_object skeleton(skein_probe::open());
    if (!skeleton) return skeleton;
    ::bpf_program__set_autoload(chosen(*skeleton, way), true);
    skeleton->bss->skein_answer.wanted = interface_index;
    const int status = skein_probe::load(skeleton.get());
    if (status == 0) return skeleton;
    skeleton.reset();
    errno = -status;
    return skeleton;
}

int run(const skein_probe& skeleton, probe_way way, std::uint32_t interface_index) {
    const std::array<std::byte, 64> packet{};
    __sk_buff context{};
    context.ifindex = interface_index;
    LIBBPF_OPTS(bpf_test_run_opts, options);
    if (way != probe_way::walk) {
        options.data_in = packet.data();
        options.data_size_in = packet.size();
        options.ctx_in = &context;
        options.ctx_size_in = sizeof context;
    }
    return ::bpf_prog_test_run_opts(::bpf_program__fd(chosen(skeleton, way)), &options);
}

probe_result read(const skein_probe_answer& answer) {
    probe_result result;
    for (std::size_t fact = 0; fact < result.facts.size(); ++fact)
        if ((answer.known & (1u << fact)) != 0) result.facts[fact] = answer.values[fact];
    return result;
}

probe_result probe_by(probe_way way, std::uint32_t interface_index) {
    const auto skeleton = load(way, interface_index);
    if (!skeleton) return {.failure = explain_load(errno)};
    const int status = run(*skeleton, way, interface_index);
    if (status < 0) return {.failure = "the probe does not run: " + errno_text(-status)};
    const skein_probe_answer& answer = skeleton->bss->skein_answer;
    if (answer.found != interface_index) return {.failure = "the probe did not find the device"};
    return read(answer);
}

}  // namespace

probe_result probe_device(std::uint32_t interface_index, probe_way way) {
    const log_capture log;
    if (way != probe_way::any) return probe_by(way, interface_index);
    auto result = probe_by(probe_way::packet, interface_index);
    if (!result.failure.empty()) {
        auto other = probe_by(probe_way::walk, interface_index);
        if (other.failure.empty()) return other;
    }
    return result;
}

}  // namespace skein::inline v0::xsk
