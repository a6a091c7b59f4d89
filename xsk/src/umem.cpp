// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/umem.hpp>

#include <algorithm>
#include <bit>

#include <skein/xsk/error.hpp>
#include <skein/xsk/socket.hpp>
#include <skein/xsk/uapi.hpp>

#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

[[noreturn]] void refuse(std::string cause, std::string remedy) {
    throw setup_error(
        EINVAL,
        {.operation = "set up UMEM", .cause = std::move(cause), .remedy = std::move(remedy)});
}

void check_chunk(const umem_options& options) {
    const auto chunk = options.chunk_bytes;
    const bool in_range =
        chunk >= frame_area::min_chunk_bytes && chunk <= frame_area::max_chunk_bytes;
    const auto cause = "chunk size " + std::to_string(chunk);
    if (options.unaligned && !in_range) refuse(cause, "choose 2048 to 4096 bytes");
    if (options.unaligned || (in_range && std::has_single_bit(chunk))) return;
    refuse(cause, in_range ? "choose 2048 or 4096 bytes, or unaligned chunks"
                           : "choose 2048 or 4096 bytes");
}

// Behind the headroom the kernel wants place for its own bookkeeping and for at least 128 bytes
// (Linux 6.12.85 net/xdp/xdp_umem.c, "tighten UMEM headroom validation").
void check_headroom(const umem_options& options) {
    constexpr std::uint32_t kernels_own = uapi::packet_headroom + 320 + 128;
    const auto most = options.chunk_bytes - kernels_own;
    if (options.headroom_bytes <= most) return;
    refuse("headroom of " + std::to_string(options.headroom_bytes) + " bytes in chunks of " +
               std::to_string(options.chunk_bytes),
           "choose at most " + std::to_string(most) + " bytes");
}

void check(const umem_options& options) {
    check_chunk(options);
    check_headroom(options);
    if (options.frames == 0) refuse("no frames", "ask for at least one frame; 4096 is usual");
}

// Memory is touched when it is mapped: asking for all there is would take the system down. An
// eighth is left to others.
void check_fits(std::uint64_t bytes) {
    const auto available = sys::available_memory();
    if (bytes <= available - available / 8) return;
    throw setup_error(ENOMEM, {.operation = "set up UMEM",
                               .cause = std::to_string(bytes) + " bytes of frames, and " +
                                        std::to_string(available) + " available",
                               .remedy = "ask for fewer frames"});
}

frame_area area_over(std::byte* base, const umem_options& options) {
    return {base, options.frames, options.chunk_bytes,
            options.unaligned ? chunk_layout::unaligned : chunk_layout::aligned};
}

}  // namespace

umem::mapping umem::map(const umem_options& options, std::string& pages) {
    check(options);
    const auto bytes = std::size_t{area_over(nullptr, options).size_bytes()};
    void* base = nullptr;
    pages = "4 KiB pages";
    if (options.huge_pages) {
        const auto rounded = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
        const int status = sys::map_memory(rounded, sys::page_kind::huge_2m, &base);
        if (status >= 0) {
            pages = "2 MiB huge pages";
            return {base, rounded, true};
        }
        pages = "4 KiB pages (huge pages refused: " + errno_text(-status) + "; reserve " +
                std::to_string(rounded / huge_page_bytes) + " with vm.nr_hugepages)";
    }
    check_fits(bytes);
    const int status = sys::map_memory(bytes, sys::page_kind::normal, &base);
    if (status < 0) {
        throw setup_error(-status, {.operation = "map UMEM of " + std::to_string(bytes) + " bytes",
                                    .remedy = "ask for fewer frames"});
    }
    return {base, bytes, false};
}

umem::umem(umem_options options)
    : headroom_bytes_(options.headroom_bytes),
      memory_(map(options, pages_)),
      pool_(area_over(memory_.base, options)) {}

umem::mapping::~mapping() {
    sys::unmap(base, bytes);
}

std::uint32_t umem::room_bytes() const noexcept {
    constexpr std::uint32_t rounding = 128;
    const auto behind = area().chunk_bytes() - uapi::packet_headroom - headroom_bytes_;
    return behind / rounding * rounding;
}

void umem::enlist(const socket& member) {
    sockets_.push_back(&member);
}

void umem::dismiss(const socket& member) noexcept {
    std::erase(sockets_, &member);
}

lender_id umem::next_lender() const {
    auto used = pool_.lenders_in_use();
    for (const auto* s : sockets_)
        used.set(s->lender());
    for (std::size_t i = 0; i < max_lenders; ++i) {
        if (!used[i]) return static_cast<lender_id>(i);
    }
    throw setup_error(EMFILE, {.operation = "open a port",
                               .cause = std::to_string(max_lenders) + " ports share this UMEM",
                               .remedy = "use another umem"});
}

frame_ledger umem::ledger() const noexcept {
    frame_ledger rows;
    rows.total = pool_.total();
    rows.free = pool_.held_by(frame_holder::free);
    rows.application = pool_.held_by(frame_holder::application);
    rows.written_off = pool_.held_by(frame_holder::written_off);

    // The kernel works on meanwhile. A ring nearer to us is read before the one that feeds it, so
    // that a frame moving between two looks is missed by both and shows as the kernel's.
    std::uint64_t in_rx = pool_.held_by(frame_holder::rx);
    std::uint64_t in_tx = pool_.held_by(frame_holder::tx);
    const auto claim = [](std::uint64_t& left, std::uint64_t found) {
        const auto n = std::min(left, found);
        left -= n;
        return n;
    };
    for (const auto* s : sockets_) {
        rows.rx_ring += claim(in_rx, s->rx().occupied());
        rows.fill += claim(in_rx, s->fill().occupied());
        rows.completion += claim(in_tx, s->completion().occupied());
        rows.tx_ring += claim(in_tx, s->tx().occupied());
    }
    rows.kernel_rx = in_rx;
    rows.kernel_tx = in_tx;
    return rows;
}

}  // namespace skein::inline v0::xsk
