// SPDX-License-Identifier: Apache-2.0
#include "program_survey.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <xdp/libxdp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string_view>

#include <skein/xsk/error.hpp>

#include "abi.h"
#include "network_namespace.hpp"
#include "program_log.hpp"
#include "program_owner.hpp"

namespace skein::inline v0::xsk {

namespace {

constexpr std::string_view dispatcher_name = "xdp_dispatcher";

struct program_facts {
    std::string name;
    std::optional<skein_owner> owner;
};

std::optional<skein_owner> read_owner(std::uint32_t map_id) {
    const owned_fd map(::bpf_map_get_fd_by_id(map_id));
    bpf_map_info info{};
    std::uint32_t bytes = sizeof info;
    if (!map || ::bpf_obj_get_info_by_fd(map.value(), &info, &bytes) != 0) return {};
    if (std::string_view(info.name) != SKEIN_OWNER_MAP_NAME ||
        info.value_size != sizeof(skein_owner))
        return {};
    const std::uint32_t key = 0;
    skein_owner owner{};
    if (::bpf_map_lookup_elem(map.value(), &key, &owner) != 0) return {};
    if (owner.magic != SKEIN_OWNER_MAGIC) return {};
    return owner;
}

std::optional<program_facts> facts_of(std::uint32_t program_id) {
    const owned_fd program = open_program(program_id);
    if (!program) return {};
    std::array<std::uint32_t, 16> map_ids{};
    bpf_prog_info info{};
    std::uint32_t bytes = sizeof info;
    info.nr_map_ids = map_ids.size();
    info.map_ids = reinterpret_cast<std::uintptr_t>(map_ids.data());
    if (::bpf_obj_get_info_by_fd(program.value(), &info, &bytes) != 0) return {};
    program_facts result{info.name, {}};
    if (result.name != SKEIN_PROGRAM_NAME) return result;
    for (std::size_t i = 0; i < map_ids.size() && i < info.nr_map_ids; ++i)
        if (auto owner = read_owner(map_ids[i])) result.owner = owner;
    return result;
}

// A link leaves with the last process that holds it, so what a link holds is nobody's leftover.
program_owner owner_kind(const skein_owner& owner, std::uint32_t interface_index,
                         std::uint32_t program_id) {
    if (state_of(owner) != process_state::gone) return program_owner::ours_alive;
    return find_link(interface_index, program_id).fd ? program_owner::ours_alive
                                                     : program_owner::ours_dead;
}

attached_program describe(std::uint32_t program_id, xdp_mode mode, std::uint32_t interface_index) {
    attached_program result{.id = program_id, .mode = mode};
    const auto facts = facts_of(program_id);
    if (!facts) {
        result.owner = program_owner::unknown;
        return result;
    }
    result.name = facts->name;
    if (!facts->owner) return result;
    result.owner = owner_kind(*facts->owner, interface_index, program_id);
    result.process_id = facts->owner->process_id;
    return result;
}

struct multiprog_closer {
    void operator()(xdp_multiprog* programs) const noexcept { ::xdp_multiprog__close(programs); }
};

// The dispatcher itself stays in the list where its components cannot be listed.
void add_components(std::vector<attached_program>& list, const attached_program& dispatcher,
                    int interface_index) {
    auto* found = ::xdp_multiprog__get_from_ifindex(interface_index);
    if (::libxdp_get_error(found) != 0) {
        list.push_back(dispatcher);
        return;
    }
    const std::unique_ptr<xdp_multiprog, multiprog_closer> programs(found);
    for (auto* program = ::xdp_multiprog__next_prog(nullptr, found); program != nullptr;
         program = ::xdp_multiprog__next_prog(program, found)) {
        list.push_back(describe(::xdp_program__id(program), dispatcher.mode,
                                static_cast<std::uint32_t>(interface_index)));
        list.back().in_dispatcher = true;
    }
}

}  // namespace

owned_fd open_program(std::uint32_t program_id) noexcept {
    return owned_fd(::bpf_prog_get_fd_by_id(program_id));
}

found_link find_link(std::uint32_t interface_index, std::uint32_t program_id) noexcept {
    found_link result;
    std::uint32_t id = 0;
    while (::bpf_link_get_next_id(id, &id) == 0) {
        owned_fd link(::bpf_link_get_fd_by_id(id));
        bpf_link_info info{};
        std::uint32_t bytes = sizeof info;
        if (!link || ::bpf_obj_get_info_by_fd(link.value(), &info, &bytes) != 0) continue;
        if (info.type != BPF_LINK_TYPE_XDP || info.prog_id != program_id ||
            info.xdp.ifindex != interface_index)
            continue;
        result.ambiguous = static_cast<bool>(result.fd);
        result.fd = std::move(link);
    }
    return result;
}

std::vector<attached_program> survey(const interface_facts& device) {
    const log_capture log;
    const int index = static_cast<int>(device.index);
    LIBBPF_OPTS(bpf_xdp_query_opts, answer);
    const int status = ::bpf_xdp_query(index, 0, &answer);
    if (status < 0)
        throw setup_error(-status,
                          {.operation = "ask for XDP programs", .interface = device.label()});
    std::vector<attached_program> list;
    const auto add = [&](std::uint32_t id, xdp_mode mode, bool offloaded) {
        if (id == 0) return;
        attached_program program = describe(id, mode, device.index);
        program.offloaded = offloaded;
        if (program.name == dispatcher_name)
            add_components(list, program, index);
        else
            list.push_back(std::move(program));
    };
    add(answer.drv_prog_id, xdp_mode::native, false);
    add(answer.skb_prog_id, xdp_mode::generic, false);
    add(answer.hw_prog_id, xdp_mode::native, true);
    return list;
}

namespace {

// The map of that name among those of a program.
owned_fd find_map(std::uint32_t program_id, std::string_view name, bpf_map_info& info) {
    const owned_fd program = open_program(program_id);
    std::array<std::uint32_t, 16> map_ids{};
    bpf_prog_info described{};
    std::uint32_t bytes = sizeof described;
    described.nr_map_ids = map_ids.size();
    described.map_ids = reinterpret_cast<std::uintptr_t>(map_ids.data());
    if (!program || ::bpf_obj_get_info_by_fd(program.value(), &described, &bytes) != 0) return {};
    for (std::size_t i = 0; i < map_ids.size() && i < described.nr_map_ids; ++i) {
        owned_fd map(::bpf_map_get_fd_by_id(map_ids[i]));
        bytes = sizeof info;
        if (map && ::bpf_obj_get_info_by_fd(map.value(), &info, &bytes) == 0 && info.name == name)
            return map;
    }
    return {};
}

}  // namespace

std::vector<verdict_counts> queue_verdicts(std::uint32_t program_id) {
    bpf_map_info info{};
    const owned_fd map = find_map(program_id, "skein_verdicts", info);
    if (!map || info.type != BPF_MAP_TYPE_PERCPU_ARRAY || info.value_size != sizeof(std::uint64_t))
        return {};
    std::vector<verdict_counts> queues(info.max_entries / SKEIN_VERDICT_COUNT);
    std::vector<std::uint64_t> each(
        static_cast<std::size_t>(std::max(::libbpf_num_possible_cpus(), 1)));
    for (std::uint32_t key = 0; key < queues.size() * SKEIN_VERDICT_COUNT; ++key) {
        if (::bpf_map_lookup_elem(map.value(), &key, each.data()) != 0) continue;
        queues[key / SKEIN_VERDICT_COUNT].packets[key % SKEIN_VERDICT_COUNT] =
            std::accumulate(each.begin(), each.end(), std::uint64_t{0});
    }
    return queues;
}

std::vector<attached_program> attached_programs(const std::string& interface,
                                                const std::string& network_namespace) {
    return xsk::network_namespace(network_namespace).run([&] {
        return survey(inspect_interface(interface, network_namespace));
    });
}

}  // namespace skein::inline v0::xsk
