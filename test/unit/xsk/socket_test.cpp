// SPDX-License-Identifier: Apache-2.0
// Opening a socket: what is negotiated, what is refused with which remedy, what is left behind.
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>

#include <skein/xsk/error.hpp>
#include <skein/xsk/socket.hpp>

#include "support/catch.hpp"
#include "support/fake_set_up.hpp"

using namespace skein;
using namespace skein::test;
using xsk::choice;
using xsk::setup_error;
using xsk::socket_options;
namespace uapi = xsk::uapi;

TEST_CASE("no such interface, no such queue, no such size: refused before anything is opened") {
    set_up kernel({}, {.queues = 2});
    CHECK(kernel.refusal(options_for("nowhere")).error_number() == ENODEV);
    const auto queue = kernel.refusal(options_for("fake0", 2));
    CHECK(queue.error_number() == EINVAL);
    CHECK(queue.queue() == 2u);
    CHECK(queue.remedy() == "choose 0 to 1");
    CHECK(kernel.kernel.calls(call::open) == 0);
}

TEST_CASE("rings that are no power of two, or missing, are refused by name") {
    set_up kernel;
    auto options = options_for("fake0");
    options.rings.tx = 100;
    const auto odd = kernel.refusal(options);
    CHECK(odd.operation() == "size the TX ring");
    CHECK(odd.remedy().find("64") != std::string::npos);
    options = options_for("fake0");
    options.rings.rx = 0xffffffff;
    CHECK(kernel.refusal(options).operation() == "size the RX ring");
    options = options_for("fake0");
    options.rings.fill = 0;
    CHECK(kernel.refusal(options).operation() == "size the FILL ring");
    options = options_for("fake0");
    options.rings.completion = 0;
    CHECK(kernel.refusal(options).operation() == "size the COMPLETION ring");
    options = options_for("fake0");
    options.rings.rx = options.rings.tx = 0;
    CHECK(kernel.refusal(options).operation() == "size the RX and TX rings");
}

TEST_CASE("a kernel without AF_XDP and a user without rights are told apart") {
    set_up none({.xdp_sockets = false});
    CHECK(none.refusal(options_for("fake0")).error_number() == EAFNOSUPPORT);
    none.memory.reset();
}

TEST_CASE("without CAP_NET_RAW the remedy names it") {
    set_up unprivileged({.net_raw = false});
    const auto error = unprivileged.refusal(options_for("fake0"));
    CHECK(error.error_number() == EPERM);
    CHECK(error.remedy().find("CAP_NET_RAW") != std::string::npos);
}

TEST_CASE("memory beyond RLIMIT_MEMLOCK is refused with a remedy") {
    set_up limited({.memlock_bytes = 65536});
    const auto error = limited.refusal(options_for("fake0"));
    CHECK(error.error_number() == ENOBUFS);
    CHECK(error.operation() == "register UMEM");
    CHECK(error.remedy().find("ulimit -l") != std::string::npos);
}

// The first layout ends before flags and metadata: no kernel can take either to be asked for.
TEST_CASE("the UMEM is registered in the first layout: no headroom, no flags, no metadata") {
    set_up kernel;
    xsk::socket socket(kernel.memory, options_for("fake0"));
    const auto& umem = *kernel.kernel.socket("fake0").umem;
    CHECK(umem.registration_bytes == 24);
    CHECK(umem.registration_bytes <= offsetof(uapi::umem_registration, flags));
    const auto& area = kernel.memory->area();
    CHECK(umem.registration.address == reinterpret_cast<std::uintptr_t>(area.data(frame_id{0})));
    CHECK(umem.registration.length == area.size_bytes());
    CHECK(umem.registration.chunk_bytes == area.chunk_bytes());
    CHECK(umem.registration.headroom_bytes == 0);
    CHECK(umem.registration.flags == 0);
    CHECK(umem.registration.tx_metadata_bytes == 0);
}

TEST_CASE("unaligned chunks and headroom are registered as such, in the layout that has flags") {
    set_up kernel;
    kernel.memory = std::make_shared<xsk::umem>(xsk::umem_options{
        .frames = 64, .chunk_bytes = 3000, .unaligned = true, .headroom_bytes = 128});
    xsk::socket socket(kernel.memory, options_for("fake0"));
    const auto& umem = *kernel.kernel.socket("fake0").umem;
    CHECK(umem.registration_bytes == sizeof(uapi::umem_registration));
    CHECK(umem.registration.flags == uapi::umem_unaligned);
    CHECK(umem.registration.chunk_bytes == 3000);
    CHECK(umem.registration.headroom_bytes == 128);
    CHECK(umem.registration.length == 64 * 3008);
}

TEST_CASE("unaligned chunks are not offered to zero-copy, and not forced on it") {
    set_up kernel({}, {.zero_copy = true, .zero_copy_segments = 18});
    kernel.memory = std::make_shared<xsk::umem>(
        xsk::umem_options{.frames = 64, .chunk_bytes = 3000, .unaligned = true});
    {
        xsk::socket socket(kernel.memory, options_for("fake0"));
        CHECK_FALSE(socket.bound().zero_copy);
    }
    auto forced = options_for("fake0");
    forced.zero_copy = xsk::choice::required;
    const auto error = kernel.refusal(forced);
    CHECK(std::string(error.what()).find("do not go together") != std::string::npos);
    CHECK(error.remedy().find("aligned chunks of 2048 or 4096") != std::string::npos);
}

TEST_CASE("a kernel older than 5.4 is recognised by its ring offsets") {
    set_up ancient({.ring_flags = false});
    const auto error = ancient.refusal(options_for("fake0"));
    CHECK(std::string(error.what()).find("older than 5.4") != std::string::npos);
}

TEST_CASE("every step of opening that fails leaves nothing behind") {
    for (const auto step : {call::open, call::set_option, call::get_option, call::map_ring}) {
        set_up kernel;
        kernel.kernel.fail(step, ENOMEM);
        CHECK(kernel.refusal(options_for("fake0")).error_number() == ENOMEM);
    }
    for (const int option : {uapi::option_fill_ring, uapi::option_completion_ring,
                             uapi::option_rx_ring, uapi::option_tx_ring, uapi::option_umem_reg}) {
        set_up kernel;
        kernel.kernel.fail_option(option, ENOMEM);
        CHECK(kernel.refusal(options_for("fake0")).error_number() == ENOMEM);
    }
}

TEST_CASE("FILL is primed to the brim, also across the end of the ring") {
    for (const std::uint32_t start : {0u, 0xfffffffbu, 5u}) {
        set_up kernel({.first_index = start});
        xsk::socket socket(kernel.memory, options_for("fake0"));
        CHECK(socket.fill().occupied() == 16);
        ledger_check(kernel.kernel, *kernel.memory);
    }
}

TEST_CASE("statistics are the kernel's, and zeros once closed") {
    set_up kernel;
    xsk::socket socket(kernel.memory, options_for("fake0"));
    kernel.kernel.socket("fake0").statistics = {1, 2, 3, 4, 5, 6};
    CHECK(socket.statistics().rx_dropped == 1);
    CHECK(socket.statistics().tx_ring_empty == 6);
    socket.close();
    CHECK(socket.statistics().rx_dropped == 0);
    CHECK_FALSE(socket.is_open());
}

TEST_CASE("closing twice returns the frames once") {
    set_up kernel;
    xsk::socket socket(kernel.memory, options_for("fake0"));
    CHECK(socket.close() == 16);
    CHECK(socket.close() == 0);
    CHECK(kernel.memory->pool().free_frames() == 64);
}
