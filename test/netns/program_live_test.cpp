// SPDX-License-Identifier: Apache-2.0
// Attaching the XDP program to devices: modes, what is in the way, and going away again.
#include "netns/program_live.hpp"

using namespace skein::test;
using namespace skein::xsk;
using Catch::Contains;

namespace {

std::string notes_of(const redirect_program& program) {
    return to_string(program.attached());
}

}  // namespace

TEST_CASE("the program runs on a device's traffic until it is detached") {
    const network_namespace space;
    space.add_veth("cable");
    space.raise_veth("cable");
    for (const xdp_mode mode : {xdp_mode::native, xdp_mode::generic}) {
        INFO(to_string(mode));
        redirect_program program({.interface = "cable", .mode = mode});
        CHECK(program.attached().mode == mode);
        CHECK(program.attached().method == attach_method::link);
        CHECK(program.attached().notes.empty());
        CHECK(program.queue_count() == 1);
        send_frames(space.index_of("cablep"), 5);
        const auto seen = [&] {
            return program.verdicts(0)[verdict_reason::passed_no_socket] >= 5;
        };
        CHECK(comes_true(seen));

        const auto there = attached_programs("cable");
        REQUIRE(there.size() == 1);
        CHECK(there[0].id == program.attached().program_id);
        CHECK(there[0].name == "skein_redirect");
        CHECK(there[0].mode == mode);
        CHECK(there[0].owner == program_owner::ours_alive);
        CHECK(there[0].process_id == static_cast<std::uint32_t>(::getpid()));

        program.detach();
        CHECK(attached_programs("cable").empty());
        program.detach();
        CHECK(seen());
    }
}

TEST_CASE("a moved program stays attached, one assigned over is detached") {
    const network_namespace space;
    space.add_veth("one");
    space.add_veth("two");
    redirect_program first({.interface = "one"});
    redirect_program moved(std::move(first));
    CHECK(attached_programs("one").size() == 1);
    CHECK(moved.interface() == "one");
    moved = redirect_program({.interface = "two"});
    CHECK(attached_programs("one").empty());
    CHECK(attached_programs("two").size() == 1);
}

TEST_CASE("native mode refused by the driver becomes generic mode, with the reason noted") {
    const network_namespace space;
    space.add_veth("narrow", 1, 4);
    const redirect_program program({.interface = "narrow"});
    CHECK(program.attached().mode == xdp_mode::generic);
    CHECK_THAT(notes_of(program),
               Contains("native mode refused: ENOSPC") && Contains("as its peer has TX queues"));
}

TEST_CASE("native mode insisted on fails where the driver refuses it") {
    const network_namespace space;
    space.add_veth("narrow", 1, 4);
    const auto failure =
        failure_of([] { redirect_program({.interface = "narrow", .mode = xdp_mode::native}); });
    CHECK_THAT(failure, Contains("attach XDP program (native) on narrow") && Contains("ENOSPC") &&
                            Contains("ethtool -L narrow rx") && Contains("generic"));
    CHECK(attached_programs("narrow").empty());
}

TEST_CASE("an MTU of 9000 is no obstacle in either mode") {
    const network_namespace space;
    space.add_veth("jumbo");
    space.run("ip link set jumbo mtu 9000");
    space.run("ip link set jumbop mtu 9000");
    for (const xdp_mode mode : {xdp_mode::native, xdp_mode::generic})
        CHECK(redirect_program({.interface = "jumbo", .mode = mode}).attached().mode == mode);
}

TEST_CASE("the maps have an entry for each queue of the device") {
    const network_namespace space;
    space.add_veth("wide", 4);
    redirect_program program({.interface = "wide"});
    CHECK(program.queue_count() == 4);
    const int socket = ::socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    REQUIRE(socket >= 0);
    program.insert_socket(3, socket);
    CHECK_THAT(failure_of([&] { program.insert_socket(4, socket); }),
               Contains("insert socket on wide queue 4") && Contains("serves 4 queues"));
    CHECK_THAT(failure_of([&] { program.insert_socket(0, STDERR_FILENO); }), Contains("queue 0"));
    ::close(socket);
}

