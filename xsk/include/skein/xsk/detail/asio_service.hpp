// SPDX-License-Identifier: Apache-2.0
// Lets ports know that their execution context is going down.
//
// A context that is destroyed destroys every handler still in it. Handlers that wait for a port lie
// in the port, and the port may well lie in a coroutine that is such a handler: somebody outside of
// that circle has to cut it. Asio's own objects use a service for it, and so do ports.
//
// Threading: any thread.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include <boost/asio/execution_context.hpp>

namespace skein::inline v0::xsk::detail {

class asio_service final : public boost::asio::execution_context::service {
  public:
    class member {
      public:
        // Destroys the handlers of pending operations.
        virtual void drop() noexcept = 0;

      protected:
        ~member() = default;
    };

    static inline boost::asio::execution_context::id id;
    explicit asio_service(boost::asio::execution_context& context) : service(context) {}

    void join(member& one) {
        const std::lock_guard lock(mutex_);
        members_.push_back(&one);
    }
    void leave(member& one) noexcept {
        const std::lock_guard lock(mutex_);
        members_.erase(std::remove(members_.begin(), members_.end(), &one), members_.end());
    }

  private:
    // A member may leave, and others with it, while its handlers are destroyed.
    void shutdown() noexcept override {
        while (auto* next = pop())
            next->drop();
    }
    member* pop() noexcept {
        const std::lock_guard lock(mutex_);
        if (members_.empty()) return nullptr;
        auto* last = members_.back();
        members_.pop_back();
        return last;
    }

    std::mutex mutex_;
    std::vector<member*> members_;
};

}  // namespace skein::inline v0::xsk::detail
