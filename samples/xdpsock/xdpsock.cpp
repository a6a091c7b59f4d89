// SPDX-License-Identifier: Apache-2.0
// The well-known AF_XDP sample, on skein: xdpsock -i veth0 -r | -t | -l; xdpsock --help for the
// rest.
//
// One thread serves all sockets. A round is a batch (-b) of each of them:
//
//     -r   receive, drop
//     -t   send prepared packets
//     -l   receive, exchange the MAC addresses, send; what finds no room waits for the next round
//
// Frames, completions and refilling FILL are the ports' business, and so is how many packets a call
// to the kernel moves: as many as have gathered, up to 1024 where it allows that.
#include <poll.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdio>
#include <memory>
#include <thread>

#include <skein/xsk/interface.hpp>
#include <skein/xsk/port.hpp>
#include <skein/xsk/wait.hpp>

#include "options.hpp"
#include "process.hpp"
#include "statistics.hpp"
#include "test_packet.hpp"

namespace xdpsock {

namespace {

namespace xsk = skein::xsk;

struct lane {
    std::unique_ptr<xsk::port> port;
    skein::burst packets = {};  // on their way
    loop_counts counts = {};
};

constexpr std::uint32_t frames_per_socket = 4096;

// --- set-up --------------------------------------------------------------------------------------

xsk::port_options port_options_for(const options& given, std::uint32_t queue) {
    constexpr auto when = [](bool required, bool forbidden) {
        return required    ? xsk::choice::required
               : forbidden ? xsk::choice::forbidden
                           : xsk::choice::automatic;
    };
    // Long packets are sent in pieces, asked for or not.
    const bool one_frame = given.packet_bytes <= given.frame_bytes;
    xsk::port_options how{.interface = given.interface,
                          .queue = queue,
                          .receives = given.what != benchmark::txonly,
                          .transmits = given.what != benchmark::rxdrop,
                          .zero_copy = when(given.zero_copy, given.copy || given.generic),
                          .scatter_gather = when(given.frags, one_frame),
                          .need_wakeup = when(false, !given.need_wakeup)};
    if (given.what == benchmark::rxdrop) {
        // All frames wait for packets; none is kept for sending.
        how.rings.fill = frames_per_socket;
        how.reserve_frames = 0;
    }
    return how;
}

std::shared_ptr<xsk::umem> map_memory(const options& given, std::uint32_t sockets) {
    return std::make_shared<xsk::umem>(
        xsk::umem_options{.frames = frames_per_socket * sockets,
                          .chunk_bytes = given.frame_bytes,
                          .unaligned = given.unaligned,
                          .huge_pages = given.unaligned});  // if there are some; -u means that, too
}

std::shared_ptr<xsk::redirect_program> attach(const options& given) {
    if (given.what == benchmark::txonly) return nullptr;
    const auto mode = given.generic  ? xsk::xdp_mode::generic
                      : given.native ? xsk::xdp_mode::native
                                     : xsk::xdp_mode::any;
    return std::make_shared<xsk::redirect_program>(
        xsk::program_options{.interface = given.interface, .mode = mode});
}

// -M: a queue has one socket, so several sockets take as many queues.
std::uint32_t sockets_for(const options& given) {
    if (!given.several_queues) return 1;
    constexpr std::uint32_t most = 4;
    const auto queues = xsk::queue_count(given.interface);
    const auto from_here = queues > given.queue ? queues - given.queue : 1;
    std::fprintf(stderr, "-M: one socket a queue, on %u of the %u queues of %s\n",
                 std::min(most, from_here), queues, given.interface.c_str());
    return std::min(most, from_here);
}

std::vector<lane> open_lanes(const options& given) {
    const auto sockets = sockets_for(given);
    const auto memory = map_memory(given, sockets);
    const auto program = attach(given);
    std::vector<lane> lanes(sockets);
    for (std::uint32_t i = 0; i < sockets; ++i) {
        lanes[i].port =
            std::make_unique<xsk::port>(port_options_for(given, given.queue + i), memory, program);
        std::fprintf(stderr, "%s\n", lanes[i].port->description().c_str());
    }
    return lanes;
}

// --- rounds --------------------------------------------------------------------------------------

// What a benchmark does again and again.
class rounds {
  public:
    rounds(const options& given, std::vector<lane>& lanes) : given_(given), lanes_(lanes) {}
    virtual ~rounds() = default;

