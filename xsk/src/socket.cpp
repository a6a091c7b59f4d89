// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/socket.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <string_view>

#include <skein/xsk/error.hpp>
#include <skein/xsk/uapi.hpp>

#include "interface.hpp"
#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

// What a packet of `length` bytes may cost of the send buffer in copy mode: its allocation, the
// shared info and the sk_buff (FACTS: Linux 6.12 net/xdp/xsk.c xsk_build_skb()).
constexpr std::uint64_t send_buffer_per_frame(std::uint32_t chunk_bytes) {
    return std::uint64_t{chunk_bytes} + 1024;
}

template <class Entry>
ring_memory<Entry> describe(void* base, const xdp_ring_offset& offsets, std::uint32_t entries) {
    auto* bytes = static_cast<std::byte*>(base);
    const auto word = [&](std::uint64_t offset) {
        return reinterpret_cast<std::uint32_t*>(bytes + offset);
    };
    return {word(offsets.producer), word(offsets.consumer), word(offsets.flags),
            reinterpret_cast<Entry*>(bytes + offsets.desc), entries};
}

}  // namespace

socket::socket(std::shared_ptr<umem> memory, socket_options options)
    : memory_(std::move(memory)), options_(std::move(options)) {
    try {
        open();
    } catch (...) {
        close();
        throw;
    }
}

socket::~socket() {
    close();
}

void socket::fail(int error_number, const char* operation, std::string cause,
                  std::string remedy) const {
    throw setup_error(error_number, {.operation = operation,
                                     .interface = options_.interface,
                                     .queue = options_.queue,
                                     .cause = std::move(cause),
                                     .remedy = std::move(remedy)});
}

void socket::check_rings() const {
    const auto& rings = options_.rings;
    const auto refuse = [&](const char* what, const char* remedy) {
        fail(EINVAL, what, "0 entries", remedy);
    };
    if (rings.fill == 0) refuse("size the FILL ring", "every socket needs one; 2048 is usual");
    if (rings.completion == 0) {
        refuse("size the COMPLETION ring", "every socket needs one; 2048 is usual");
    }
    if (rings.rx == 0 && rings.tx == 0) {
        refuse("size the RX and TX rings", "receive, transmit, or both");
    }
}

void socket::open() {
    check_rings();
    const auto device = inspect_interface(options_.interface);
    check_queue(device, options_.queue);
    interface_index_ = device.index;

    fd_ = sys::open_xdp_socket();
    if (fd_ == -EPERM) {
        fail(EPERM, "open an AF_XDP socket", {}, "run as root or with CAP_NET_RAW");
    }
    if (fd_ == -EAFNOSUPPORT) {
        fail(EAFNOSUPPORT, "open an AF_XDP socket", "the kernel has no AF_XDP",
             "use a kernel with CONFIG_XDP_SOCKETS=y");
    }
    if (fd_ < 0) fail(-fd_, "open an AF_XDP socket");

    lender_ = memory_->next_lender();
    lends_ = true;
    size_ring(uapi::option_fill_ring, options_.rings.fill, "FILL");
    size_ring(uapi::option_completion_ring, options_.rings.completion, "COMPLETION");
    size_ring(uapi::option_rx_ring, options_.rings.rx, "RX");
    size_ring(uapi::option_tx_ring, options_.rings.tx, "TX");
    if (memory_->sockets_.empty()) register_memory();
    map_rings();
    if (options_.rings.rx != 0 || primes_fill_for_tx(device.driver)) prime_fill();
    negotiate();
    memory_->enlist(*this);
    if (options_.rings.tx != 0 && !bound_.zero_copy) {
        raise_tx_budget();
        raise_send_buffer();
    }
}

void socket::size_ring(int option, std::uint32_t entries, const char* name) {
    if (entries == 0) return;
    const auto what = std::string("size the ") + name + " ring";
    if (!std::has_single_bit(entries)) {
        fail(EINVAL, what.c_str(), std::to_string(entries) + " entries",
             "choose a power of two, for instance " + std::to_string(std::bit_floor(entries)));
    }
    const int status = sys::set_option(fd_, uapi::sol_xdp, option, &entries, sizeof entries);
    if (status < 0) {
        fail(-status, what.c_str(), std::to_string(entries) + " entries", "choose a smaller ring");
    }
}

void socket::register_memory() {
    const auto& area = memory_->area();
    const uapi::umem_registration request{
        .address = reinterpret_cast<std::uintptr_t>(area.data(frame_id{0})),
        .length = area.size_bytes(),
        .chunk_bytes = area.chunk_bytes(),
        .headroom_bytes = 0,
        .flags = 0,
        .tx_metadata_bytes = 0};
    // Without metadata the layout of the first kernels does, and every kernel takes it.
    constexpr std::size_t first_layout_bytes = 24;
    const int status =
        sys::set_option(fd_, uapi::sol_xdp, uapi::option_umem_reg, &request, first_layout_bytes);
    if (status == -ENOBUFS) {
        fail(ENOBUFS, "register UMEM",
             std::to_string(area.size_bytes()) + " bytes exceed RLIMIT_MEMLOCK",
             "add CAP_IPC_LOCK, raise `ulimit -l`, or ask for fewer frames");
    }
    if (status < 0) fail(-status, "register UMEM");
}

