// SPDX-License-Identifier: Apache-2.0
// An asynchronous operation of an asio_port that waits: whose completion handler is kept, where,
// and how it ends.
//
// A slot holds at most one operation. Its memory comes from the handler's associated allocator;
// where that is the standard one, from the slot, which keeps it for the next operation, so that
// nothing is allocated in the long run. An operation ends in one of two ways:
//
//     complete   the handler runs, on its associated executor, with what the operation came to
//     drop       the handler is destroyed without being run: the execution context is going down
//
// In both the memory is free again before the handler is touched, as Asio promises its users: the
// handler may start the next operation in it. Threading: the port's.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/version.hpp>
#include <boost/system/error_code.hpp>

#if BOOST_ASIO_VERSION >= 102000  // Boost 1.77
#define SKEIN_ASIO_HAS_CANCELLATION 1
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/cancellation_type.hpp>
#else
#define SKEIN_ASIO_HAS_CANCELLATION 0
#endif

namespace skein::inline v0::xsk::detail {

// A handler with its results, ready to be posted: carries the handler's executor and allocator.
template <class Handler, class IoExecutor, class... Results>
class asio_completion {
  public:
    using executor_type = boost::asio::associated_executor_t<Handler, IoExecutor>;
    using allocator_type = boost::asio::associated_allocator_t<Handler>;

    template <class From>
    asio_completion(From&& handler, const IoExecutor& io_executor, Results... results)
        : handler_(std::forward<From>(handler)),
          io_executor_(io_executor),
          results_(std::move(results)...) {}

    executor_type get_executor() const noexcept {
        return boost::asio::get_associated_executor(handler_, io_executor_);
    }
    allocator_type get_allocator() const noexcept {
        return boost::asio::get_associated_allocator(handler_);
    }
    void operator()() { std::apply(std::move(handler_), std::move(results_)); }

  private:
    Handler handler_;
    IoExecutor io_executor_;
    std::tuple<Results...> results_;
};

// Never runs the handler before it returns.
template <class Handler, class IoExecutor, class... Results>
void asio_post(Handler&& handler, const IoExecutor& io_executor, Results... results) {
    boost::asio::post(asio_completion<std::decay_t<Handler>, IoExecutor, Results...>(
        std::forward<Handler>(handler), io_executor, std::move(results)...));
}

// Memory for one operation, kept from one to the next.
class asio_slot_memory {
  public:
    void* take(std::size_t bytes) {
        assert(!taken_);
        if (bytes > size_bytes_) {
            memory_ = std::make_unique<std::byte[]>(bytes);
            size_bytes_ = bytes;
        }
        taken_ = true;
        return memory_.get();
    }
    void give() noexcept { taken_ = false; }

  private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_bytes_ = 0;
    bool taken_ = false;
};

enum class completion_style {
    may_run_now,  // dispatched: called from the executor that the port runs on
    later,        // posted: called from a function of the user's
};

// What a slot knows of the operation in it.
template <class... Results>
class asio_operation {
  public:
    virtual void complete(completion_style style, Results... results) = 0;
    virtual void drop() noexcept = 0;

  protected:
    ~asio_operation() = default;
};

template <class Handler, class IoExecutor, class... Results>
class asio_operation_of final : public asio_operation<Results...> {
    using executor_type = boost::asio::associated_executor_t<Handler, IoExecutor>;
    using handler_allocator = boost::asio::associated_allocator_t<Handler>;
    using allocator_type =
        typename std::allocator_traits<handler_allocator>::template rebind_alloc<asio_operation_of>;
    static constexpr bool standard_allocator =
        std::is_same_v<allocator_type, std::allocator<asio_operation_of>>;

  public:
    template <class From>
    static asio_operation_of* make(From&& handler, const IoExecutor& io_executor,
                                   asio_slot_memory& memory) {
        static_assert(alignof(asio_operation_of) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
        if constexpr (standard_allocator) {
            return new (memory.take(sizeof(asio_operation_of)))
                asio_operation_of(std::forward<From>(handler), io_executor, memory);
        } else {
            allocator_type allocator(boost::asio::get_associated_allocator(handler));
            auto* where = std::allocator_traits<allocator_type>::allocate(allocator, 1);
            return new (where) asio_operation_of(std::forward<From>(handler), io_executor, memory);
        }
    }

    void complete(completion_style style, Results... results) override {
#if SKEIN_ASIO_HAS_CANCELLATION
        if (auto slot = boost::asio::get_associated_cancellation_slot(handler_);
            slot.is_connected()) {
            slot.clear();
        }
#endif
        const auto work = std::move(work_);
        asio_completion<Handler, IoExecutor, Results...> completion(
            std::move(handler_), io_executor_, std::move(results)...);
        destroy(completion.get_allocator());
        if (style == completion_style::later) {
            boost::asio::post(std::move(completion));
        } else {
            boost::asio::dispatch(std::move(completion));
        }
    }

    void drop() noexcept override {
        const auto handler = std::move(handler_);
        destroy(boost::asio::get_associated_allocator(handler));
    }

    Handler& handler() noexcept {
        return handler_;
    }

  private:
    template <class From>
    asio_operation_of(From&& handler, const IoExecutor& io_executor, asio_slot_memory& memory)
        : handler_(std::forward<From>(handler)),
          io_executor_(io_executor),
          work_(boost::asio::get_associated_executor(handler_, io_executor_)),
          memory_(memory) {}
    ~asio_operation_of() = default;

    void destroy([[maybe_unused]] const handler_allocator& with) noexcept {
        auto& memory = memory_;
        this->~asio_operation_of();
        if constexpr (standard_allocator) {
            memory.give();
        } else {
            allocator_type allocator(with);
            std::allocator_traits<allocator_type>::deallocate(allocator, this, 1);
        }
    }

    Handler handler_;
    IoExecutor io_executor_;
    boost::asio::executor_work_guard<executor_type> work_;
    asio_slot_memory& memory_;
};

// A place for one operation with these results.
template <class... Results>
class asio_slot {
  public:
    explicit operator bool() const noexcept { return operation_ != nullptr; }
    // Tells this operation from those before and after it.
    std::uint64_t number() const noexcept { return number_; }

    // Returns the handler in its place; the slot must be empty.
    template <class Handler, class IoExecutor>
    std::decay_t<Handler>& put(Handler&& handler, const IoExecutor& io_executor) {
        using operation = asio_operation_of<std::decay_t<Handler>, IoExecutor, Results...>;
        assert(operation_ == nullptr);
        auto* made = operation::make(std::forward<Handler>(handler), io_executor, memory_);
        operation_ = made;
        ++number_;
        return made->handler();
    }
    void complete(completion_style style, Results... results) {
        std::exchange(operation_, nullptr)->complete(style, std::move(results)...);
    }
    void drop() noexcept {
        if (auto* dropped = std::exchange(operation_, nullptr)) dropped->drop();
    }

  private:
    asio_operation<Results...>* operation_ = nullptr;
    std::uint64_t number_ = 0;
    asio_slot_memory memory_;
};

}  // namespace skein::inline v0::xsk::detail