    // One batch of each socket; returns how many packets moved.
    std::size_t round() {
        std::size_t moved = 0;
        for (auto& at : lanes_) {
            // A burst is the most that moves at once; a batch may be several.
            for (std::size_t left = given_.batch; left != 0;) {
                const auto asked = std::min(left, skein::burst::capacity);
                const auto n = step(at, asked);
                moved += n;
                if (n < asked) break;
                left -= asked;
            }
        }
        return moved;
    }
    virtual bool finished() const { return false; }

  protected:
    virtual std::size_t step(lane& at, std::size_t most) = 0;
    // Those of packets from here on, which were just received.
    void count_frames(lane& at, std::size_t from) {
        if (!given_.frags) return;
        for (auto i = from; i < at.packets.size(); ++i)
            at.counts.rx_frames += at.packets[i].segment_count();
    }

    const options& given_;
    std::vector<lane>& lanes_;
};

class rx_drop final : public rounds {
    using rounds::rounds;

    std::size_t step(lane& at, std::size_t most) override {
        const auto n = at.port->receive(at.packets, most);
        count_frames(at, 0);
        at.packets.clear();
        return n;
    }
};

class l2_forward final : public rounds {
    using rounds::rounds;

    std::size_t step(lane& at, std::size_t most) override {
        const auto before = at.packets.size();
        const auto asked = std::min(most, at.packets.room());
        const auto n = at.port->receive(at.packets, asked);
        for (auto i = before; i < at.packets.size(); ++i)
            exchange_addresses(at.packets[i]);
        count_frames(at, before);
        const auto sent = at.port->send(at.packets);
        // While bursts come full the port flushes by its own policy; the last one is pushed out.
        if (n < asked || !at.packets.empty()) at.port->flush();
        return std::min(sent, n);
    }

    static void exchange_addresses(skein::packet& packet) {
        const auto macs = packet.make_writable(12);
        if (!macs.empty()) std::swap_ranges(macs.begin(), macs.begin() + 6, macs.begin() + 6);
    }
};

class tx_only final : public rounds {
  public:
    tx_only(const options& given, std::vector<lane>& lanes) : rounds(given, lanes), packet_(given) {
        for (auto& at : lanes_)
            prepare(at.port->pool().area());
        const auto pieces = (packet_.bytes().size() + given.frame_bytes - 1) / given.frame_bytes;
        if (pieces <= lanes_[0].port->max_tx_segments()) return;
        throw usage_error("-s " + std::to_string(given.packet_bytes) + ": " +
                          std::to_string(pieces) + " frames a packet, and this port sends " +
                          std::to_string(lanes_[0].port->max_tx_segments()));
    }

    bool finished() const override { return given_.packets != 0 && sent_ == given_.packets; }

  private:
    // A packet that fits a frame is laid into all of them once, and never again.
    void prepare(const skein::frame_area& area) {
        if (packet_.bytes().size() > area.chunk_bytes()) return;
        for (std::uint32_t i = 0; i < area.frames(); ++i)
            std::ranges::copy(packet_.bytes(), area.bytes(skein::frame_id{i}).begin());
        prepared_ = true;
    }

