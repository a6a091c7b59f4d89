// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/socket.hpp>

#include <algorithm>
#include <bit>

#include <skein/xsk/error.hpp>
#include <skein/xsk/uapi.hpp>

#include "interface.hpp"
#include "network_namespace.hpp"
#include "rx_metadata.hpp"
#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

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
    throw setup_error(
        error_number,
        {.operation = operation,
         .interface = to_string(device_name{options_.interface, options_.network_namespace}),
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

// A socket belongs to the namespace it was opened in, for good.
void socket::open() {
    check_rings();
    network_namespace(options_.network_namespace).run([this] { set_up(); });
}

void socket::set_up() {
    const auto device = inspect_interface(options_.interface, options_.network_namespace);
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
    settle_metadata(device.driver);
    memory_->enlist(*this);
    if (options_.rings.tx != 0 && !bound_.zero_copy) {
        raise_tx_budget(device.driver);
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
        .headroom_bytes = memory_->headroom_bytes(),
        .flags = area.layout() == chunk_layout::unaligned ? uapi::umem_unaligned : 0,
        .tx_metadata_bytes = 0};
    if (register_with_metadata(request)) return;
    // Without flags the layout of the first kernels does, and every kernel takes it.
    constexpr std::size_t first_layout_bytes = 24;
    const auto layout_bytes = request.flags == 0 ? first_layout_bytes : sizeof request;
    const int status =
        sys::set_option(fd_, uapi::sol_xdp, uapi::option_umem_reg, &request, layout_bytes);
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
    // Upwards through memory: see frame_pool::lend_to_rx. A pool that was never used hands the
    // highest frame out first.
    std::reverse(slots.first.begin(), slots.first.end());
    std::reverse(slots.second.begin(), slots.second.end());
    erase_metadata(pool.area(), memory_->headroom_bytes(), slots.first);
    erase_metadata(pool.area(), memory_->headroom_bytes(), slots.second);
    fill_.submit(static_cast<std::uint32_t>(lent));
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
