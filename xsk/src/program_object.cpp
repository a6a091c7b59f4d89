// SPDX-License-Identifier: Apache-2.0
#include "program_object.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <numeric>
#include <vector>

#include "abi.h"
#include "program_error.hpp"
#include "program_image.hpp"
#include "program_log.hpp"
#include "program_owner.hpp"
#include "program_rules.hpp"

namespace skein::inline v0::xsk {

static_assert(SKEIN_VERDICT_COUNT == verdict_reasons);
#define SKEIN_SAME_NUMBER(name) \
    static_assert(SKEIN_VERDICT_##name == static_cast<int>(verdict_reason::name));
SKEIN_VERDICT_REASONS(SKEIN_SAME_NUMBER)
#undef SKEIN_SAME_NUMBER

namespace {

setup_error rules_error(int error_number, const interface_facts& device) {
    return setup_error(error_number, {.operation = "set rules", .interface = device.label()});
}

skein_rule_set encode_checked(const interface_facts& device, std::span<const rule> rules,
                              default_action otherwise) {
    if (rules.size() <= max_rules) return encode(rules, otherwise);
    throw setup_error(E2BIG, {.operation = "set rules",
                              .interface = device.label(),
                              .cause = std::to_string(rules.size()) + " rules, a program holds " +
                                       std::to_string(max_rules),
                              .remedy = "widen prefixes or port ranges so that fewer rules do"});
}

int update_first(int map, const void* value) noexcept {
    const std::uint32_t first = 0;
    return ::bpf_map_update_elem(map, &first, value, BPF_ANY);
}

}  // namespace

program_object::program_object(const interface_facts& device, std::uint32_t queue_count,
                               metadata_kind metadata)
    : device_(device),
      queue_count_(queue_count),
      metadata_(metadata),
      cpus_(static_cast<std::size_t>(std::max(::libbpf_num_possible_cpus(), 1))) {
    open();
    ::bpf_map__set_max_entries(sockets_, queue_count);
    ::bpf_map__set_max_entries(verdicts_, SKEIN_VERDICT_KEY(queue_count, 0));
    const skein_owner owner = this_process();
    ::bpf_map__set_initial_value(map(SKEIN_OWNER_MAP_NAME), &owner, sizeof owner);
    if (metadata != metadata_kind::device) return;
    constexpr std::uint32_t device_bound = 1u << 6;  // BPF_F_XDP_DEV_BOUND_ONLY, since Linux 6.3
    ::bpf_program__set_ifindex(program_, device_.index);
    ::bpf_program__set_flags(program_, ::bpf_program__flags(program_) | device_bound);
}

void program_object::open() {
    const log_capture log;
    const auto image = program_image(metadata_);
    LIBBPF_OPTS(bpf_object_open_opts, named, .object_name = SKEIN_PROGRAM_NAME);
    object_.reset(::bpf_object__open_mem(image.data(), image.size(), &named));
    if (!object_) throw load_error(errno, device_, log.text());
    program_ = ::bpf_object__find_program_by_name(object_.get(), SKEIN_PROGRAM_NAME);
    sockets_ = map("skein_sockets");
    verdicts_ = map("skein_verdicts");
    first_set_ = map("skein_rule_set");
    rules_ = map("skein_rules");
    assert(program_ != nullptr);
}

// The programs are compiled together with this file: they have it.
bpf_map* program_object::map(const char* name) const noexcept {
    auto* found = ::bpf_object__find_map_by_name(object_.get(), name);
    assert(found != nullptr);
    return found;
}

void program_object::closer::operator()(bpf_object* object) const noexcept {
    ::bpf_object__close(object);
}

void program_object::load() {
    const log_capture log;
    const int status = ::bpf_object__load(object_.get());
    if (status < 0) throw load_error(-status, device_, log.text());
}

int program_object::file_descriptor() const noexcept {
    return ::bpf_program__fd(program_);
}

std::uint32_t program_object::id() const noexcept {
    bpf_prog_info info{};
    std::uint32_t bytes = sizeof info;
    return ::bpf_obj_get_info_by_fd(file_descriptor(), &info, &bytes) == 0 ? info.id : 0;
}

void program_object::insert_socket(std::uint32_t queue, int socket_fd) {
    const int sockets = ::bpf_map__fd(sockets_);
    const int status = ::bpf_map_update_elem(sockets, &queue, &socket_fd, BPF_ANY);
    if (status == 0) return;
    setup_failure failure{
        .operation = "insert socket", .interface = device_.label(), .queue = queue};
    if (status == -E2BIG) {
        failure.cause = "the program serves " + std::to_string(queue_count_) + " queues";
        failure.remedy = "load it with a larger queue_count";
    }
    if (status == -EOPNOTSUPP) failure.cause = "not an AF_XDP socket";
    throw setup_error(-status, std::move(failure));
}

void program_object::remove_socket(std::uint32_t queue) noexcept {
    ::bpf_map_delete_elem(::bpf_map__fd(sockets_), &queue);
}

void program_object::set_first_rules(std::span<const rule> rules, default_action otherwise) {
    const skein_rule_set set = encode_checked(device_, rules, otherwise);
    const int status = update_first(::bpf_map__fd(first_set_), &set);
    if (status < 0) throw rules_error(-status, device_);
}

// Like the map the program was loaded with, types included: Linux 6.1 accepts no other in its
// place.
owned_fd program_object::another_set() const noexcept {
    const bpf_map* like = first_set_;
    LIBBPF_OPTS(bpf_map_create_opts, types,
                .btf_fd = static_cast<std::uint32_t>(::bpf_object__btf_fd(object_.get())),
                .btf_key_type_id = ::bpf_map__btf_key_type_id(like),
                .btf_value_type_id = ::bpf_map__btf_value_type_id(like));
    return owned_fd(::bpf_map_create(BPF_MAP_TYPE_ARRAY, ::bpf_map__name(like),
                                     ::bpf_map__key_size(like), ::bpf_map__value_size(like),
                                     ::bpf_map__max_entries(like), &types));
}

// The kernel lets the second update return only when no program runs with the old map any more.
void program_object::set_rules(std::span<const rule> rules, default_action otherwise) {
    const skein_rule_set set = encode_checked(device_, rules, otherwise);
    const owned_fd next = another_set();
    if (!next) throw rules_error(errno, device_);
    const int map = next.value();
    int status = update_first(map, &set);
    if (status == 0) status = update_first(::bpf_map__fd(rules_), &map);
    if (status < 0) throw rules_error(-status, device_);
}

verdict_counts program_object::verdicts(std::uint32_t queue) const {
    verdict_counts total;
    if (queue >= queue_count_) return total;
    std::vector<std::uint64_t> each(cpus_);
    const int map = ::bpf_map__fd(verdicts_);
    for (std::uint32_t reason = 0; reason < verdict_reasons; ++reason) {
        const std::uint32_t key = SKEIN_VERDICT_KEY(queue, reason);
        if (::bpf_map_lookup_elem(map, &key, each.data()) != 0) continue;
        total.packets[reason] = std::accumulate(each.begin(), each.end(), std::uint64_t{0});
    }
    return total;
}

}  // namespace skein::inline v0::xsk
