// SPDX-License-Identifier: Apache-2.0
// How a socket is bound: by plan, patiently, and what came of it.
#include <algorithm>
#include <climits>

#include <skein/xsk/error.hpp>
#include <skein/xsk/socket.hpp>
#include <skein/xsk/uapi.hpp>

#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

// What a packet of `length` bytes may cost of the send buffer in copy mode: its allocation, the
// shared info and the sk_buff (FACTS: Linux 6.12 net/xdp/xsk.c xsk_build_skb()).
constexpr std::uint64_t send_buffer_per_frame(std::uint32_t chunk_bytes) {
    return std::uint64_t{chunk_bytes} + 1024;
}

}  // namespace

// True if a packet of the device's MTU does not fit one frame. An Ethernet header and a VLAN tag
// come on top of the MTU.
bool socket::needs_pieces() const {
    const auto mtu = sys::interface_mtu(options_.interface);
    if (mtu < 0) fail(-mtu, "read the MTU");
    const auto room = memory_->room_bytes();
    constexpr std::uint32_t above_mtu = 14 + 4;
    const auto needed =
        options_.rings.rx != 0 && static_cast<std::uint32_t>(mtu) + above_mtu > room;
    if (needed && options_.scatter_gather == choice::forbidden) {
        fail(EMSGSIZE, "bind",
             "packets of MTU " + std::to_string(mtu) + " do not fit frames of " +
                 std::to_string(room) + " bytes without scatter-gather",
             "allow scatter-gather, or lower the MTU to " + std::to_string(room - above_mtu));
    }
    return needed;
}

// Sharing a UMEM means taking over the first socket's mode.
bool socket::mode_suits(const bind_result& first, bool pieces) const {
    const auto suits = [](choice wish, bool got) {
        return wish == choice::automatic || (wish == choice::required) == got;
    };
    return suits(options_.zero_copy, first.zero_copy) &&
           suits(options_.scatter_gather, first.scatter_gather) &&
           suits(options_.need_wakeup, first.need_wakeup) &&
           suits(options_.tx_metadata, first.tx_metadata.bytes != 0) &&
           options_.tx_software_checksum == first.tx_metadata.software_checksum &&
           (!pieces || first.scatter_gather);
}

// A driver that works on the frames themselves wants those that cross a page to lie on neighbouring
// ones, which cannot be had or known here: FILL entries it refuses would be lost one by one.
void socket::keep_off_zero_copy() {
    if (memory_->area().layout() == chunk_layout::aligned) return;
    if (options_.zero_copy == choice::required) {
        fail(EINVAL, "bind", "zero-copy and unaligned chunks do not go together",
             "use aligned chunks of 2048 or 4096 bytes, or copy mode");
    }
    options_.zero_copy = choice::forbidden;
}

void socket::negotiate() {
    keep_off_zero_copy();
    const bool pieces = needs_pieces();
    const auto* first = memory_->sockets_.empty() ? nullptr : memory_->sockets_.front();
    std::vector<std::uint16_t> plan;
    if (first != nullptr && mode_suits(first->bound_, pieces)) {
        plan.push_back(uapi::bind_shared_umem);
    }
    const auto own =
        bind_plan({options_.zero_copy, options_.scatter_gather, pieces, options_.need_wakeup});
    plan.insert(plan.end(), own.begin(), own.end());

    const int error = try_plan(plan, first == nullptr ? -1 : first->fd());
    if (error == 0) return;
    if (options_.zero_copy == choice::required) {
        fail(error, "bind", "zero-copy was refused", "leave out --zc to fall back to copy mode");
    }
    if (pieces) {
        const auto room = memory_->room_bytes();
        fail(error, "bind", "packets of the MTU need scatter-gather, which was refused",
             "lower the MTU to " + std::to_string(room - 18) + ", or use Linux 6.6 or newer");
    }
    fail(error, "bind");
}

// Returns 0 once bound, else the last refusal.
int socket::try_plan(const std::vector<std::uint16_t>& plan, int shared_fd) {
    bool own_memory = shared_fd < 0;
    int error = EINVAL;
    for (const auto flags : plan) {
        const bool sharing = (flags & uapi::bind_shared_umem) != 0;
        if (!sharing && !own_memory) {
            // The first socket's mode does not suit this device: the same memory, registered anew.
            register_memory();
            own_memory = true;
        }
        error = -bind_patiently(flags, sharing ? shared_fd : -1);
        bound_.attempts.push_back({flags, error});
        if (error == 0) {
            read_back(flags);
            return 0;
        }
        if (error == EBUSY) {
            fail(EBUSY, "bind", "the queue is in use by another AF_XDP socket",
                 "stop the other program, or choose another queue");
        }
        if (error != EOPNOTSUPP && error != EINVAL) fail(error, "bind");
    }
    return error;
}

