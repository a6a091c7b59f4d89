// SPDX-License-Identifier: Apache-2.0
// A port: one AF_XDP socket on one (device, queue), as a place that packets come from and go to.
//
//     receive(burst)   FILL refilled, RX read, packets appended to the burst
//     send(burst)      packets leave the burst for the TX ring, as they lie
//     flush()          the kernel is told (a system call where one is needed)
//     recycle()        completed frames return to the pool
//
//     skein::xsk::port port({.interface = "veth0"});
//     skein::burst packets;
//     while (running) {
//         port.wait(100ms);
//         port.receive(packets);
//         port.send(packets);
//         port.flush();
//     }
//
// Set-up throws setup_error and negotiates what is optional: description() says what was obtained.
// The data path is noexcept and returns counts; counters() says why anything was dropped. Device
// loss is a sticky status, not an error: packets wait while the link is down.
//
// Frames: every frame a port touches is on the umem's ledger. send() takes a packet's references
// over to the kernel; they come back through the COMPLETION ring, descriptor by descriptor, and
// each address is checked against what is under way, so that neither a duplicate nor a foreign
// address can free a frame twice. Kernels up to 6.16 may complete addresses in another order than
// they were sent (fixed by 30f241fcf52a): in copy mode on drivers that need a linear head this is
// harmless, as the kernel copied the bytes before the call returned; a driver with
// IFF_TX_SKB_NO_LINEAR (virtio_net) reads the frame itself and might then see it used again.
//
// Teardown: close() leaves the map and detaches the program when this was its last port, waits
// until the kernel has completed everything or the deadline passes, closes the socket, takes the
// frames of FILL and RX back, and reports the ones still out.
//
// Threading: one thread per umem; counters may be read from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <skein/burst.hpp>
#include <skein/export.hpp>
#include <skein/rx_assembler.hpp>
#include <skein/xsk/busy_poll.hpp>
#include <skein/xsk/error.hpp>
#include <skein/xsk/flush_policy.hpp>
#include <skein/xsk/port_counters.hpp>
#include <skein/xsk/program.hpp>
#include <skein/xsk/socket.hpp>
#include <skein/xsk/tx_metadata.hpp>

namespace skein::inline v0::xsk {

class tx_metadata_writer;

struct port_options {
    std::string interface;
    // The device's, as in /run/netns or a path; empty: the caller's own. Ports of one umem may be
    // on devices of several namespaces. Needs CAP_SYS_ADMIN, for opening and for a program that
    // libxdp attached also for closing; in between nothing depends on it.
    std::string network_namespace = {};
    std::uint32_t queue = 0;

    bool receives = true;   // false: no RX ring, no XDP program
    bool transmits = true;  // false: no TX ring

    ring_sizes rings = {};
    choice zero_copy = choice::automatic;
    choice scatter_gather = choice::automatic;
    choice need_wakeup = choice::automatic;  // the kernel says when it sleeps
    std::uint32_t tx_budget = 1024;
    std::chrono::milliseconds busy_patience{1000};

    // Descriptors of one packet the device takes: copy mode one linear part and MAX_SKB_FRAGS.
    // Where no scatter-gather was obtained, and on smaller rings, it is less.
    std::uint32_t max_tx_segments = 18;
    // Frames that refilling FILL leaves for sending. Default: an eighth of the umem.
    std::optional<std::uint32_t> reserve_frames = {};
    flush_policy flush = {};
    // Ask the kernel to serve the queue from the receiving thread; outcome: busy_polling().
    std::optional<busy_poll_options> busy_poll = {};

    // Whether packets may ask for checksums, timestamps and launch times; not without a price: see
    // tx_metadata.hpp. All ports of one umem should agree.
    choice tx_metadata = choice::forbidden;
    bool tx_software_checksum = false;
    std::size_t tx_timestamps = 1024;  // of sent packets, kept until they are taken

    // Only for a port that makes its own umem and program.
    umem_options memory = {};
    program_options program = {};
};

struct device_event;

// tx_stuck: the kernel rejects for good what is first on the TX ring. Nothing is sent any more, and
// only closing helps; receiving goes on.
enum class port_status : std::uint8_t { ready, link_down, device_gone, tx_stuck, closed };
// "ready" and so on.
SKEIN_EXPORT std::string_view to_string(port_status status) noexcept;

// What was still out when a port closed.
struct teardown_report {
    std::uint32_t reclaimed_rx_frames = 0;  // from FILL and RX: free again
    std::uint32_t unread_descriptors = 0;   // received and never read: lost
    std::uint32_t unsent_descriptors =
        0;  // never taken by the kernel: lost, their frames free again
    std::vector<frame_id> written_off = {};  // never completed before the deadline
    std::chrono::milliseconds drained_for{0};
};
// "closed: 2048 frames back from FILL and RX, nothing under way"; names the frames still out.
SKEIN_EXPORT std::string to_string(const teardown_report& report);

class SKEIN_EXPORT port {
  public:
    // A port of its own: makes its umem and attaches its program.
    explicit port(port_options options);
    // A port over a shared umem and program; no program: frames arrive only if somebody else
    // directs them here.
    port(port_options options, std::shared_ptr<umem> memory,
         std::shared_ptr<redirect_program> program);
    port(const port&) = delete;
    port& operator=(const port&) = delete;
    ~port();

    // --- data path -------------------------------------------------------------------------------

    // Appends received packets, at most so many, until the burst is full or the ring empty; returns
    // how many. Also recycles completions and refills FILL.
    std::size_t receive(burst& packets, std::size_t most = burst::capacity) noexcept;

