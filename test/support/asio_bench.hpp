// SPDX-License-Identifier: Apache-2.0
// An asio_port over a fake kernel in an io_context, and how to run it: step by step, with the fake
// kernel looking at the rings in between.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <skein/xsk/asio.hpp>

#include <boost/asio/io_context.hpp>

#include "support/fake_port.hpp"

namespace skein::test {

namespace asio = boost::asio;
using boost::system::error_code;

// Keeps what an operation came to.
struct outcome {
    int calls = 0;
    error_code error;
    std::size_t packets = 0;

    auto take() {
        return [this](error_code e, std::size_t n) {
            ++calls;
            error = e;
            packets = n;
        };
    }
    auto take_event() {
        return [this](error_code e) { take()(e, 0); };
    }
};

class asio_bench {
  public:
    explicit asio_bench(kernel_profile profile = {}, xsk::port_options options = on("fake0"))
        : kernel(profile) {
        kernel.add_device({.name = "fake0"});
        kernel.give_real_descriptors();
        memory = make_memory();
        port.emplace(context, open(std::move(options)));
    }

    std::unique_ptr<xsk::port> open(xsk::port_options options) const {
        return std::make_unique<xsk::port>(std::move(options), memory, nullptr);
    }
    fake_socket& socket() { return kernel.socket("fake0"); }
    bool deliver(std::span<const std::byte> packet) { return kernel.deliver("fake0", 0, packet); }
    frame_pool& pool() { return memory->pool(); }

    // Runs handlers until the condition holds; false if nothing is left to run, or after 10 s.
    template <class Condition>
    bool run_until(Condition&& holds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        context.restart();
        while (!holds()) {
            kernel.observe();
            if (context.stopped() || std::chrono::steady_clock::now() > end) return false;
            context.run_one_for(std::chrono::milliseconds{1});
        }
        return true;
    }
    // Runs what can run now.
    void settle() {
        context.restart();
        do
            kernel.observe();
        while (context.poll_one() != 0);
    }
    // Nothing pends any more: running the context returns at once, without being stopped.
    bool idle() {
        settle();
        return context.stopped();
    }
    void check() { ledger_check(kernel, *memory); }

    fake_kernel kernel;
    std::shared_ptr<xsk::umem> memory;
    asio::io_context context{1};
    std::optional<xsk::asio_port> port;
};

}  // namespace skein::test
