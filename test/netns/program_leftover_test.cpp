// SPDX-License-Identifier: Apache-2.0
// Programs that libxdp attached stay on the device after kill -9: the next start recognises them by
// their owner's record, and removes those and nothing else.
//
// Where the kernel allows libxdp no dispatcher these run with a program attached alone over
// netlink, else with a component of the dispatcher; the promises are the same.
#include "netns/program_live.hpp"

using namespace skein::test;
using namespace skein::xsk;
using Catch::Contains;

TEST_CASE("a dispatcher asked for is used, or its absence noted") {
    const network_namespace space;
    space.add_veth("cable");
    space.raise_veth("cable");
    redirect_program program({.interface = "cable", .method = attach_method::dispatcher});
    const attach_result& result = program.attached();
    CHECK(result.method != attach_method::link);
    CHECK(result.mode == xdp_mode::native);
    if (result.method == attach_method::single)
        CHECK_THAT(to_string(result), Contains("libxdp without dispatcher") && Contains("bpffs"));
    send_frames(space.index_of("cablep"), 5);
    CHECK(comes_true([&] { return program.verdicts(0)[verdict_reason::passed_no_socket] >= 5; }));
    const auto there = attached_programs("cable");
    REQUIRE(there.size() == 1);
    CHECK(there[0].owner == program_owner::ours_alive);
    CHECK(there[0].id == result.program_id);
    program.detach();
    CHECK(attached_programs("cable").empty());
    program.detach();
}

TEST_CASE("libxdp falls back to generic mode as a link does") {
    const network_namespace space;
    space.add_veth("narrow", 1, 4);
    const redirect_program program({.interface = "narrow", .method = attach_method::dispatcher});
    CHECK(program.attached().mode == xdp_mode::generic);
    CHECK_THAT(to_string(program.attached()), Contains("native mode refused: ENOSPC"));
    CHECK(attached_programs("narrow").size() == 1);
}

TEST_CASE("detaching what libxdp attached leaves a program alone that took its place") {
    const network_namespace space;
    space.add_veth("cable");
    redirect_program program({.interface = "cable", .method = attach_method::dispatcher});
    const foreign_program other;
    other.attach_by_netlink(space.index_of("cable"));  // by force
    program.detach();
    const auto there = attached_programs("cable");
    REQUIRE(there.size() == 1);
    CHECK(there[0].name == foreign_program::name);
}

TEST_CASE("a leftover is removed at the next start, and that is noted") {
    const network_namespace space;
    space.add_veth("cable");
    auto owner = owner_of("cable", attach_method::dispatcher);
    REQUIRE_THAT(owner.report(), Contains("attached"));
    const auto process = std::to_string(owner.id());

    SECTION("with its process gone") {
        owner.kill();
    }
    SECTION("with its process a zombie") {
        owner.kill_but_keep_zombie();
    }
    const auto there = attached_programs("cable");
    REQUIRE(there.size() == 1);
    CHECK(there[0].owner == program_owner::ours_dead);

    for (const attach_method method : {attach_method::link, attach_method::dispatcher}) {
        redirect_program program({.interface = "cable", .method = method});
        if (method == attach_method::link)
            CHECK_THAT(
                to_string(program.attached()),
                Contains("removed program") && Contains("left behind by skein process " + process));
        CHECK(attached_programs("cable").size() == 1);
    }
    CHECK(attached_programs("cable").empty());
}

TEST_CASE("leftovers are removed without starting anything") {
    const network_namespace space;
    space.add_veth("cable");
    auto owner = owner_of("cable", attach_method::dispatcher);
    REQUIRE_THAT(owner.report(), Contains("attached"));
    owner.kill();
    const auto removed = remove_leftovers("cable");
    REQUIRE(removed.size() == 1);
    CHECK("attached " + std::to_string(removed[0].id) == owner.report());
    CHECK(attached_programs("cable").empty());
    CHECK(remove_leftovers("cable").empty());
}

TEST_CASE("a program joins a libxdp dispatcher that runs, and leaves the others in it alone") {
    const network_namespace space;
    space.add_veth("cable");
    const auto owner = owner_of("cable", attach_method::dispatcher);
    REQUIRE_THAT(owner.report(), Contains("attached"));
    if (!attached_programs("cable").at(0).in_dispatcher) {
        WARN("the kernel or the machine's set-up allows libxdp no dispatcher");
        return;
    }
    {
        const redirect_program program({.interface = "cable"});
        CHECK(program.attached().method == attach_method::dispatcher);
        CHECK_THAT(to_string(program.attached()), Contains("joined it beside"));
        CHECK(attached_programs("cable").size() == 2);
    }
    const auto there = attached_programs("cable");
    REQUIRE(there.size() == 1);
    CHECK("attached " + std::to_string(there[0].id) == owner.report());
}

TEST_CASE("of two programs in a dispatcher only the leftover is removed") {
    const network_namespace space;
    space.add_veth("cable");
    auto first = owner_of("cable", attach_method::dispatcher);
    REQUIRE_THAT(first.report(), Contains("attached"));
    if (!attached_programs("cable").at(0).in_dispatcher) {
        WARN("the kernel or the machine's set-up allows libxdp no dispatcher");
        return;
    }
    const auto second = owner_of("cable", attach_method::dispatcher);
    REQUIRE_THAT(second.report(), Contains("attached"));
    first.kill();
    const auto removed = remove_leftovers("cable");
    REQUIRE(removed.size() == 1);
    CHECK("attached " + std::to_string(removed[0].id) == first.report());
    const auto there = attached_programs("cable");
    REQUIRE(there.size() == 1);
    CHECK("attached " + std::to_string(there[0].id) == second.report());
}

TEST_CASE("what a living process attached through libxdp is no leftover") {
    const network_namespace space;
    space.add_veth("cable");
    const auto owner = owner_of("cable", attach_method::dispatcher);
    REQUIRE_THAT(owner.report(), Contains("attached"));
    CHECK(remove_leftovers("cable").empty());
    const auto there = attached_programs("cable");
    REQUIRE(there.size() == 1);
    CHECK(there[0].owner == program_owner::ours_alive);
    if (!there[0].in_dispatcher)
        CHECK_THAT(failure_of([] { redirect_program({.interface = "cable"}); }),
                   Contains("skein process " + std::to_string(owner.id())));
}

TEST_CASE("the owner in another pid namespace cannot be asked after and counts as alive") {
    const network_namespace space;
    space.add_veth("cable");
    {
        const child_process outer([] {
            if (::unshare(CLONE_NEWPID) != 0) return std::string("no pid namespace");
            const child_process inner([] {  // process 1 of the new namespace
                auto* program = new redirect_program(
                    {.interface = "cable", .method = attach_method::dispatcher});
                return "attached " + std::to_string(program->attached().program_id);
            });
            return inner.report();  // and kills it
        });
        REQUIRE_THAT(outer.report(), Contains("attached"));
    }
    const auto there = attached_programs("cable");
    REQUIRE(there.size() == 1);
    CHECK(there[0].owner == program_owner::ours_alive);
    CHECK(remove_leftovers("cable").empty());
    const redirect_program program({.interface = "cable", .replace = true});
    CHECK_THAT(to_string(program.attached()),
               Contains(there[0].in_dispatcher ? "joined it beside program" : "replaced program"));
}
