// SPDX-License-Identifier: Apache-2.0
#include "doctor.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace skein;
using namespace skein::tool;
using Catch::Contains;

namespace {

device_report on_veth() {
    device_report report;
    report.device.interface = "veth0";
    report.device.driver = "veth";
    report.device.up = report.device.carrier = true;
    known_caps kernel;
    kernel.set(capability::xdp_native, 1);
    kernel.set(capability::tx_no_linear, 0);
    report.device.caps = settle_caps({}, kernel, {}, {.multi_buffer = true});
    report.peer = peer_facts{.name = "veth1", .mtu = 1500, .tx_queues = 1, .up = true};
    return report;
}

std::string all_of(const device_report& report) {
    return as_text(problems_of(report, {}));
}

}  // namespace

TEST_CASE("a plain veth has no problems") {
    CHECK(all_of(on_veth()) == "no problems\n");
}

TEST_CASE("each thing that bites is named with the command that helps") {
    auto report = on_veth();
    SECTION("the peer's checksums") {
        report.peer->tx_checksum = true;
        report.peer->space = "far";
        CHECK_THAT(all_of(report), Contains("pseudo-header") &&
                                       Contains("ip netns exec far ethtool -K veth1 tx off"));
    }
    SECTION("the peer's tags, and one's own") {
        report.peer->tx_vlan = true;
        report.device.offloads = {{"rx-vlan-hw-parse", true, false}};
        CHECK_THAT(all_of(report), Contains("ethtool -K veth1 txvlan off") &&
                                       Contains("ethtool -K veth0 rxvlan off"));
    }
    SECTION("the peer's MTU") {
        report.peer->mtu = 1400;
        CHECK_THAT(all_of(report), Contains("EBUSY") && Contains("ip link set veth1 mtu 1500"));
    }
    SECTION("a peer that cannot be seen") {
        report.peer = peer_facts{.hidden = "it hides"};
        CHECK_THAT(all_of(report), Contains("it hides") && Contains("ethtool -K DEV tx off"));
    }
    SECTION("joined packets") {
        report.device.offloads = {{"rx-lro", true, false}, {"rx-gro-hw", true, true}};
        CHECK_THAT(all_of(report), Contains("ethtool -K veth0 lro off") &&
                                       Contains("none: the driver does not let it be changed"));
    }
}

TEST_CASE("each thing that stops or slows is named with the command that helps") {
    auto report = on_veth();
    SECTION("a link that is down") {
        report.device.up = false;
        CHECK_THAT(all_of(report), Contains("ip link set veth0 up"));
    }
    SECTION("too few queues for native mode") {
        report.device.caps.values.xdp_native = false;
        report.peer->tx_queues = 4;
        CHECK_THAT(all_of(report), Contains("ethtool -L veth0 rx 4") && Contains("queue N - 1"));
    }
    SECTION("several queues") {
        report.device.caps.values.queues = 4;
        CHECK_THAT(all_of(report), Contains("4 queues") && Contains("--queue all"));
    }
    SECTION("jumbo frames without scatter-gather") {
        report.device.caps.values.mtu = report.peer->mtu = 9000;
        CHECK(all_of(report) == "no problems\n");
        report.device.caps.values.scatter_gather = false;
        CHECK_THAT(all_of(report), Contains("without a word") && Contains("mtu 3822"));
    }
    SECTION("programs") {
        report.programs = {{.id = 5, .name = "theirs"}};
        CHECK_THAT(all_of(report), Contains("\"theirs\"") && Contains("ip link set veth0 xdp off"));
        report.programs = {{.id = 5, .owner = xsk::program_owner::ours_dead, .process_id = 77}};
        CHECK_THAT(all_of(report),
                   Contains("process 77") && Contains("skein doctor veth0 --clean"));
        report.programs[0].owner = xsk::program_owner::ours_alive;
        CHECK_THAT(all_of(report), Contains("skein process 77 receives here"));
    }
}

TEST_CASE("the bind plan stops at the first that is accepted, and says why others are not") {
    auto report = on_veth();
    const auto copy = plan_bind(report.device);
    const auto accepted = [](const std::vector<planned_bind>& plan) {
        return std::find_if(plan.begin(), plan.end(),
                            [](const auto& step) { return step.expected == "accepted"; });
    };
    CHECK(accepted(copy)->text == "copy, scatter-gather, need_wakeup");
    CHECK(copy.front().expected == "refused");
    CHECK_THAT(copy.front().why, Contains("zero-copy"));
    CHECK(copy.back().expected == "not reached");
    report.device.caps.values.zero_copy = true;
    const auto zero_copy = plan_bind(report.device);
    CHECK(accepted(zero_copy)->text == "zero-copy, need_wakeup");
    CHECK_THAT(zero_copy.front().why, Contains("one piece"));
    report.device.caps.values.zc_max_segments = 8;
    CHECK(accepted(plan_bind(report.device))->text == "zero-copy, scatter-gather, need_wakeup");
}

TEST_CASE("the JSON has the contract's members, and whole numbers alone") {
    machine_facts machine;
    machine.xdp_sockets = machine.btf = true;
    const auto all = as_json(on_veth(), machine);
    for (const char* member :
         {"interface", "driver", "kernel", "device_caps", "bind_plan", "problems"})
        CHECK(all.contains(member));
    CHECK(all["device_caps"]["tx_no_linear"]["value"] == false);
    CHECK(all["device_caps"]["tx_no_linear"]["source"] == "kernel");
    for (const auto& [name, entry] : all["device_caps"].items()) {
        INFO(name);
        CHECK((entry["value"].is_boolean() || entry["value"].is_number_integer()));
    }
    CHECK(all["problems"].empty());
    CHECK(drivers_json()["drivers"].size() == driver_table().size());
    CHECK_THAT(drivers_text(), Contains("mlx5_core:cx4lx"));
}

TEST_CASE("missing capabilities and little locked memory are problems of the machine") {
    machine_facts machine;
    machine.xdp_sockets = machine.btf = true;
    CHECK(problems_of(machine).empty());
    machine.missing = {{"CAP_IPC_LOCK is missing, for memory", "add it"}};
    machine.memlock_bytes = 8u << 20;
    CHECK_THAT(as_text(problems_of(machine)), Contains("8388608") && Contains("ulimit -l"));
    machine.memlock_bytes = 1u << 30;
    CHECK(problems_of(machine).empty());
    machine.xdp_sockets = false;
    CHECK_THAT(as_text(problems_of(machine)), Contains("CONFIG_XDP_SOCKETS"));
}

TEST_CASE("names that are nearly right are offered") {
    const std::vector<std::string> all = {"eth0", "eth10", "wlan0", "lo"};
    CHECK(close_names("wlam0", all) == std::vector<std::string>{"wlan0"});
    CHECK(close_names("eth1", all) == std::vector<std::string>{"eth0", "eth10"});
    CHECK(close_names("l0", all) == std::vector<std::string>{"lo"});
    CHECK(close_names("bridge", all).empty());
}
