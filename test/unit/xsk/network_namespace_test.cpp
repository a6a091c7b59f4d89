// SPDX-License-Identifier: Apache-2.0
// Work in another network namespace: the calling thread never leaves its own, whatever happens.
#include "../../../xsk/src/network_namespace.hpp"

#include <cerrno>
#include <stdexcept>
#include <thread>

#include <skein/xsk/error.hpp>

#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein::test;
using skein::xsk::network_namespace;
using skein::xsk::setup_error;

namespace {

const std::string blue = "/run/netns/blue";

struct two_namespaces {
    explicit two_namespaces(kernel_profile profile = {}) : kernel(profile) {
        kernel.add_namespace(blue);
        kernel.add_device({.name = "here0"});
        kernel.add_device({.name = "blue0", .network_namespace = blue});
    }
    fake_kernel kernel;
};

setup_error refusal(const std::string& name) {
    try {
        network_namespace(name).run([] {});
    } catch (const setup_error& error) {
        return error;
    }
    FAIL("entered " << name);
    throw;
}

}  // namespace

TEST_CASE("work runs in the namespace named, and its answer comes back") {
    two_namespaces both;
    for (const auto& name : {std::string("blue"), blue}) {
        const network_namespace there(name);
        CHECK(there.run([] { return fake_kernel::current_namespace(); }) == blue);
        std::string seen;
        there.run([&] { seen = fake_kernel::current_namespace(); });
        CHECK(seen == blue);
        CHECK(fake_kernel::current_namespace().empty());
    }
}

TEST_CASE("without a name work runs where and on which thread the caller is") {
    two_namespaces both;
    const auto caller = std::this_thread::get_id();
    CHECK(network_namespace("").run([] { return std::this_thread::get_id(); }) == caller);
    CHECK(both.kernel.calls(call::space) == 0);
}

TEST_CASE("what work throws arrives as it was, with the caller where it was") {
    two_namespaces both;
    const network_namespace there("blue");
    CHECK_THROWS_AS(there.run([] { throw std::out_of_range("far"); }), std::out_of_range);
    CHECK_THROWS_AS(there.run([]() -> int { throw std::out_of_range("far"); }), std::out_of_range);
    CHECK(fake_kernel::current_namespace().empty());
    CHECK(there.run([] { return 7; }) == 7);
}

TEST_CASE("a namespace that is not there is named, with where to look") {
    two_namespaces both;
    for (const char* name : {"green", ".", "..", "/proc/0/ns/net"}) {
        const auto error = refusal(name);
        CHECK(error.error_number() == ENOENT);
        CHECK(std::string(error.what()).find("enter network namespace " + std::string(name)) == 0);
        CHECK(error.remedy().find("ip netns list") != std::string::npos);
    }
}

TEST_CASE("a namespace that may not be entered names the capability") {
    two_namespaces both({.sys_admin = false});
    const auto error = refusal("blue");
    CHECK(error.error_number() == EPERM);
    CHECK(error.remedy().find("CAP_SYS_ADMIN") != std::string::npos);
    CHECK(fake_kernel::current_namespace().empty());
}

TEST_CASE("what is no namespace is told apart from one that is not there") {
    two_namespaces both;
    const network_namespace there("blue");
    both.kernel.fail(call::space, EINVAL);
    try {
        there.run([] {});
        FAIL("entered");
    } catch (const setup_error& error) {
        CHECK(std::string(error.what()).find("it is no network namespace") != std::string::npos);
    }
}

TEST_CASE("one umem carries packets between devices of two namespaces") {
    two_namespaces both;
    auto memory = make_memory();
    auto options = on("blue0");
    options.network_namespace = "blue";
    skein::xsk::port here(on("here0"), memory, nullptr);
    skein::xsk::port there(options, memory, nullptr);
    CHECK(there.device() == "blue/blue0");
    CHECK(there.bound().shared_umem);
    CHECK(there.description().find("blue/blue0 queue 0: ") == 0);

    skein::burst packets;
    REQUIRE(both.kernel.deliver("here0", 0, numbered(60, 1)));
    REQUIRE(here.receive(packets) == 1);
    REQUIRE(there.send(packets) == 1);
    there.flush();
    CHECK(both.kernel.socket("blue0").wire.front() == numbered(60, 1));
    CHECK(memory->pool().copied_bytes() == 0);
    ledger_check(both.kernel, *memory);
    there.close();
    here.close();
    CHECK(memory->ledger().free == memory->ledger().total);
    CHECK(fake_kernel::current_namespace().empty());
}

TEST_CASE("a port that fails in another namespace leaves nothing and nobody there") {
    two_namespaces both;
    auto memory = make_memory();
    auto options = on("here0");
    options.network_namespace = "blue";
    try {
        skein::xsk::port port(options, memory, nullptr);
        FAIL("here0 is not there");
    } catch (const setup_error& error) {
        CHECK(error.interface() == "blue/here0");
    }
    both.kernel.fail(call::bind, EBUSY, 2000000);
    auto impatient = on("blue0");
    impatient.network_namespace = "blue";
    impatient.busy_patience = std::chrono::milliseconds{2};
    CHECK_THROWS_AS(skein::xsk::port(impatient, memory, nullptr), setup_error);
    CHECK(both.kernel.open_sockets() == 0);
    CHECK(fake_kernel::current_namespace().empty());
}