void socket::map_rings() {
    xdp_mmap_offsets offsets{};
    auto bytes = sizeof offsets;
    const int status =
        sys::get_option(fd_, uapi::sol_xdp, uapi::option_mmap_offsets, &offsets, &bytes);
    if (status < 0) fail(-status, "read the ring offsets");
    if (bytes < sizeof offsets) {
        fail(EOPNOTSUPP, "read the ring offsets", "the kernel is older than 5.4",
             "use Linux 5.4 or newer");
    }
    const auto map = [&](mapping& where, std::uint64_t from, std::uint64_t length) {
        const int mapped = sys::map_ring(fd_, length, from, &where.base);
        if (mapped < 0) fail(-mapped, "map a ring");
        where.bytes = length;
    };
    const auto& rings = options_.rings;
    map(fill_map_, uapi::fill_ring_offset, offsets.fr.desc + rings.fill * sizeof(std::uint64_t));
    fill_ = fill_ring(describe<std::uint64_t>(fill_map_.base, offsets.fr, rings.fill));
    map(completion_map_, uapi::completion_ring_offset,
        offsets.cr.desc + rings.completion * sizeof(std::uint64_t));
    completion_ = completion_ring(
        describe<std::uint64_t>(completion_map_.base, offsets.cr, rings.completion));
    if (rings.rx != 0) {
        map(rx_map_, uapi::rx_ring_offset, offsets.rx.desc + rings.rx * sizeof(descriptor));
        rx_ = rx_ring(describe<descriptor>(rx_map_.base, offsets.rx, rings.rx));
    }
    if (rings.tx != 0) {
        map(tx_map_, uapi::tx_ring_offset, offsets.tx.desc + rings.tx * sizeof(descriptor));
        tx_ = tx_ring(describe<descriptor>(tx_map_.base, offsets.tx, rings.tx));
    }
}

std::uint32_t socket::reserve_frames() const noexcept {
    return options_.reserve_frames.value_or(memory_->pool().total() / 8);
}

// Some drivers want frames before their queue starts.
void socket::prime_fill() {
    auto& pool = memory_->pool();
    const auto spare = pool.free_frames() - std::min(pool.free_frames(), reserve_frames());
    const auto slots = fill_.reserve(std::min(options_.rings.fill, spare));
    const auto lent =
        pool.lend_to_rx(slots.first, lender_) + pool.lend_to_rx(slots.second, lender_);
    fill_.submit(static_cast<std::uint32_t>(lent));
}

// True if a packet of the device's MTU does not fit one frame. An Ethernet header and a VLAN tag
// come on top of the MTU.
bool socket::needs_pieces() const {
    const auto mtu = sys::interface_mtu(options_.interface);
    if (mtu < 0) fail(-mtu, "read the MTU");
    const auto room = memory_->area().chunk_bytes() - uapi::packet_headroom;
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
           (!pieces || first.scatter_gather);
}

void socket::negotiate() {
    const bool pieces = needs_pieces();
    const auto* first = memory_->sockets_.empty() ? nullptr : memory_->sockets_.front();
    std::vector<std::uint16_t> plan;
    if (first != nullptr && mode_suits(first->bound_, pieces)) {
        plan.push_back(uapi::bind_shared_umem);
    }
    const auto own = bind_plan({options_.zero_copy, options_.scatter_gather, pieces});
    plan.insert(plan.end(), own.begin(), own.end());

    const int error = try_plan(plan, first == nullptr ? -1 : first->fd());
    if (error == 0) return;
    if (options_.zero_copy == choice::required) {
        fail(error, "bind", "zero-copy was refused", "leave out --zc to fall back to copy mode");
    }
    if (pieces) {
        const auto room = memory_->area().chunk_bytes() - uapi::packet_headroom;
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
    bound_.need_wakeup =
        bound_.shared_umem ? from.need_wakeup : (flags & uapi::bind_need_wakeup) != 0;
}

void socket::raise_tx_budget() {
    const auto wanted = std::min(options_.tx_budget, options_.rings.tx);
    bound_.tx_budget = uapi::default_tx_budget;
    if (wanted <= uapi::default_tx_budget) return;
    const int status =
        sys::set_option(fd_, uapi::sol_xdp, uapi::option_max_tx_budget, &wanted, sizeof wanted);
    if (status < 0) {
        bound_.notes.push_back("TX budget stays 32: " + errno_text(-status));
    } else {
        bound_.tx_budget = wanted;
    }
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

uapi::statistics socket::statistics() const noexcept {
    uapi::statistics numbers{};
    auto bytes = sizeof numbers;
    if (fd_ >= 0) sys::get_option(fd_, uapi::sol_xdp, uapi::option_statistics, &numbers, &bytes);
    return numbers;
}

void socket::stop() noexcept {
    if (fd_ >= 0) sys::close(fd_);
    fd_ = -1;
}

std::uint32_t socket::close() noexcept {
    stop();
    memory_->dismiss(*this);
    const auto reclaimed = lends_ ? memory_->pool().reclaim_rx(lender_) : 0;
    lends_ = false;
    fill_ = {};
    completion_ = {};
    rx_ = {};
    tx_ = {};
    for (auto* ring : {&fill_map_, &completion_map_, &rx_map_, &tx_map_}) {
        if (ring->base != nullptr) sys::unmap(ring->base, ring->bytes);
        *ring = {};
    }
    return reclaimed;
}

}  // namespace skein::inline v0::xsk
