// SPDX-License-Identifier: Apache-2.0
// One process, one umem, devices in several network namespaces: nobody enters any of them for good.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>

#include <skein/xsk/interface.hpp>
#include <skein/xsk/port.hpp>

#include "support/catch.hpp"
#include "support/live_cable.hpp"
#include "support/network_namespace.hpp"

using namespace skein::test;
using namespace skein::xsk;

namespace {

// A namespace that somebody else is in, by a path that works from everywhere.
class distant_namespace {
  public:
    distant_namespace() {
        const network_namespace made;
        fd_ = ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
        REQUIRE(fd_ >= 0);
        made.run("ip link set lo up");
    }
    distant_namespace(const distant_namespace&) = delete;
    distant_namespace& operator=(const distant_namespace&) = delete;
    ~distant_namespace() { ::close(fd_); }

    std::string path() const {
        return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(fd_);
    }
    void run(const network_namespace& from, const std::string& command) const {
        from.run("nsenter --net=" + path() + " " + command);
    }

  private:
    int fd_ = -1;
};

ino_t namespace_of_this_thread() {
    struct stat seen {};
    REQUIRE(::stat("/proc/thread-self/ns/net", &seen) == 0);
    return seen.st_ino;
}

// NAME here, NAMEp in the distant namespace.
void add_cable(const network_namespace& here, const distant_namespace& there,
               const std::string& name) {
    here.run("ip link add " + name + " type veth peer name " + name + "p netns " + there.path());
    here.run("ip link set " + name + " up");
    there.run(here, "ip link set " + name + "p up");
}

port_options in(const distant_namespace& space, std::string interface) {
    port_options options;
    options.interface = std::move(interface);
    options.network_namespace = space.path();
    options.rings = {.fill = 64, .rx = 64, .tx = 64, .completion = 64};
    return options;
}

std::shared_ptr<redirect_program> program_for(const port_options& options, xdp_mode mode) {
    return std::make_shared<redirect_program>(
        program_options{.interface = options.interface,
                        .network_namespace = options.network_namespace,
                        .mode = mode});
}

}  // namespace

TEST_CASE("packets pass between devices of two other namespaces over one memory, uncopied") {
    const distant_namespace west;
    const distant_namespace east;
    const network_namespace here;
    add_cable(here, west, "west0");
    add_cable(here, east, "east0");
    const auto home = namespace_of_this_thread();
    for (const auto mode : {xdp_mode::native, xdp_mode::generic}) {
        const auto memory = std::make_shared<umem>(umem_options{.frames = 256});
        const auto left = in(west, "west0p");
        const auto right = in(east, "east0p");
        port one(left, memory, program_for(left, mode));
        port other(right, memory, program_for(right, mode));
        CHECK(namespace_of_this_thread() == home);
        CHECK(other.bound().shared_umem);
        CHECK(one.device() == west.path() + "/west0p");
        CHECK_FALSE(attached_programs("west0p", west.path()).empty());

        port sender({.interface = "west0", .receives = false});
        port receiver({.interface = "east0"});
        for (unsigned i = 0; i < 200; ++i) {
            const auto sent = live_frame(60 + i * 7, i);
            send_frame(sender, sent);
            skein::burst packets;
            for (int tries = 0; tries < 100 && packets.empty(); ++tries) {
                one.wait(std::chrono::milliseconds{10});
                one.receive(packets);
            }
            REQUIRE(other.send(packets) != 0);
            other.flush();
            REQUIRE(next_frame(receiver) == sent);
        }
        CHECK(memory->pool().copied_bytes() == 0);
        CHECK(other.close().written_off.empty());
        CHECK(one.close().written_off.empty());
        CHECK(memory->ledger().free == memory->ledger().total);
        CHECK(attached_programs("west0p", west.path()).empty());
        CHECK(attached_programs("east0p", east.path()).empty());
        CHECK(namespace_of_this_thread() == home);
    }
}

TEST_CASE("a dispatcher or what stands for it is taken off a device elsewhere") {
    const distant_namespace west;
    const network_namespace here;
    add_cable(here, west, "west0");
    const auto options = in(west, "west0p");
    {
        redirect_program program({.interface = options.interface,
                                  .network_namespace = options.network_namespace,
                                  .method = attach_method::dispatcher});
        CHECK(attached_programs("west0p", west.path()).size() == 1);
    }
    CHECK(attached_programs("west0p", west.path()).empty());
    CHECK(remove_leftovers("west0p", west.path()).empty());
}

TEST_CASE("what is asked of a device elsewhere is answered of that one") {
    const distant_namespace west;
    const network_namespace here;
    here.run("ip link add same numtxqueues 3 numrxqueues 3 type veth peer name samep");
    west.run(here, "ip link add filler type veth peer name fillerp");
    west.run(here, "ip tuntap add dev same mode tap multi_queue");
    west.run(here, "ip link set same mtu 1400");
    west.run(here, "ip link set same address 02:11:22:33:44:55");
    CHECK(interface_mtu("same") == 1500);
    CHECK(interface_mtu("same", west.path()) == 1400);
    CHECK(queue_count("same") == 3);
    CHECK(queue_count("fillerp", west.path()) == 1);
    CHECK(interface_address("same", west.path()) ==
          std::array<std::uint8_t, 6>{0x02, 0x11, 0x22, 0x33, 0x44, 0x55});
    CHECK_FALSE(interface_address("lo", west.path()) == interface_address("same", west.path()));
}

TEST_CASE("a set-up that fails elsewhere leaves nothing there and this thread here") {
    const distant_namespace west;
    const network_namespace here;
    add_cable(here, west, "west0");
    const auto home = namespace_of_this_thread();
    CHECK_THROWS_AS(port(in(west, "nowhere")), setup_error);
    auto no_such_queue = in(west, "west0p");
    no_such_queue.queue = 7;
    CHECK_THROWS_AS(port(no_such_queue), setup_error);
    auto misplaced = in(west, "west0p");
    misplaced.network_namespace = "/proc/self/exe";
    CHECK_THROWS_WITH(port(misplaced), Catch::Contains("it is no network namespace"));
    CHECK(namespace_of_this_thread() == home);
    CHECK(attached_programs("west0p", west.path()).empty());
}

// The kernel refuses a second socket with rings of its own on a queue, also one that shares.
TEST_CASE("queues of one device share a memory, a queue twice is refused as in use") {
    const network_namespace here;
    here.add_veth("cable", 2);
    here.raise_veth("cable");
    const auto memory = std::make_shared<umem>(umem_options{.frames = 128});
    port first({.interface = "cable", .queue = 0, .receives = false}, memory, nullptr);
    port second({.interface = "cable", .queue = 1, .receives = false}, memory, nullptr);
    CHECK(second.bound().shared_umem);
    port_options again{.interface = "cable", .queue = 1, .receives = false};
    again.busy_patience = std::chrono::milliseconds{5};
    try {
        port third(again, memory, nullptr);
        FAIL("two sockets on one queue");
    } catch (const setup_error& error) {
        CHECK_THAT(error.what(), Catch::Contains("the queue is in use by another"));
        CHECK(error.queue() == 1u);
    }
    CHECK(memory->ledger().free == memory->ledger().total);
}