TEST_CASE("an interface that is not there is named") {
    const network_namespace space;
    CHECK_THAT(failure_of([] { redirect_program({.interface = "nowhere"}); }),
               Contains("nowhere") && Contains("ip link"));
    CHECK_THAT(failure_of([] { attached_programs("nowhere"); }), Contains("nowhere"));
}

TEST_CASE("somebody else's program is refused by name, and left alone") {
    const network_namespace space;
    space.add_veth("busy");
    foreign_program other;
    SECTION("attached over netlink") {
        other.attach_by_netlink(space.index_of("busy"));
    }
    SECTION("attached over netlink, generic") {
        other.attach_by_netlink(space.index_of("busy"), XDP_FLAGS_SKB_MODE);
    }
    SECTION("attached by a link") {
        other.attach_by_link(space.index_of("busy"));
    }
    const auto failure = failure_of([] { redirect_program({.interface = "busy"}); });
    CHECK_THAT(failure, Contains("on busy") && Contains("\"somebody_else\"") && Contains("EBUSY") &&
                            Contains("--replace"));
    CHECK(remove_leftovers("busy").empty());
    const auto there = attached_programs("busy");
    REQUIRE(there.size() == 1);
    CHECK(there[0].name == foreign_program::name);
    CHECK(there[0].owner == program_owner::foreign);
}

TEST_CASE("somebody else's program is replaced on request, and the replacement noted") {
    const network_namespace space;
    space.add_veth("busy");
    foreign_program other;
    SECTION("attached over netlink") {
        other.attach_by_netlink(space.index_of("busy"));
    }
    SECTION("attached over netlink, generic") {
        other.attach_by_netlink(space.index_of("busy"), XDP_FLAGS_SKB_MODE);
    }
    SECTION("attached by a link") {
        other.attach_by_link(space.index_of("busy"));
    }
    SECTION("attached by a generic link") {
        other.attach_by_link(space.index_of("busy"), XDP_FLAGS_SKB_MODE);
    }
    redirect_program program({.interface = "busy", .replace = true});
    CHECK(program.attached().mode == xdp_mode::native);
    CHECK_THAT(notes_of(program), Contains("replaced program") && Contains("somebody_else"));
    const auto there = attached_programs("busy");
    REQUIRE(there.size() == 1);
    CHECK(there[0].id == program.attached().program_id);
    program.detach();
    CHECK(attached_programs("busy").empty());
}

TEST_CASE("a second program of ours on one device is refused while the first one's owner lives") {
    const network_namespace space;
    space.add_veth("shared");
    const auto owner = owner_of("shared", attach_method::link);
    REQUIRE_THAT(owner.report(), Contains("attached"));
    CHECK(remove_leftovers("shared").empty());
    CHECK_THAT(failure_of([] { redirect_program({.interface = "shared"}); }),
               Contains("skein process " + std::to_string(owner.id())));
}

TEST_CASE("a program attached by a link goes with its process, even after kill -9") {
    const network_namespace space;
    space.add_veth("cable");
    auto owner = owner_of("cable", attach_method::link);
    REQUIRE_THAT(owner.report(), Contains("attached"));
    CHECK(attached_programs("cable").size() == 1);
    owner.kill();
    CHECK(comes_true([] { return attached_programs("cable").empty(); }));
}

TEST_CASE("rules that are too many leave nothing on the device") {
    const network_namespace space;
    space.add_veth("cable");
    program_options options{.interface = "cable"};
    options.rules.assign(max_rules + 1, rule{});
    CHECK_THAT(failure_of([&] { redirect_program{options}; }),
               Contains("65 rules") && Contains("64"));
    CHECK(attached_programs("cable").empty());
}
