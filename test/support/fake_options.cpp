// SPDX-License-Identifier: Apache-2.0
// Socket options of the fake kernel, after Linux 6.12 net/xdp/xsk.c xsk_setsockopt() and
// net/xdp/xdp_umem.c xdp_umem_reg().
#include <sys/socket.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include <skein/xsk/uapi.hpp>

#include "support/fake_kernel.hpp"

namespace skein::test {

namespace uapi = skein::xsk::uapi;

int fake_kernel::sys_set_option(int fd, int level, int name, const void* value,
                                std::size_t length) {
    auto& faults = option_faults_[name];
    if (!faults.empty()) {
        const int status = faults.back();
        faults.pop_back();
        return status;
    }
    auto* s = find(fd);
    if (s == nullptr) return -EBADF;
    if (level == SOL_SOCKET) return set_socket_option(*s, name, value);
    if (level != uapi::sol_xdp) return -ENOPROTOOPT;
    switch (name) {
        case uapi::option_umem_reg:
            return register_umem(*s, value, length);
        case uapi::option_rx_ring:
        case uapi::option_tx_ring:
        case uapi::option_fill_ring:
        case uapi::option_completion_ring:
            return size_ring(*s, name, value, length);
        case uapi::option_max_tx_budget:
            return set_budget(*s, value, length);
        default:
            return -ENOPROTOOPT;
    }
}

namespace {

// A frame for every stretch of a cache line's multiple that holds a chunk.
std::uint32_t stride_of(const uapi::umem_registration& request) {
    const bool unaligned = (request.flags & uapi::umem_unaligned) != 0;
    return unaligned ? (request.chunk_bytes + 63) / 64 * 64 : request.chunk_bytes;
}

bool acceptable(const uapi::umem_registration& request, bool knows_metadata) {
    const auto known =
        uapi::umem_unaligned |
        (knows_metadata ? uapi::umem_tx_software_checksum | uapi::umem_tx_metadata_bytes : 0u);
    if (request.tx_metadata_bytes % 8 != 0 || request.tx_metadata_bytes >= 256) return false;
    const bool unaligned = (request.flags & uapi::umem_unaligned) != 0;
    const bool chunk_fits = (unaligned || std::has_single_bit(request.chunk_bytes)) &&
                            request.chunk_bytes >= 2048 && request.chunk_bytes <= 4096;
    const bool length_fits = request.length >= request.chunk_bytes &&
                             (unaligned || request.length % request.chunk_bytes == 0);
    constexpr std::uint32_t kernels_own = uapi::packet_headroom + 320 + 128;
    return request.address % 4096 == 0 && chunk_fits && length_fits &&
           (request.flags & ~known) == 0 &&
           request.headroom_bytes <= request.chunk_bytes - kernels_own;
}

}  // namespace

int fake_kernel::register_umem(fake_socket& s, const void* value, std::size_t length) {
    constexpr std::size_t first_layout = 24;
    if (length < first_layout) return -EINVAL;
    if (s.bound() || s.umem != nullptr) return -EBUSY;
    uapi::umem_registration request{};
    std::memcpy(&request, value, length < sizeof request ? first_layout : sizeof request);
    if ((request.flags & uapi::umem_tx_metadata_bytes) == 0) request.tx_metadata_bytes = 0;
    if (!acceptable(request, profile_.tx_metadata)) return -EINVAL;
    if (request.length > profile_.memlock_bytes) return -ENOBUFS;

    auto* base = reinterpret_cast<std::byte*>(request.address);
    auto& custody = custodies_[base];
    if (custody == nullptr) {
        custody = std::make_shared<fake_custody>(base, request.length, stride_of(request));
    }
    s.umem = std::make_shared<fake_umem>(
        fake_umem{.base = base,
                  .length = request.length,
                  .chunk_bytes = request.chunk_bytes,
                  .headroom_bytes = request.headroom_bytes,
                  .unaligned = (request.flags & uapi::umem_unaligned) != 0,
                  .registration = request,
                  .registration_bytes = length,
                  .custody = custody});
    return 0;
}

int fake_kernel::size_ring(fake_socket& s, int name, const void* value, std::size_t length) {
    std::uint32_t entries = 0;
    if (length < sizeof entries) return -EINVAL;
    std::memcpy(&entries, value, sizeof entries);
    if (s.bound()) return -EBUSY;
    if (!std::has_single_bit(entries)) return -EINVAL;
    const auto make = [&](auto& ring) {
        using ring_type = typename std::remove_reference_t<decltype(ring)>::element_type;
        if (ring != nullptr) return -EINVAL;
        ring = std::make_unique<ring_type>(entries, profile_.first_index);
        return 0;
    };
    if (name == uapi::option_rx_ring) return make(s.rx);
    if (name == uapi::option_fill_ring) return make(s.fill);
    if (name == uapi::option_completion_ring) return make(s.completion);
    const int status = make(s.tx);
    if (status == 0) s.tx->set_flags(uapi::ring_need_wakeup);  // set from the start
    return status;
}

int fake_kernel::set_budget(fake_socket& s, const void* value, std::size_t length) {
    std::uint32_t budget = 0;
    if (!profile_.tx_budget) return -ENOPROTOOPT;
    if (length != sizeof budget) return -EINVAL;
    std::memcpy(&budget, value, sizeof budget);
    if (s.tx == nullptr || budget < uapi::default_tx_budget || budget > s.tx->size()) {
        return -EACCES;
    }
    s.tx_budget = budget;
    return 0;
}

// The kernel doubles a buffer size, to cover its own overhead.
int fake_kernel::set_socket_option(fake_socket& s, int name, const void* value) {
    const bool busy_poll = name == uapi::so_busy_poll || name == uapi::so_prefer_busy_poll ||
                           name == uapi::so_busy_poll_budget;
    if (busy_poll) return profile_.net_admin ? 0 : -EPERM;
    int wanted = 0;
    std::memcpy(&wanted, value, sizeof wanted);
    auto granted = static_cast<std::uint32_t>(wanted);
    if (name == SO_SNDBUFFORCE) {
        if (!profile_.net_admin) return -EPERM;
    } else if (name == SO_SNDBUF) {
        granted = std::min(granted, profile_.wmem_max_bytes);
    } else {
        return -ENOPROTOOPT;
    }
    s.send_buffer_bytes = granted * 2;
    return 0;
}

int fake_kernel::answer_offsets(void* value, std::size_t* length) const {
    constexpr std::uint64_t first_layout_words = 3;  // producer, consumer, desc
    if (!profile_.ring_flags) {
        *length = 4 * first_layout_words * sizeof(std::uint64_t);
        return 0;
    }
    if (*length < sizeof(xdp_mmap_offsets)) return -EINVAL;
    const xdp_mmap_offsets offsets{.rx = fake_ring_layout,
                                   .tx = fake_ring_layout,
                                   .fr = fake_ring_layout,
                                   .cr = fake_ring_layout};
    std::memcpy(value, &offsets, sizeof offsets);
    *length = sizeof offsets;
    return 0;
}

int fake_kernel::sys_get_option(int fd, int level, int name, void* value, std::size_t* length) {
    auto* s = find(fd);
    if (s == nullptr) return -EBADF;
    const auto answer = [&](const auto& what) {
        if (*length < sizeof what) return -EINVAL;
        std::memcpy(value, &what, sizeof what);
        *length = sizeof what;
        return 0;
    };
    if (level == SOL_SOCKET && name == SO_SNDBUF) return answer(s->send_buffer_bytes);
    if (level == SOL_SOCKET && name == uapi::so_incoming_napi_id) {
        return answer(s->device == nullptr ? 0u : s->device->napi_id);
    }
    if (level != uapi::sol_xdp) return -ENOPROTOOPT;
    if (name == uapi::option_mmap_offsets) return answer_offsets(value, length);
    if (name == uapi::option_statistics) return answer(s->statistics);
    if (name == uapi::option_options) {
        const bool zero_copy = s->bound() && s->umem->zero_copy;
        return answer(zero_copy ? uapi::options_zero_copy : 0u);
    }
    return -ENOPROTOOPT;
}

}  // namespace skein::test
