// SPDX-License-Identifier: Apache-2.0
// One AF_XDP socket: its file descriptor, its four mapped rings, and how it was bound.
//
// Opening follows the kernel's order (Documentation/networking/af_xdp.rst): socket, UMEM, ring
// sizes, ring mappings, FILL primed, bind by plan, options read back. bind() is retried on the same
// descriptor while the queue is still being released by its last user (EBUSY), for a bounded time.
//
// Ownership: a socket keeps its umem alive; closing it unmaps its rings. The rings are the port's
// to use. Threading: one thread. Errors: the constructor throws setup_error; close() never throws.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <skein/export.hpp>
#include <skein/xsk/bind_plan.hpp>
#include <skein/xsk/ring.hpp>
#include <skein/xsk/uapi.hpp>
#include <skein/xsk/umem.hpp>

namespace skein::inline v0::xsk {

// Entries of each ring, powers of two. RX or TX, not both, may have 0 entries: it does not exist.
struct ring_sizes {
    std::uint32_t fill = 2048;
    std::uint32_t rx = 2048;
    std::uint32_t tx = 2048;
    std::uint32_t completion = 2048;
};

struct socket_options {
    std::string interface;
    std::string network_namespace = {};  // the device's; empty: the caller's own
    std::uint32_t queue = 0;
    ring_sizes rings = {};
    choice zero_copy = choice::automatic;
    choice scatter_gather = choice::automatic;
    choice need_wakeup = choice::automatic;  // the kernel says when it sleeps
    std::uint32_t tx_budget = 1024;  // descriptors one send call may move in copy mode; at most tx
    std::chrono::milliseconds busy_patience{1000};  // how long to wait for a queue in use
    // Frames that filling FILL leaves in the pool. Default: an eighth of the umem.
    std::optional<std::uint32_t> reserve_frames = {};
    choice tx_metadata = choice::forbidden;  // see <skein/xsk/tx_metadata.hpp>
    bool tx_software_checksum = false;       // checksums by the kernel, not the device
};

class SKEIN_EXPORT socket {
  public:
    socket(std::shared_ptr<umem> memory, socket_options options);
    socket(const socket&) = delete;
    socket& operator=(const socket&) = delete;
    ~socket();

    // Closes the descriptor: the kernel moves nothing on the rings afterwards, and touches no frame
    // but those it has under way in TX. The rings can still be read. Safe to repeat.
    void stop() noexcept;
    // stop(), and the rings are gone too; returns how many frames came back from FILL and RX. Safe
    // to repeat.
    std::uint32_t close() noexcept;
    bool is_open() const noexcept { return fd_ >= 0; }

    int fd() const noexcept { return fd_; }
    const socket_options& options() const noexcept { return options_; }
    const bind_result& bound() const noexcept { return bound_; }
    const std::shared_ptr<umem>& memory() const noexcept { return memory_; }
    lender_id lender() const noexcept { return lender_; }
    std::uint32_t reserve_frames() const noexcept;

    fill_ring& fill() noexcept { return fill_; }
    completion_ring& completion() noexcept { return completion_; }
    rx_ring& rx() noexcept { return rx_; }
    tx_ring& tx() noexcept { return tx_; }
    const fill_ring& fill() const noexcept { return fill_; }
    const completion_ring& completion() const noexcept { return completion_; }
    const rx_ring& rx() const noexcept { return rx_; }
    const tx_ring& tx() const noexcept { return tx_; }

    // The kernel's counters of this socket (XDP_STATISTICS); zeros once it is closed.
    uapi::statistics statistics() const noexcept;

  private:
    struct mapping {
        void* base = nullptr;
        std::size_t bytes = 0;
    };

    void open();
    void set_up();
    void check_rings() const;
    void register_memory();
    bool register_with_metadata(uapi::umem_registration request);
    void settle_metadata(const std::string& driver);
    void note_metadata(bool recent, bool page_built, const std::string& driver);
    void size_ring(int option, std::uint32_t entries, const char* name);
    void map_rings();
    void prime_fill();
    void keep_off_zero_copy();
    void negotiate();
    bool needs_pieces() const;
    bool mode_suits(const bind_result& first, bool pieces) const;
    int try_plan(const std::vector<std::uint16_t>& plan, int shared_fd);
    int bind_patiently(std::uint16_t flags, int shared_fd);
    void read_back(std::uint16_t flags);
    void raise_tx_budget(const std::string& driver);
    void raise_send_buffer();
    void note_early_completions(const std::string& driver);
    [[noreturn]] void fail(int error_number, const char* operation, std::string cause = {},
                           std::string remedy = {}) const;

    std::shared_ptr<umem> memory_;
    socket_options options_;
    lender_id lender_ = 0;
    bool lends_ = false;  // lender_ is ours
    int fd_ = -1;
    std::uint32_t interface_index_ = 0;
    mapping fill_map_;
    mapping completion_map_;
    mapping rx_map_;
    mapping tx_map_;
    fill_ring fill_;
    completion_ring completion_;
    rx_ring rx_;
    tx_ring tx_;
    bind_result bound_;
};

}  // namespace skein::inline v0::xsk
