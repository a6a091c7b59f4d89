// SPDX-License-Identifier: Apache-2.0
// What waits inside an asio_port: three operations, one watch on the descriptor, one timer.
//
//     descriptor readable ──┐
//     timer ────────────────┴─► advance(): try each operation, complete those that are done
//                                   │
//                                   └─► arm(): the watch if packets are awaited;
//                                              the timer, soon if nothing else could wake us,
//                                              else for asking now and then whether the device
//                                              lives
//
// The kernel tells when packets come, and by no event when frames come back or a device is removed.
// Hence the timer: naps that grow from 0.1 to 2 ms (50 ms while the link is down) as long as
// somebody waits for COMPLETION, and a second where packets alone are awaited.
//
// The state outlives its asio_port until the watch and the timer have ended; the port does not.
// Handlers of users run inside advance() and may start, cancel and destroy anything.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/query.hpp>
#include <boost/system/error_code.hpp>

#include <skein/burst.hpp>
#include <skein/xsk/detail/asio_operation.hpp>
#include <skein/xsk/detail/asio_service.hpp>
#include <skein/xsk/port.hpp>

namespace skein::inline v0::xsk {

// What async_wait of an asio_port waits for.
enum class port_event {
    packets,  // receive() would find something
    room,     // send() would find room for a packet of any length
    frames,   // the pool has a free frame
    drained,  // nothing that was sent is under way any more
};

namespace detail {

template <class Executor>
class asio_state final : public asio_service::member,
                         public std::enable_shared_from_this<asio_state<Executor>> {
  public:
    using clock = std::chrono::steady_clock;
    using error_code = boost::system::error_code;

    asio_state(const Executor& executor, std::unique_ptr<port> over);
    asio_state(const asio_state&) = delete;
    asio_state& operator=(const asio_state&) = delete;
    ~asio_state() {
        service_.leave(*this);
        abandon();
    }

    const Executor& executor() const noexcept { return executor_; }
    port& lower() noexcept { return *port_; }

    template <class Handler>
    void start_receive(Handler&& handler, burst& packets);
    template <class Handler>
    void start_send(Handler&& handler, burst& packets);
    template <class Handler>
    void start_wait(Handler&& handler, port_event event);

    // Pending operations complete with operation_aborted; their handlers are posted.
    void cancel();
    teardown_report close(std::chrono::milliseconds deadline);
    // The asio_port is gone.
    void abandon();

  private:
    static constexpr std::chrono::microseconds shortest_nap{100};
    static constexpr std::chrono::microseconds longest_nap{2'000};
    static constexpr std::chrono::microseconds longest_nap_without_link{50'000};
    static constexpr std::chrono::seconds between_probes{1};

    void drop() noexcept override;

    error_code trouble() const noexcept;
    error_code why_not_receive(const burst& packets) const noexcept;
    error_code why_not_send() const noexcept;
    bool send_done() noexcept;
    bool happened(port_event event) noexcept;

    void advance();
    void try_receive();
    void try_send();
    void try_wait();

    void begin_waiting() {
        nap_ = shortest_nap;
        arm();
    }
    void arm();
    void watch();
    void tick_by(clock::time_point when);
    void tick();
    void disarm();
    void let_go_of_descriptor();

    void abort_receive() {
        receiving_.complete(completion_style::later, boost::asio::error::operation_aborted, 0);
    }
    void abort_send() {
        sending_.complete(completion_style::later, boost::asio::error::operation_aborted, sent_);
    }
    void abort_wait() {
        waiting_.complete(completion_style::later, boost::asio::error::operation_aborted);
    }
    template <class Slot, class Handler>
    void listen(Slot asio_state::*slot, void (asio_state::*abort)(), Handler& handler);

    Executor executor_;
    asio_service& service_;
    std::unique_ptr<port> port_;
    boost::asio::posix::basic_stream_descriptor<Executor> descriptor_;
    boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, Executor> timer_;

    asio_slot<error_code, std::size_t> receiving_;
    burst* received_ = nullptr;
    asio_slot<error_code, std::size_t> sending_;
    burst* unsent_ = nullptr;
    std::size_t sent_ = 0;  // packets of the pending send that are on the ring
    asio_slot<error_code> waiting_;
    port_event awaited_ = port_event::packets;

    // A watch or tick of an earlier number was called off and says nothing.
    std::uint64_t watch_number_ = 0;
    std::uint64_t tick_number_ = 0;
    bool watching_ = false;
    bool ticking_ = false;
    clock::time_point next_tick_{};
    clock::time_point next_probe_{};
    std::chrono::microseconds nap_ = shortest_nap;
    std::uint32_t under_way_before_ = 0;
};

template <class Executor>
asio_state<Executor>::asio_state(const Executor& executor, std::unique_ptr<port> over)
    : executor_(executor),
      service_(boost::asio::use_service<asio_service>(static_cast<boost::asio::execution_context&>(
          boost::asio::query(executor, boost::asio::execution::context)))),
      port_(std::move(over)),
      descriptor_(executor),
      timer_(executor) {
    service_.join(*this);
    descriptor_.assign(port_->fd());
}

// --- starting ------------------------------------------------------------------------------------

template <class Executor>
template <class Handler>
void asio_state<Executor>::start_receive(Handler&& handler, burst& packets) {
    auto error = why_not_receive(packets);
    const auto received = error ? 0 : port_->receive(packets);
    if (!error && received == 0) error = trouble();
    if (error || received != 0) {
        asio_post(std::forward<Handler>(handler), executor_, error, received);
        return;
    }
    received_ = &packets;
    auto& kept = receiving_.put(std::forward<Handler>(handler), executor_);
    listen(&asio_state::receiving_, &asio_state::abort_receive, kept);
    begin_waiting();
}

template <class Executor>
template <class Handler>
void asio_state<Executor>::start_send(Handler&& handler, burst& packets) {
    if (const auto error = why_not_send()) {
        asio_post(std::forward<Handler>(handler), executor_, error, std::size_t{0});
        return;
    }
    unsent_ = &packets;
    sent_ = 0;
    const bool done = send_done();
    const auto error = done ? error_code() : trouble();
    if (done || error) {
        asio_post(std::forward<Handler>(handler), executor_, error, sent_);
        return;
    }
    auto& kept = sending_.put(std::forward<Handler>(handler), executor_);
    listen(&asio_state::sending_, &asio_state::abort_send, kept);
    begin_waiting();
}

template <class Executor>
template <class Handler>
void asio_state<Executor>::start_wait(Handler&& handler, port_event event) {
    auto error = trouble();
    if (waiting_) error = boost::asio::error::already_started;
    if (error || happened(event)) {
        asio_post(std::forward<Handler>(handler), executor_, error);
        return;
    }
    awaited_ = event;
    auto& kept = waiting_.put(std::forward<Handler>(handler), executor_);
    listen(&asio_state::waiting_, &asio_state::abort_wait, kept);
    begin_waiting();
}

// Cancellation of one operation by its slot. The emitter may be anywhere on the same (implicit or
// explicit) strand; `total` promises that nothing happened, which a send half done cannot.
template <class Executor>
template <class Slot, class Handler>
void asio_state<Executor>::listen([[maybe_unused]] Slot asio_state::*slot,
                                  [[maybe_unused]] void (asio_state::*abort)(),
                                  [[maybe_unused]] Handler& handler) {
#if SKEIN_ASIO_HAS_CANCELLATION
    auto signal = boost::asio::get_associated_cancellation_slot(handler);
    if (!signal.is_connected()) return;
    signal.assign([weak = this->weak_from_this(), slot, abort,
                   number = (this->*slot).number()](boost::asio::cancellation_type type) {
        using kind = boost::asio::cancellation_type;
        const auto self = weak.lock();
        if (!self) return;
        auto& pending = (*self).*slot;
        if (!pending || pending.number() != number) return;
        const bool partly_done = abort == &asio_state::abort_send && self->sent_ != 0;
        const auto heeded =
            kind::terminal | kind::partial | (partly_done ? kind::none : kind::total);
        if ((type & heeded) == kind::none) return;
        ((*self).*abort)();
        self->arm();
    });
#endif
}

// --- what is wrong, what is done -----------------------------------------------------------------

template <class Executor>
boost::system::error_code asio_state<Executor>::trouble() const noexcept {
    switch (port_->status()) {
        case port_status::device_gone:
            return make_error_code(boost::system::errc::no_such_device_or_address);
        case port_status::closed:
            return boost::asio::error::bad_descriptor;
        default:
            return {};
    }
}

template <class Executor>
boost::system::error_code asio_state<Executor>::why_not_receive(
    const burst& packets) const noexcept {
    if (receiving_) return boost::asio::error::already_started;
    if (!port_->options().receives) return boost::asio::error::operation_not_supported;
    if (packets.full()) return boost::asio::error::no_buffer_space;
    return port_->status() == port_status::closed ? trouble() : error_code();
}

template <class Executor>
boost::system::error_code asio_state<Executor>::why_not_send() const noexcept {
    if (sending_) return boost::asio::error::already_started;
    if (!port_->options().transmits) return boost::asio::error::operation_not_supported;
    return trouble();
}

// A ring may be smaller than a burst. In zero-copy mode the driver takes what is on it by itself.
template <class Executor>
bool asio_state<Executor>::send_done() noexcept {
    std::size_t put = 0;
    do {
        put = port_->send(*unsent_);
        sent_ += put;
        port_->flush();
    } while (put != 0 && !unsent_->empty());
    return unsent_->empty() && (port_->bound().zero_copy || port_->unsent() == 0);
}

template <class Executor>
bool asio_state<Executor>::happened(port_event event) noexcept {
    port_->recycle();
    port_->refill();
    if (event == port_event::packets) return port_->has_packets();
    if (port_->unsent() != 0) port_->flush();
    switch (event) {
        case port_event::room:
            return port_->has_room();
        case port_event::frames:
            return port_->pool().free_frames() != 0;
        default:
            return port_->under_way() == 0;
    }
}

// --- going on ------------------------------------------------------------------------------------

template <class Executor>
void asio_state<Executor>::advance() {
    const auto self = this->shared_from_this();
    try_receive();
    try_send();
    try_wait();
    arm();
}

template <class Executor>
void asio_state<Executor>::try_receive() {
    if (!receiving_) return;
    const auto received = port_->receive(*received_);
    const auto error = received != 0 ? error_code() : trouble();
    if (received != 0 || error) {
        receiving_.complete(completion_style::may_run_now, error, received);
    }
}

template <class Executor>
void asio_state<Executor>::try_send() {
    if (!sending_) return;
    const bool done = send_done();
    const auto error = done ? error_code() : trouble();
    if (done || error) sending_.complete(completion_style::may_run_now, error, sent_);
}

template <class Executor>
void asio_state<Executor>::try_wait() {
    if (!waiting_) return;
    const bool done = happened(awaited_);
    const auto error = done ? error_code() : trouble();
    if (done || error) waiting_.complete(completion_style::may_run_now, error);
}

// --- waiting -------------------------------------------------------------------------------------

template <class Executor>
void asio_state<Executor>::arm() {
    const bool for_packets = receiving_ || (waiting_ && awaited_ == port_event::packets);
    const bool for_frames = sending_ || (waiting_ && awaited_ != port_event::packets);
    if (!for_packets && !for_frames) return disarm();
    if (for_packets) watch();
    // Packets need frames to arrive in, and those under way come back unannounced.
    const bool soon = for_frames || port_->under_way() != 0;
    const auto now = clock::now();
    if (next_probe_ <= now) next_probe_ = now + between_probes;
    tick_by(soon ? now + nap_ : next_probe_);
}

template <class Executor>
void asio_state<Executor>::watch() {
    if (watching_) return;
    watching_ = true;
    descriptor_.async_wait(
        boost::asio::posix::descriptor_base::wait_read,
        [self = this->shared_from_this(), number = watch_number_](const error_code&) {
            if (number != self->watch_number_) return;
            self->watching_ = false;
            self->advance();
        });
}

template <class Executor>
void asio_state<Executor>::tick_by(clock::time_point when) {
    if (ticking_ && next_tick_ <= when) return;
    ticking_ = true;
    next_tick_ = when;
    timer_.expires_at(when);
    timer_.async_wait(
        [self = this->shared_from_this(), number = ++tick_number_](const error_code&) {
            if (number == self->tick_number_) self->tick();
        });
}

template <class Executor>
void asio_state<Executor>::tick() {
    ticking_ = false;
    const auto under_way = port_->under_way();
    const bool link = port_->status() != port_status::link_down;
    const auto longer = std::min(2 * nap_, link ? longest_nap : longest_nap_without_link);
    nap_ = under_way == under_way_before_ ? longer : shortest_nap;
    under_way_before_ = under_way;
    if (clock::now() >= next_probe_) port_->probe();
    advance();
}

// What was called off still ends, by itself, and is then ignored.
template <class Executor>
void asio_state<Executor>::disarm() {
    error_code ignored;
    if (watching_) {
        ++watch_number_;
        watching_ = false;
        descriptor_.cancel(ignored);
    }
    if (ticking_) {
        ++tick_number_;
        ticking_ = false;
        timer_.cancel();
    }
}

// --- ending --------------------------------------------------------------------------------------

template <class Executor>
void asio_state<Executor>::cancel() {
    if (receiving_) abort_receive();
    if (sending_) abort_send();
    if (waiting_) abort_wait();
    disarm();
}

template <class Executor>
teardown_report asio_state<Executor>::close(std::chrono::milliseconds deadline) {
    cancel();
    let_go_of_descriptor();
    return port_->close(deadline);
}

template <class Executor>
void asio_state<Executor>::abandon() {
    if (port_ == nullptr) return;
    cancel();
    let_go_of_descriptor();
    port_.reset();
}

// The port closes it.
template <class Executor>
void asio_state<Executor>::let_go_of_descriptor() {
    if (descriptor_.is_open()) descriptor_.release();
}

// Destroying a handler may destroy the asio_port, and this with it.
template <class Executor>
void asio_state<Executor>::drop() noexcept {
    const auto self = this->shared_from_this();
    receiving_.drop();
    sending_.drop();
    waiting_.drop();
}

}  // namespace detail
}  // namespace skein::inline v0::xsk