    std::size_t step(lane& at, std::size_t most) override {
        at.port->recycle();
        auto wanted = std::min<std::uint64_t>(most, at.packets.room());
        if (given_.packets != 0) {
            wanted = std::min(wanted, given_.packets - sent_ - at.packets.size());
        }
        const auto time_ns = given_.timestamps ? now_ns(given_.clock) : 0;
        for (; wanted != 0 && make_packet(at, time_ns); --wanted) {
        }
        const auto sent = at.port->send(at.packets);
        if (sent < most || given_.cycle.count() != 0) at.port->flush();
        sent_ += sent;
        return sent;
    }

    // Appends a packet; false if no frame is free.
    bool make_packet(lane& at, std::uint64_t time_ns) {
        auto& pool = at.port->pool();
        const auto area = pool.area();
        skein::packet next(pool);
        for (auto rest = packet_.bytes(); !rest.empty();) {
            const auto n = std::min<std::size_t>(rest.size(), area.chunk_bytes());
            skein::frame_id frame{};
            if (pool.take({&frame, 1}) == 0) return false;
            const skein::segment piece{frame, 0, static_cast<std::uint16_t>(n)};
            if (!prepared_) std::ranges::copy(rest.first(n), area.bytes(piece).begin());
            next.append(piece);
            rest = rest.subspan(n);
        }
        if (given_.timestamps) packet_.stamp(area.bytes(next.front()), number_++, time_ns);
        at.packets.push_back(std::move(next));
        return true;
    }

    test_packet packet_;
    bool prepared_ = false;
    std::uint64_t sent_ = 0;  // of all sockets
    std::uint32_t number_ = 0;
};

std::unique_ptr<rounds> rounds_for(const options& given, std::vector<lane>& lanes) {
    switch (given.what) {
        case benchmark::txonly:
            return std::make_unique<tx_only>(given, lanes);
        case benchmark::l2fwd:
            return std::make_unique<l2_forward>(given, lanes);
        case benchmark::rxdrop:
            break;
    }
    return std::make_unique<rx_drop>(given, lanes);
}

// --- the loop ------------------------------------------------------------------------------------

class session {
  public:
    session(const options& given, std::vector<lane>& lanes)
        : given_(given),
          lanes_(lanes),
          start_ns_(now_ns(given.clock)),
          statistics_(given, start_ns_),
          waiter_(wait_options_for(given), ports_of(lanes)) {
        for (const auto& at : lanes)
            statistics_.watch(*at.port, at.counts);
        for (const auto& note : waiter_.notes())
            std::fprintf(stderr, "%s\n", note.c_str());
    }

    void run(rounds& what) {
        auto next_ns = start_ns_ + cycle_ns();
        while (!what.finished() && goes_on()) {
            if (cycle_ns() != 0) {
                if (!sleep_until(next_ns)) continue;
                next_ns += cycle_ns();
            }
            if (what.round() != 0) {
                waiter_.worked();
            } else {
                idle();
            }
        }
        wait_for_completions();
        statistics_.print(now_ns(given_.clock));
    }

  private:
    static xsk::wait_options wait_options_for(const options& given) {
        return {
            .strategy = given.busy_poll ? xsk::wait_strategy::busy : xsk::wait_strategy::adaptive,
            .busy_poll_budget = given.batch};
    }
    std::span<xsk::port* const> ports_of(std::vector<lane>& lanes) {
        for (auto& at : lanes)
            ports_.push_back(at.port.get());
        return ports_;
    }
    std::uint64_t cycle_ns() const {
        return static_cast<std::uint64_t>(std::chrono::nanoseconds(given_.cycle).count());
    }

    // Prints what is due; false when the time is over or the end was asked for.
    bool goes_on() {
        const auto now = now_ns(given_.clock);
        if (statistics_.print_if_due(now)) {
            for (auto* port : ports_) {
                if (port->probe() == xsk::port_status::device_gone)
                    throw std::runtime_error(given_.interface + " was removed");
            }
        }
        const auto most = std::chrono::nanoseconds(given_.duration).count();
        const bool over = most != 0 && now - start_ns_ >= static_cast<std::uint64_t>(most);
        return !over && !stop_requested();
    }

