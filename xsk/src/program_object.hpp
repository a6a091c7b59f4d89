// SPDX-License-Identifier: Apache-2.0
// The compiled XDP program with its maps: opened, sized, loaded, and its maps spoken to.
//
// Opening and loading are two steps because libxdp does the loading itself when it attaches. What a
// device tells of a packet is known to a program loaded for that device alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <skein/xsk/program.hpp>

#include "interface.hpp"
#include "program_fd.hpp"

struct bpf_map;
struct bpf_object;
struct bpf_program;

namespace skein::inline v0::xsk {

class program_object {
  public:
    // Opened, sized for so many queues and marked as this process's; not yet loaded.
    program_object(const interface_facts& device, std::uint32_t queue_count,
                   metadata_kind metadata);
    program_object(program_object&&) noexcept = default;
    program_object& operator=(program_object&&) noexcept = default;
    ~program_object() = default;

    void load();
    bpf_object* object() const noexcept { return object_.get(); }
    // Valid once loaded, by load() or by libxdp.
    int file_descriptor() const noexcept;
    std::uint32_t id() const noexcept;  // 0 where it cannot be asked for
    std::uint32_t queue_count() const noexcept { return queue_count_; }
    metadata_kind metadata() const noexcept { return metadata_; }

    void insert_socket(std::uint32_t queue, int socket_fd);
    void remove_socket(std::uint32_t queue) noexcept;
    // Into the set that the program was loaded with: at once, but not as a whole. For the time
    // before the program has sockets, when it takes nothing whatever the rules say.
    void set_first_rules(std::span<const rule> rules, default_action otherwise);
    // A new set in place of the old one, as a whole. Waits until no packet is judged by the old
    // one.
    void set_rules(std::span<const rule> rules, default_action otherwise);
    verdict_counts verdicts(std::uint32_t queue) const;

  private:
    struct closer {
        void operator()(bpf_object* object) const noexcept;
    };

    void open();
    bpf_map* map(const char* name) const noexcept;
    owned_fd another_set() const noexcept;

    interface_facts device_;
    std::uint32_t queue_count_;
    metadata_kind metadata_;
    std::size_t cpus_;
    std::unique_ptr<bpf_object, closer> object_;
    bpf_program* program_ = nullptr;
    // They live as long as the object.
    bpf_map* sockets_ = nullptr;
    bpf_map* verdicts_ = nullptr;
    bpf_map* first_set_ = nullptr;
    bpf_map* rules_ = nullptr;
};

}  // namespace skein::inline v0::xsk