int socket::bind_patiently(std::uint16_t flags, int shared_fd) {
    constexpr std::chrono::microseconds pause{500};
    const sys::xdp_address address{.flags = flags,
                                   .interface_index = interface_index_,
                                   .queue = options_.queue,
                                   .shared_umem_fd = shared_fd};
    const auto start = sys::monotonic_ns();
    const auto waited = [&] {
        return std::chrono::microseconds((sys::monotonic_ns() - start) / 1000);
    };
    int status = sys::bind(fd_, address);
    while (status == -EBUSY && waited() < options_.busy_patience) {
        sys::sleep_for(pause);
        status = sys::bind(fd_, address);
        bound_.busy_wait = waited();
    }
    return status;
}

void socket::read_back(std::uint16_t flags) {
    std::uint32_t active = 0;
    auto bytes = sizeof active;
    if (sys::get_option(fd_, uapi::sol_xdp, uapi::option_options, &active, &bytes) == 0) {
        bound_.zero_copy = (active & uapi::options_zero_copy) != 0;
    }
    bound_.shared_umem = (flags & uapi::bind_shared_umem) != 0;
    const auto& from = bound_.shared_umem ? memory_->sockets_.front()->bound_ : bound_;
    bound_.scatter_gather =
        bound_.shared_umem ? from.scatter_gather : (flags & uapi::bind_scatter_gather) != 0;
    bound_.tx_metadata = from.tx_metadata;
    bound_.need_wakeup =
        bound_.shared_umem ? from.need_wakeup : (flags & uapi::bind_need_wakeup) != 0;
}

void socket::raise_tx_budget(const std::string& driver) {
    const auto wanted = std::min(options_.tx_budget, options_.rings.tx);
    bound_.tx_budget = uapi::default_tx_budget;
    if (wanted <= uapi::default_tx_budget) return;
    const int status =
        sys::set_option(fd_, uapi::sol_xdp, uapi::option_max_tx_budget, &wanted, sizeof wanted);
    if (status < 0) {
        bound_.notes.push_back("TX budget stays 32: " + errno_text(-status));
        // The kernels without this option are those without the fix.
        if (status == -ENOPROTOOPT) note_early_completions(driver);
    } else {
        bound_.tx_budget = wanted;
    }
}

// Up to Linux 6.16 an address may be completed while its frame is still under way (fixed by
// 30f241fcf52a). Harmless where the kernel copied the bytes, as for every driver but the one that
// sets IFF_TX_SKB_NO_LINEAR.
void socket::note_early_completions(const std::string& driver) {
    if (driver != "virtio_net") return;
    bound_.notes.push_back(
        "completions may come early: virtio_net sends from the frames themselves, and this kernel "
        "may report one before it is sent (use Linux 6.17 or newer)");
}

// In copy mode every packet under way is charged to the send buffer; the default holds about 50.
void socket::raise_send_buffer() {
    const auto wanted_bytes = std::min<std::uint64_t>(
        send_buffer_per_frame(memory_->area().chunk_bytes()) * options_.rings.tx, INT_MAX / 2);
    const int wanted = static_cast<int>(wanted_bytes);
    if (sys::set_option(fd_, SOL_SOCKET, SO_SNDBUFFORCE, &wanted, sizeof wanted) < 0) {
        sys::set_option(fd_, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
    }
    int obtained = 0;
    auto bytes = sizeof obtained;
    if (sys::get_option(fd_, SOL_SOCKET, SO_SNDBUF, &obtained, &bytes) == 0) {
        bound_.send_buffer_bytes = static_cast<std::uint64_t>(obtained);
    }
    if (bound_.send_buffer_bytes < wanted_bytes) {
        bound_.notes.push_back("send buffer " + std::to_string(bound_.send_buffer_bytes) + " of " +
                               std::to_string(wanted_bytes) +
                               " bytes (raise net.core.wmem_max or add CAP_NET_ADMIN)");
    }
}

}  // namespace skein::inline v0::xsk
