// SPDX-License-Identifier: Apache-2.0
// One AF_XDP socket as the kernel has it: rings, binding, the packets it has in flight.
//
// By default it behaves well: what is sent completes at once and in order, what is delivered is
// published whole. The controls make it behave as kernels, drivers and bad luck do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <skein/descriptor.hpp>
#include <skein/xsk/uapi.hpp>

#include "support/fake_custody.hpp"
#include "support/fake_descriptor.hpp"
#include "support/fake_device.hpp"
#include "support/fake_profile.hpp"
#include "support/fake_ring.hpp"

namespace skein::test {

using bytes = std::vector<std::byte>;

// A UMEM as one or more sockets use it.
struct fake_umem {
    std::byte* base = nullptr;
    std::uint64_t length = 0;
    std::uint32_t chunk_bytes = 0;
    std::uint32_t headroom_bytes = 0;
    bool unaligned = false;
    skein::xsk::uapi::umem_registration registration = {};  // as it was asked for
    std::size_t registration_bytes = 0;                     // the layout: 24, 28 or 32
    bool zero_copy = false;  // set by the first bind, inherited by sharers
    bool scatter_gather = false;
    bool need_wakeup = false;
    std::shared_ptr<fake_custody> custody = {};
};

class fake_socket {
  public:
    static constexpr std::size_t most_tx_descriptors = 18;  // one linear part, MAX_SKB_FRAGS 17

    fake_socket(int fd, const kernel_profile& profile) : fd_(fd), profile_(profile) {}

    // --- controls --------------------------------------------------------------------------------

    bool record_wire = true;          // keep what was sent, for comparison
    bool hold_completions = false;    // packets stay in flight until a test completes them
    std::uint32_t hold_received = 0;  // keep the last so many RX entries unpublished
    // What a test wants to change in a descriptor before it is written to RX.
    std::function<void(descriptor&)> corrupt = {};

    std::size_t in_flight() const noexcept { return in_flight_.size(); }  // packets
    // Frees the nth packet in flight (0: the oldest), as if its device were done with it.
    void complete_nth(std::size_t n);
    void complete_all();
    // Packets in flight are never completed: the kernel swallowed them.
    void forget_all();
    // What it writes as the time at which a packet was sent.
    std::uint64_t clock_tai_ns = 1'700'000'000'000'000'000;
    // An address out of nowhere: a duplicate, a lie.
    void post_completion(std::uint64_t address);
    // Slots of COMPLETION neither written nor promised to a packet in flight.
    std::uint32_t completion_room() const noexcept { return completion->room() - outstanding_; }
    void post_received(const descriptor& what);
    // Publishes RX entries held back.
    void publish_received() { rx->publish(); }
    // Takes FILL entries early, as zero-copy drivers do for their hardware queue.
    std::size_t take_fill(std::size_t n);

    // --- what happened ---------------------------------------------------------------------------

    std::vector<bytes> wire;  // packets sent, in order
    std::uint64_t sent_packets = 0;
    std::vector<skein::xsk::uapi::tx_metadata> requests;  // as read when a packet was taken
    skein::xsk::uapi::statistics statistics{};

    // --- the kernel's own ------------------------------------------------------------------------

    int fd() const noexcept { return fd_; }
    bool bound() const noexcept { return device != nullptr; }

    // A packet arrives for this socket; false if it was dropped.
    bool receive(std::span<const std::byte> packet);
    // What sendto does, with the value it returns.
    int transmit();

    void observe_releases();
    void observe_announcements(std::vector<std::string>& violations);
    // Lets go of what the rings hold, as closing does.
    void let_go();

    std::shared_ptr<fake_umem> umem;
    std::unique_ptr<fake_source<std::uint64_t>> fill;
    std::unique_ptr<fake_source<descriptor>> tx;
    std::unique_ptr<fake_sink<descriptor>> rx;
    std::unique_ptr<fake_sink<std::uint64_t>> completion;

    std::unique_ptr<fake_descriptor> waitable = {};  // null: nothing can wait for this socket
    std::string network_namespace = {};              // it was opened in
    fake_device* device = nullptr;                   // null: not bound, or the device is gone
    std::uint32_t queue = 0;
    bool tell_device_lost = false;  // the next call says ENETDOWN, later ones ENXIO
    bool scatter_gather = false;
    std::uint32_t tx_budget = skein::xsk::uapi::default_tx_budget;
    std::uint32_t send_buffer_bytes = 212992;
    std::function<void(std::span<const std::byte>)> carry = {};  // to the peer

  private:
    struct flight {
        std::vector<std::uint64_t> addresses;
        std::uint64_t charged_bytes;
        std::byte* time_at;  // where to write when it was sent; null: nowhere
    };

    bool send_buffer_exhausted() const noexcept;
    int stop_or_take();
    int take(const descriptor& d);
    int finish();
    void drop_chain();
    void invalid(const descriptor& d);
    bool valid(const descriptor& d) const noexcept;
    std::uint64_t plain(std::uint64_t address) const noexcept;
    bool acceptable_metadata(const descriptor& d) const noexcept;
    void read_metadata(const descriptor& d);
    void write_time(std::byte* where) const noexcept;
    void send_pending();
    void launch();
    void report(std::uint64_t address);
    void post(std::uint64_t address);

    std::optional<std::int64_t> next_rx_frame();
    void write_piece(std::int64_t frame, std::span<const std::byte> piece, bool last);

    int fd_;
    const kernel_profile& profile_;
    std::vector<descriptor> pending_;  // a packet whose last descriptor has not come yet
    std::byte* time_at_ = nullptr;     // where its time is to be written
    bool draining_ = false;            // skipping the rest of a packet with a bad descriptor
    std::deque<flight> in_flight_;
    std::uint32_t outstanding_ = 0;         // COMPLETION slots promised to packets in flight
    std::deque<std::uint64_t> reserved_;    // addresses_at_reserve: in order of reservation
    std::uint64_t charged_bytes_ = 0;       // of the send buffer
    std::deque<std::int64_t> driver_fill_;  // frames taken early
    std::vector<std::int64_t> kept_;        // frames whose descriptor was a lie
    bytes gathered_;
};

}  // namespace skein::test