    // Puts packets on the TX ring, in order, until the ring is full; returns how many. What was put
    // leaves the burst; what found no room stays, at its front; a refused packet is counted by
    // reason and moved to `refused`, or dropped where that is null or full. Flushes by policy, and
    // where the ring is full of what was not flushed yet.
    std::size_t send(burst& packets, burst* refused = nullptr) noexcept;

    // Why send() would refuse this packet, if it would.
    std::optional<tx_refusal> refuses(const packet& p) const noexcept;

    // Tells the kernel to send, again and again until the TX ring is empty, no progress is made or
    // the policy says enough. Costs nothing where nothing waits.
    void flush() noexcept;

    // Takes completed frames back; returns how many descriptors were.
    std::size_t recycle() noexcept;

    // Hands over the oldest times of packets that asked for one (packet::request_timestamp) and
    // were recycled; returns how many.
    std::size_t take_timestamps(std::span<tx_timestamp> to) noexcept;

    // Gives free frames to FILL, keeping the reserve; returns how many.
    std::size_t refill() noexcept;

    // Waits until packets can be received, a signal comes or the time is over; true if there are
    // some. Uses poll(). Recycles and refills first, so that there is something to receive into.
    bool wait(std::chrono::milliseconds timeout) noexcept;

    // True if receive() would find something, without a system call.
    bool has_packets() noexcept { return socket_.rx().available(1) != 0; }

    // Descriptors put on the TX ring and not yet completed.
    std::uint32_t under_way() const noexcept { return under_way_; }

    // Those of them that the kernel has not taken from the ring, as of now.
    std::uint32_t unsent() noexcept { return socket_.tx().pending(); }

    // True if send() would find room for a packet of any length it takes, without a system call.
    bool has_room() noexcept {
        return socket_.tx().free_slots(max_tx_segments_) >= max_tx_segments_;
    }

    // --- what it is ------------------------------------------------------------------------------

    int fd() const noexcept { return socket_.fd(); }
    // The device as it is called from here: "eth0", "blue/eth0" in the namespace blue.
    std::string device() const;
    const port_options& options() const noexcept { return options_; }
    // All empty where it was not asked for.
    const busy_poll_result& busy_polling() const noexcept { return busy_polling_; }
    const bind_result& bound() const noexcept { return socket_.bound(); }
    const std::shared_ptr<umem>& memory() const noexcept { return socket_.memory(); }
    const std::shared_ptr<redirect_program>& program() const noexcept { return program_; }
    frame_pool& pool() noexcept { return *pool_; }
    frame_ledger ledger() const noexcept { return memory()->ledger(); }
    // As of the last call to send; a port that only receives learns nothing by itself.
    port_status status() const noexcept { return status_; }
    // Asks the kernel whether the device is up and still there (one system call, which moves
    // nothing in copy mode): the new status(). For once in a while.
    port_status probe() noexcept;
    // Takes note of what a device_watch told: status() follows the link, device() the name. Call it
    // on the port's thread.
    void handle(const device_event& event) noexcept;
    // The longest packet, from the Ethernet header on, that the frames bound can take: a device's
    // MTU may grow beyond it, and such packets are then dropped (rx_dropped).
    std::uint32_t max_rx_bytes() const noexcept;

    const port_counters& counters() const noexcept { return counters_; }
    const rx_counters& received() const noexcept { return assembler_.counters(); }
    // The kernel's own (XDP_STATISTICS); of a closed port those it had last.
    uapi::statistics kernel_statistics() const noexcept {
        return status_ == port_status::closed ? last_statistics_ : socket_.statistics();
    }

    // Segments of the longest packet that send() takes.
    std::uint32_t max_tx_segments() const noexcept { return max_tx_segments_; }

    // What was asked for and obtained, in one line for people.
    std::string description() const;

    // --- teardown --------------------------------------------------------------------------------

    // See above. Safe to repeat: later calls report nothing.
    teardown_report close(std::chrono::milliseconds deadline = std::chrono::milliseconds{500});

  private:
    static constexpr std::uint32_t refill_batch = 64;

    std::optional<tx_refusal> refuses_metadata(const packet& p) const noexcept;
    std::optional<tx_refusal> prepare_metadata(packet& p) noexcept;
    std::uint32_t complete(std::span<const std::uint64_t> addresses) noexcept;
    std::uint32_t complete_carefully(std::span<const std::uint64_t> addresses) noexcept;
    void make_room() noexcept;
    void turn_down(packet& p, tx_refusal reason, burst* refused) noexcept;
    bool goes_on_after(int status) noexcept;
    void drain(std::chrono::milliseconds deadline) noexcept;
    void take_back_rings(teardown_report& report) noexcept;

    port_options options_;
    std::shared_ptr<redirect_program> program_;
    socket socket_;
    frame_pool* pool_;
    std::unique_ptr<tx_metadata_writer> tx_metadata_;  // null: not obtained
    bool rx_metadata_ = false;
    rx_assembler assembler_;
    std::uint32_t reserve_frames_ = 0;
    // In copy mode FILL is short of exactly what was received: its index, which the kernel is
    // writing on another CPU, is looked at only once that makes a batch. A driver with zero-copy
    // takes frames from FILL ahead of packets: there it is looked at every time.
    std::uint32_t owed_to_fill_ = 0;  // entries
    std::uint32_t refill_at_ = 0;
    std::uint32_t max_tx_segments_ = 0;
    std::uint32_t unflushed_ = 0;  // descriptors put since the last flush
    std::uint32_t under_way_ = 0;  // descriptors put and not completed
    port_status status_ = port_status::ready;
    busy_poll_result busy_polling_;
    port_counters counters_;
    uapi::statistics last_statistics_{};
};

}  // namespace skein::inline v0::xsk
