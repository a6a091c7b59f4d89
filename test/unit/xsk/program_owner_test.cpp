// SPDX-License-Identifier: Apache-2.0
#include "program_owner.hpp"

#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace skein::xsk;
using skein::test::child_process;

namespace {

skein_owner owner_of(const child_process& process) {
    skein_owner owner = this_process();
    owner.process_id = static_cast<skein_u32>(process.id());
    owner.start_time = std::stoull(process.report());
    return owner;
}

std::string start_time_here() {
    return std::to_string(this_process().start_time);
}

}  // namespace

TEST_CASE("this process is alive, and says who it is") {
    const skein_owner me = this_process();
    CHECK(me.magic == SKEIN_OWNER_MAGIC);
    CHECK(me.process_id == static_cast<skein_u32>(::getpid()));
    CHECK(me.start_time != 0);
    CHECK(me.pid_namespace != 0);
    CHECK(state_of(me) == process_state::alive);
}

TEST_CASE("a process is gone once it is dead, reaped or not") {
    child_process process(start_time_here);
    const skein_owner owner = owner_of(process);
    CHECK(state_of(owner) == process_state::alive);
    process.kill_but_keep_zombie();
    CHECK(state_of(owner) == process_state::gone);
    process.kill();
    CHECK(state_of(owner) == process_state::gone);
}

TEST_CASE("a process id that is used again is not the process of before") {
    skein_owner owner = this_process();
    --owner.start_time;
    CHECK(state_of(owner) == process_state::gone);
}

TEST_CASE("a process of another namespace, or of an unknown one, cannot be asked after") {
    skein_owner elsewhere = this_process();
    ++elsewhere.pid_namespace;
    CHECK(state_of(elsewhere) == process_state::unknown);
    skein_owner other_clock = this_process();
    ++other_clock.time_namespace;
    CHECK(state_of(other_clock) == process_state::unknown);
    skein_owner unknown = this_process();
    unknown.pid_namespace = 0;
    CHECK(state_of(unknown) == process_state::unknown);
}
