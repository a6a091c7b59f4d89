// SPDX-License-Identifier: Apache-2.0
// What only the kernel's own structures tell of a device (bpf/probe.bpf.c).
//
// Needs BTF (/sys/kernel/btf/vmlinux), CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN, or CAP_SYS_ADMIN.
// Where it cannot be had, the answer says why; that is no error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "probe_abi.h"

namespace skein::inline v0::xsk {

enum class probe_way : std::uint8_t {
    any,     // the first that works
    packet,  // a test-run packet on the device; since Linux 6.2
    walk,    // the namespace's table of devices
};

struct probe_result {
    std::array<std::optional<std::uint32_t>, SKEIN_PROBE_FACT_COUNT> facts{};
    std::string failure = {};  // why there are none; empty where there are

    std::optional<std::uint32_t> find(skein_probe_fact fact) const noexcept {
        return facts[static_cast<std::size_t>(fact)];
    }
};

// The device of that index in the calling thread's network namespace.
probe_result probe_device(std::uint32_t interface_index, probe_way way = probe_way::any);

}  // namespace skein::inline v0::xsk
