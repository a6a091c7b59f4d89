// SPDX-License-Identifier: Apache-2.0
// The memory that a shard's ports share with the kernel, and the pool of its frames.
//
// A umem maps page-aligned memory (huge pages on request), cuts it into frames and owns the
// frame_pool. Sockets register it with the kernel when they are opened: the first one by
// XDP_UMEM_REG, further ones by XDP_SHARED_UMEM with FILL and COMPLETION rings of their own, so
// that a frame received on one device can be sent on another without being copied.
//
// Ownership: ports keep their umem alive by shared_ptr; packets do not, so a umem must outlive its
// packets. Threading: one thread, like the pool. Errors: the constructor throws setup_error.
// The limits are the kernel's: Linux 6.12 net/xdp/xdp_umem.c xdp_umem_reg().
//
// A received packet begins 256 + headroom_bytes into its frame: that many bytes in front of it are
// free for headers to come. Unaligned frames may be of any size from 2048 to 4096 bytes, so that
// less of each is left unused; they cross pages, which only copy mode takes without conditions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <skein/export.hpp>
#include <skein/frame_ledger.hpp>
#include <skein/frame_pool.hpp>

namespace skein::inline v0::xsk {

class socket;

struct umem_options {
    std::uint32_t frames = 4096;
    std::uint32_t chunk_bytes = 4096;  // 2048 or 4096; unaligned: from 2048 to 4096
    bool unaligned = false;
    std::uint32_t headroom_bytes = 0;  // in front of received data, beside the kernel's own 256
    bool huge_pages = false;           // 2 MiB pages if the system has them to give
};

class SKEIN_EXPORT umem {
  public:
    explicit umem(umem_options options);
    umem(const umem&) = delete;
    umem& operator=(const umem&) = delete;
    ~umem() = default;

    frame_pool& pool() noexcept { return pool_; }
    const frame_pool& pool() const noexcept { return pool_; }
    const frame_area& area() const noexcept { return pool_.area(); }

    // Which pages it got: "4 KiB pages", "2 MiB huge pages", or why huge ones were refused.
    bool huge_pages() const noexcept { return memory_.huge; }
    const std::string& pages() const noexcept { return pages_; }

    std::uint32_t headroom_bytes() const noexcept { return headroom_bytes_; }
    // Bytes of a received packet that one frame takes on every kernel: newer ones round down.
    std::uint32_t room_bytes() const noexcept;

    // Bytes of bookkeeping a frame costs beside its memory.
    static constexpr std::size_t bookkeeping_bytes_per_frame() noexcept;

    // Where every frame is, over all sockets that use this memory. What the kernel holds is
    // derived: what was lent less what lies in the rings.
    frame_ledger ledger() const noexcept;

  private:
    friend class socket;

    struct mapping {
        mapping(void* where, std::size_t length, bool is_huge) noexcept
            : base(static_cast<std::byte*>(where)), bytes(length), huge(is_huge) {}
        mapping(const mapping&) = delete;
        mapping& operator=(const mapping&) = delete;
        ~mapping();

        std::byte* base;
        std::size_t bytes;
        bool huge;
    };
    static mapping map(const umem_options& options, std::string& pages);

    void enlist(const socket& member);
    void dismiss(const socket& member) noexcept;
    // A name nobody uses: no open socket, no frame still out.
    lender_id next_lender() const;

    std::string pages_;
    std::uint32_t headroom_bytes_;
    mapping memory_;
    frame_pool pool_;
    std::vector<const socket*> sockets_;
};

constexpr std::size_t umem::bookkeeping_bytes_per_frame() noexcept {
    return frame_pool::bytes_per_frame;
}

}  // namespace skein::inline v0::xsk