    // Nothing moved. With -p a look at the devices' own word, else what the waiter makes of it.
    void idle() {
        if (given_.busy_poll) {
            for (auto& at : lanes_)
                ++at.counts.busy_polls;
        }
        if (!given_.poll || given_.busy_poll) return waiter_.idle();
        std::vector<pollfd>& entries = entries_;
        entries.clear();
        for (auto& at : lanes_) {
            ++at.counts.polls;
            const bool sends = given_.what == benchmark::txonly || !at.packets.empty();
            const auto events = static_cast<short>((at.port->options().receives ? POLLIN : 0) |
                                                   (sends ? POLLOUT : 0));
            entries.push_back({.fd = at.port->fd(), .events = events, .revents = 0});
        }
        ::poll(entries.data(), entries.size(), poll_ms());
    }

    // A second as ever, and not beyond the next statistics.
    int poll_ms() const {
        const auto now = now_ns(given_.clock);
        const auto next = statistics_.next_ns();
        return next <= now
                   ? 0
                   : static_cast<int>(std::min<std::uint64_t>((next - now) / 1'000'000 + 1, 1000));
    }

    // False if something else is due before, or the sleep was interrupted.
    bool sleep_until(std::uint64_t when_ns) {
        const auto until = std::min(when_ns, statistics_.next_ns());
        const timespec wanted{.tv_sec = static_cast<time_t>(until / 1'000'000'000),
                              .tv_nsec = static_cast<long>(until % 1'000'000'000)};
        if (clock_nanosleep(given_.clock, TIMER_ABSTIME, &wanted, nullptr) != 0) return false;
        if (until != when_ns) return false;
        statistics_.cycles().add(now_ns(given_.clock) - when_ns);
        return true;
    }

    // After -C: -O seconds and one more for what is still under way.
    void wait_for_completions() {
        if (given_.packets == 0) return;
        const auto end =
            std::chrono::steady_clock::now() + std::chrono::seconds(given_.retries + 1);
        for (auto* port : ports_) {
            while (port->under_way() != 0 && std::chrono::steady_clock::now() < end &&
                   !stop_requested()) {
                port->flush();
                if (port->recycle() == 0)
                    std::this_thread::sleep_for(std::chrono::microseconds{100});
            }
        }
    }

    const options& given_;
    std::vector<lane>& lanes_;
    std::uint64_t start_ns_;
    statistics statistics_;
    std::vector<xsk::port*> ports_;
    xsk::waiter waiter_;
    std::vector<pollfd> entries_;
};

// What helps, in the words of this command line.
std::string remedy_for(const xsk::setup_error& error, const options& given) {
    if (error.operation() == "bind" && given.zero_copy && error.error_number() != EBUSY)
        return "leave out -z: without it copy mode is taken where there is no zero-copy";
    if (error.operation() == "bind" && error.error_number() == EMSGSIZE)
        return "give -F, for packets of several frames, or lower the MTU";
    return error.remedy();
}

int run(const options& given) try {
    watch_for_stop();
    auto lanes = open_lanes(given);
    const auto what = rounds_for(given, lanes);
    session all(given, lanes);
    apply_scheduling(given);
    if (given.reduce_capabilities) keep_only_net_raw();
    all.run(*what);
    return 0;
} catch (const xsk::setup_error& error) {
    std::fprintf(stderr, "ERROR: %s\n%s\n", error.what(), remedy_for(error, given).c_str());
    return 1;
}

}  // namespace

}  // namespace xdpsock

int main(int argc, char** argv) try {
    std::setlocale(LC_ALL, "");  // thousands as they are written where this runs
    const auto given = xdpsock::parse(argc, argv);
    return given ? xdpsock::run(*given) : 0;
} catch (const xdpsock::usage_error& error) {
    std::fprintf(stderr, "ERROR: %s\n", error.what());
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "ERROR: %s\n", error.what());
    return 1;
}
