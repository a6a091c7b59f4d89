// SPDX-License-Identifier: Apache-2.0
// A fake kernel with one device, "fake0", and memory: what the tests of sockets start from.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <skein/xsk/error.hpp>
#include <skein/xsk/socket.hpp>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

namespace skein::test {

inline xsk::socket_options options_for(std::string interface, std::uint32_t queue = 0) {
    return {.interface = std::move(interface), .queue = queue, .rings = tiny_rings};
}

// A kernel with a device, and memory.
struct set_up {
    explicit set_up(kernel_profile profile = {}, fake_device device = {}) : kernel(profile) {
        device.name = "fake0";
        kernel.add_device(std::move(device));
        memory = make_memory();
    }

    // The error that opening gives; everything must be as before.
    xsk::setup_error refusal(const xsk::socket_options& options) {
        const auto free_before = memory->pool().free_frames();
        const auto mappings_before = kernel.mappings();
        const auto sockets_before = kernel.open_sockets();
        try {
            xsk::socket opened(memory, options);
        } catch (const xsk::setup_error& error) {
            CHECK(kernel.open_sockets() == sockets_before);
            CHECK(kernel.mappings() == mappings_before);
            CHECK(memory->pool().free_frames() == free_before);
            ledger_check(kernel, *memory);
            CHECK_FALSE(std::string(error.what()).empty());
            return error;
        }
        FAIL("it opened");
        throw;
    }

    fake_kernel kernel;
    std::shared_ptr<xsk::umem> memory;
};

}  // namespace skein::test
