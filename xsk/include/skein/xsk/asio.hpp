// SPDX-License-Identifier: Apache-2.0
// A port in a Boost.Asio loop: an I/O object like those of Asio, with completion tokens.
//
//     boost::asio::awaitable<void> echo(skein::xsk::asio_port port) {
//         for (skein::burst packets;; packets.clear()) {
//             co_await port.async_receive(packets, boost::asio::use_awaitable);
//             answer(packets);
//             co_await port.async_send(packets, boost::asio::use_awaitable);
//         }
//     }
//
// Header-only, so that the library itself needs no Boost: link skein::asio, or with pkg-config
// skein-xsk alone. Boost 1.74 or newer. clang up to Boost 1.75 wants BOOST_ASIO_HAS_CO_AWAIT
// defined for coroutines; skein::asio does so.
//
// Operations. One receive, one send and one wait may be pending at a time; another of the same kind
// fails with already_started. A burst handed over must stay until its operation has completed.
//
//     async_receive  appends packets to the burst; completes with how many, at least one
//     async_send     completes when every packet of the burst is on the TX ring and, in copy mode,
//                    taken by the kernel; with how many. Refused packets are dropped and counted
//                    (port_counters::refused). On an error what found no room is still in the burst
//     async_wait     completes when a port_event has happened
//
// Completion. As everywhere in Asio: never inside the initiating function, on the handler's
// associated executor (the port's by default), with memory from its associated allocator, and with
// the io_context kept at work until then. An operation that can be done at once is done at once and
// its handler posted: no system call but sendto. Where it has to wait, memory is reused: nothing is
// allocated per operation.
//
// Waiting. Packets announce themselves by the descriptor. No event says that frames came back: a
// send that waits for room looks at COMPLETION after naps of 0.1 to 2 ms. No thread is made.
//
// Cancellation. cancel() ends what is pending with operation_aborted; close() and the destructor do
// the same first. From Boost 1.77 on, cancellation slots end a single operation, so awaitable
// operators (`receive || timer`) work; a send that is already half done heeds terminal and partial.
//
// Errors. operation_aborted; already_started; no_such_device_or_address once the device was removed
// (noticed within a second); bad_descriptor after close(); no_buffer_space to receive into a full
// burst; operation_not_supported where the port has no RX or no TX. A link that is down is no
// error: operations wait until it is up. Opening throws setup_error, as a port does.
//
// Timers of your own, such as those that end an aggregate or give up a datagram's missing
// fragments, run in the same loop on the same executor: a steady_timer whose handler calls what has
// to happen by then and async_send for what came of it, once receiving is done; its time is the
// next deadline, so that an idle loop sleeps.
//
// Threading: objects are for one thread at a time, like Asio's own. In an io_context run by several
// threads give the port a strand for its executor and call it from there. The io_context must
// outlive the port.
#pragma once

#include <utility>  // first: Boost 1.74 uses std::exchange without it

#include <chrono>
#include <cstddef>
#include <memory>
#include <type_traits>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/system/error_code.hpp>

#include <skein/burst.hpp>
#include <skein/xsk/detail/asio_state.hpp>
#include <skein/xsk/port.hpp>

namespace skein::inline v0::xsk {

template <class Executor = boost::asio::any_io_executor>
class basic_asio_port {
    using state = detail::asio_state<Executor>;
    using error_code = boost::system::error_code;
    using default_token = boost::asio::default_completion_token_t<Executor>;

  public:
    using executor_type = Executor;
    // The same with another executor, for use_awaitable_t<>::as_default_on_t and its like.
    template <class Other>
    struct rebind_executor {
        using other = basic_asio_port<Other>;
    };

    // Takes over a port that is open.
    basic_asio_port(const Executor& executor, std::unique_ptr<port> over)
        : state_(std::make_shared<state>(executor, std::move(over))) {}
    // Opens one.
    basic_asio_port(const Executor& executor, port_options options)
        : basic_asio_port(executor, std::make_unique<port>(std::move(options))) {}
    basic_asio_port(const Executor& executor, port_options options, std::shared_ptr<umem> memory,
                    std::shared_ptr<redirect_program> program)
        : basic_asio_port(executor, std::make_unique<port>(std::move(options), std::move(memory),
                                                           std::move(program))) {}
    // The same in an io_context or another execution context.
    template <class Context, class... Arguments>
    requires std::is_convertible_v<Context&, boost::asio::execution_context&> basic_asio_port(
        Context& context, Arguments&&... arguments)
        : basic_asio_port(Executor(context.get_executor()), std::forward<Arguments>(arguments)...) {
    }

    // One that was moved from may be destroyed or assigned to, and nothing else.
    basic_asio_port(basic_asio_port&&) noexcept = default;
    basic_asio_port& operator=(basic_asio_port&& other) noexcept {
        if (this != &other) {
            abandon();
            state_ = std::move(other.state_);
        }
        return *this;
    }
    ~basic_asio_port() { abandon(); }

    executor_type get_executor() const noexcept { return state_->executor(); }
    // The port below, with all it can say and do. It must not be closed there.
    port& next_layer() noexcept { return state_->lower(); }
    const port& next_layer() const noexcept { return state_->lower(); }

    // void(error_code, std::size_t)
    template <class Token = default_token>
    auto async_receive(burst& packets, Token&& token = Token()) {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            starter{state_.get(),
                    [](state& with, auto&& handler, burst* into) {
                        with.start_receive(std::forward<decltype(handler)>(handler), *into);
                    }},
            token, &packets);
    }

    // void(error_code, std::size_t)
    template <class Token = default_token>
    auto async_send(burst& packets, Token&& token = Token()) {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            starter{state_.get(),
                    [](state& with, auto&& handler, burst* from) {
                        with.start_send(std::forward<decltype(handler)>(handler), *from);
                    }},
            token, &packets);
    }

    // void(error_code)
    template <class Token = default_token>
    auto async_wait(port_event event, Token&& token = Token()) {
        return boost::asio::async_initiate<Token, void(error_code)>(
            starter{state_.get(),
                    [](state& with, auto&& handler, port_event what) {
                        with.start_wait(std::forward<decltype(handler)>(handler), what);
                    }},
            token, event);
    }

    // Pending operations complete with operation_aborted.
    void cancel() { state_->cancel(); }
    // cancel(), and the port's close(). Operations started afterwards fail with bad_descriptor.
    teardown_report close(std::chrono::milliseconds deadline = std::chrono::milliseconds{500}) {
        return state_->close(deadline);
    }

  private:
    // What async_initiate calls; it has the port's executor, as Asio's own have.
    template <class Start>
    struct starter {
        using executor_type = Executor;

        state* with;
        Start start;

        executor_type get_executor() const noexcept { return with->executor(); }
        template <class Handler, class Argument>
        void operator()(Handler&& handler, Argument argument) const {
            start(*with, std::forward<Handler>(handler), argument);
        }
    };
    template <class Start>
    starter(state*, Start) -> starter<Start>;

    void abandon() noexcept {
        if (!state_) return;
        state_->abandon();
        state_.reset();
    }

    std::shared_ptr<state> state_;
};

using asio_port = basic_asio_port<>;

}  // namespace skein::inline v0::xsk
