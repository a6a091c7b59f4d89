// SPDX-License-Identifier: Apache-2.0
// Binding a socket: what is negotiated and obtained, how long a busy queue is waited for.
#include <sys/socket.h>

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

TEST_CASE("a socket on veth is bound in copy mode, and says what was refused") {
    set_up on_veth;
    xsk::socket socket(on_veth.memory, options_for("fake0"));
    CHECK(socket.is_open());
    CHECK_FALSE(socket.bound().zero_copy);
    CHECK(socket.bound().scatter_gather);
    CHECK(socket.bound().need_wakeup);
    CHECK(socket.bound().attempts.back().error == 0);
    CHECK(socket.bound().attempts.front().error == EOPNOTSUPP);
    CHECK(socket.bound().busy_wait.count() == 0);
    CHECK(to_string(socket.bound()).find("zero-copy refused: EOPNOTSUPP") != std::string::npos);
    ledger_check(on_veth.kernel, *on_veth.memory);
}

TEST_CASE("zero-copy is obtained where the device has it, with and without scatter-gather") {
    for (const std::uint32_t segments : {1u, 8u}) {
        set_up on_nic({}, {.zero_copy = true, .zero_copy_segments = segments});
        xsk::socket socket(on_nic.memory, options_for("fake0"));
        CHECK(socket.bound().zero_copy);
        CHECK(socket.bound().scatter_gather == (segments > 1));
        CHECK(socket.bound().tx_budget == 0);
    }
}

TEST_CASE("copy mode on demand is not zero-copy even where that is to be had") {
    set_up on_nic({}, {.zero_copy = true});
    auto options = options_for("fake0");
    options.zero_copy = choice::forbidden;
    xsk::socket socket(on_nic.memory, options);
    CHECK_FALSE(socket.bound().zero_copy);
}

TEST_CASE("required zero-copy that is not to be had is an error with a remedy") {
    set_up on_veth;
    auto options = options_for("fake0");
    options.zero_copy = choice::required;
    const auto error = on_veth.refusal(options);
    CHECK(error.error_number() == EOPNOTSUPP);
    CHECK(error.remedy().find("copy mode") != std::string::npos);
}

TEST_CASE("Linux 6.1 binds without scatter-gather and keeps its budget of 32") {
    set_up old(linux_6_1());
    xsk::socket socket(old.memory, options_for("fake0"));
    CHECK_FALSE(socket.bound().scatter_gather);
    CHECK(socket.bound().need_wakeup);
    CHECK(socket.bound().tx_budget == 32);
    bool einval = false;
    for (const auto& attempt : socket.bound().attempts)
        einval = einval || attempt.error == EINVAL;
    CHECK(einval);
}

TEST_CASE("a kernel that does not know the budget option says so in the notes") {
    set_up old(linux_6_12());
    auto options = options_for("fake0");
    options.rings.tx = 64;
    xsk::socket socket(old.memory, options);
    CHECK(socket.bound().tx_budget == 32);
    REQUIRE(socket.bound().notes.size() == 1);
    CHECK(socket.bound().notes[0].find("ENOPROTOOPT") != std::string::npos);
}

TEST_CASE("virtio_net on a kernel that completes early is warned of, and no other") {
    const auto notes_for = [](kernel_profile profile, std::string driver) {
        fake_device device;
        device.driver = std::move(driver);
        set_up fake(profile, std::move(device));
        auto options = options_for("fake0");
        options.rings.tx = 64;
        const xsk::socket opened(fake.memory, options);
        std::string text;
        for (const auto& note : opened.bound().notes)
            text += note;
        return text;
    };
    const std::string warning = "completions may come early: virtio_net";
    CHECK(notes_for(linux_6_12(), "virtio_net").find(warning) != std::string::npos);
    CHECK(notes_for(linux_6_18(), "virtio_net").find(warning) == std::string::npos);
    CHECK(notes_for(linux_6_12(), "veth").find(warning) == std::string::npos);
}

TEST_CASE("the budget asked for never exceeds the TX ring") {
    set_up current;
    auto options = options_for("fake0");
    options.rings.tx = 64;
    xsk::socket socket(current.memory, options);
    CHECK(socket.bound().tx_budget == 64);
    CHECK(current.kernel.socket("fake0").tx_budget == 64);
}

TEST_CASE("the send buffer is forced where that is allowed, else as much as there is") {
    set_up allowed;
    xsk::socket forced(allowed.memory, options_for("fake0"));
    CHECK(forced.bound().send_buffer_bytes == 2 * 16 * (2048 + 1024));
    CHECK(forced.bound().notes.empty());
    forced.close();
    allowed.memory.reset();
}

TEST_CASE("without CAP_NET_ADMIN the send buffer stays small, and the notes say what helps") {
    set_up small({.net_admin = false, .wmem_max_bytes = 4096});
    xsk::socket socket(small.memory, options_for("fake0"));
    CHECK(socket.bound().send_buffer_bytes == 8192);
    REQUIRE(socket.bound().notes.size() == 1);
    CHECK(socket.bound().notes[0].find("wmem_max") != std::string::npos);
}

TEST_CASE("a bind that fails after FILL was primed gives the frames back") {
    set_up kernel;
    kernel.kernel.fail(call::bind, ENETDOWN);
    const auto error = kernel.refusal(options_for("fake0"));
    CHECK(error.error_number() == ENETDOWN);
    CHECK(kernel.memory->pool().free_frames() == 64);
    xsk::socket works(kernel.memory, options_for("fake0"));
    CHECK(works.is_open());
}

TEST_CASE("a busy queue is waited for on the same descriptor") {
    set_up busy;
    busy.kernel.fail(call::bind, EBUSY, 40);
    auto options = options_for("fake0");
    options.zero_copy = choice::forbidden;
    xsk::socket socket(busy.memory, options);
    REQUIRE(busy.kernel.binds().size() == 41);
    for (const auto& bind : busy.kernel.binds())
        CHECK(bind.fd == socket.fd());
    CHECK(socket.bound().busy_wait == std::chrono::microseconds(40 * 500));
    CHECK(to_string(socket.bound()).find("waited 20000 us") != std::string::npos);
}

TEST_CASE("rebinding a queue right after it was closed waits out the kernel's release") {
    set_up lagging({.release_lag = std::chrono::milliseconds{21}});
    xsk::socket(lagging.memory, options_for("fake0")).close();
    xsk::socket again(lagging.memory, options_for("fake0"));
    CHECK(again.bound().busy_wait >= std::chrono::milliseconds{20});
    CHECK(again.bound().busy_wait <= std::chrono::milliseconds{22});
}

TEST_CASE("a queue that stays busy is given up after the patience asked for") {
    set_up busy;
    xsk::socket first(busy.memory, options_for("fake0"));
    auto other = make_memory();
    auto options = options_for("fake0");
    options.busy_patience = std::chrono::milliseconds{30};
    const auto start = busy.kernel.now_ns();
    try {
        xsk::socket second(other, options);
        FAIL("two sockets on one queue");
    } catch (const setup_error& error) {
        CHECK(error.error_number() == EBUSY);
        CHECK(error.remedy().find("another queue") != std::string::npos);
    }
    CHECK(busy.kernel.now_ns() - start >= 30'000'000);
    CHECK(busy.kernel.now_ns() - start < 40'000'000);
    ledger_check(busy.kernel, *other);
    CHECK(other->pool().free_frames() == 64);
    other.reset();
}

TEST_CASE(
    "an MTU that does not fit a frame needs scatter-gather, and says so where it is refused") {
    set_up old(linux_6_1(), {.mtu_bytes = 9000});
    const auto refused = old.refusal(options_for("fake0"));
    CHECK(refused.operation() == "bind");
    CHECK(refused.remedy() == "lower the MTU to 1774, or use Linux 6.6 or newer");
    old.memory.reset();
}

TEST_CASE("an MTU that does not fit and scatter-gather forbidden is refused at bind") {
    for (const std::uint32_t mtu : {1774u, 1775u}) {
        set_up kernel({}, {.mtu_bytes = mtu});
        auto options = options_for("fake0");
        options.scatter_gather = choice::forbidden;
        if (mtu == 1774) {
            xsk::socket fits(kernel.memory, options);
            CHECK_FALSE(fits.bound().scatter_gather);
            continue;
        }
        const auto error = kernel.refusal(options);
        CHECK(error.error_number() == EMSGSIZE);
        CHECK(error.remedy().find("lower the MTU to 1774") != std::string::npos);
    }
}

TEST_CASE("a large MTU does not matter to a socket that only sends") {
    set_up old(linux_6_1(), {.mtu_bytes = 9000});
    auto options = options_for("fake0");
    options.rings.rx = 0;
    xsk::socket socket(old.memory, options);
    CHECK(socket.is_open());
}
