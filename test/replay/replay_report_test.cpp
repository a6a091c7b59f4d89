// SPDX-License-Identifier: Apache-2.0
// The JSON of skein replay: its keys and their order, its numbers, and that it is always the same.
#include "replay/capture_look.hpp"
#include "replay/sample_packets.hpp"
#include "support/catch.hpp"

using namespace skein::test;
using json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys_of(const json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.push_back(key);
    return keys;
}

using names = std::vector<std::string>;

bool only_integers(const json& value) {
    if (!value.is_object()) return value.is_number_integer() || value.is_boolean();
    return std::all_of(value.begin(), value.end(), only_integers);
}

void write_mixed(const scratch_folder& folder) {
    write_file(folder / "in.pcap", make_pcap({{1000, packet_of_link(1)},
                                              {2000, pattern(5)},
                                              {3000, pattern(7)},
                                              {4000, ethernet(pattern(19, 0x45))},
                                              {5000, pattern(5000)},
                                              {6000, pattern(60), 61}}));
}

}  // namespace

TEST_CASE("the report has the keys of the contract, in order, and integers") {
    const scratch_folder folder;
    write_mixed(folder);
    const auto report = replay_report_of({folder / "in.pcap"});
    CHECK(keys_of(report) == names{"input", "output", "parse", "tx", "frames"});
    CHECK(keys_of(report["input"]) == names{"packets", "bytes", "truncated"});
    CHECK(keys_of(report["output"]) == names{"packets", "bytes", "snapped"});
    CHECK(keys_of(report["parse"]) == names{"snapped", "not_parsed"});
    CHECK(keys_of(report["tx"]) == names{"scatter", "pull", "merge", "linearise", "split",
                                         "header_bytes", "copied_bytes", "refused"});
    CHECK(keys_of(report["frames"]) == names{"total", "free", "lost", "held_peak", "written_off"});
    CHECK(only_integers(report));
    CHECK(report["input"]["truncated"].is_boolean());
}

TEST_CASE("the report counts what was there") {
    const scratch_folder folder;
    write_mixed(folder);
    const auto report = replay_report_of({folder / "in.pcap"});
    const auto bytes = packet_of_link(1).size() + 5 + 7 + 14 + 19 + 5000 + 60;
    CHECK(report["input"] == json({{"packets", 6}, {"bytes", bytes}, {"truncated", false}}));
    CHECK(report["output"] == json({{"packets", 6}, {"bytes", bytes}, {"snapped", 0}}));
    CHECK(report["parse"]["snapped"] == 1);
    CHECK(report["parse"]["not_parsed"] ==
          json({{"ethernet_truncated", 2}, {"ipv4_truncated", 1}}));
    CHECK(report["tx"]["scatter"] == 6);
    CHECK(report["tx"]["refused"] == json::object());
    CHECK(report["tx"]["copied_bytes"] == 0);
    CHECK(
        report["frames"] ==
        json({{"total", 4096}, {"free", 4096}, {"lost", 0}, {"held_peak", 2}, {"written_off", 0}}));
}

TEST_CASE("standard output holds one line of JSON and nothing else") {
    const scratch_folder folder;
    auto file = make_pcap({{1000, pattern(60)}});
    file.resize(file.size() + 3);  // a warning for standard error
    write_file(folder / "in.pcap", file);
    const auto ran = run_skein({"replay", folder / "in.pcap", "--json"});
    CHECK(ran.code == 0);
    REQUIRE_FALSE(ran.out.empty());
    CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 1);
    CHECK(ran.out.back() == '\n');
    CHECK(json::accept(ran.out));
    CHECK(ran.err.find("skein: warning: ") == 0);
}

TEST_CASE("the same input gives the same bytes and the same report in every run") {
    const scratch_folder folder;
    write_mixed(folder);
    const auto* name = GENERATE("out.pcap", "out.pcapng");
    const auto first = run_skein({"replay", folder / "in.pcap", "-o", folder / name, "--json"});
    const auto bytes = read_file(folder / name);
    for (int i = 0; i < 3; ++i) {
        const auto again = run_skein({"replay", folder / "in.pcap", "-o", folder / name, "--json"});
        CHECK(again.out == first.out);
        CHECK(read_file(folder / name) == bytes);
    }
    const auto without_out = run_skein({"replay", folder / "in.pcap", "--json"});
    CHECK(without_out.out == first.out);
}

TEST_CASE("for people the same numbers are text") {
    const scratch_folder folder;
    write_mixed(folder);
    const auto ran = run_skein({"replay", folder / "in.pcap"});
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(ran.out.find("parse      snapped 1, not_parsed.ethernet_truncated 2") !=
          std::string::npos);
    CHECK(ran.out.find("held_peak 2") != std::string::npos);
}

TEST_CASE("option --list-reasons names every reason there is, without a capture") {
    const auto listed = replay_report_of({"--list-reasons"});
    CHECK(keys_of(listed) == names{"parse", "tx"});
    const auto all = listed["parse"]["not_parsed"].get<names>();
    CHECK(all.size() > 20);
    for (const auto* name : {"zero_length", "ethernet_truncated", "ipv4_truncated"}) {
        CHECK(std::count(all.begin(), all.end(), name) == 1);
    }
    CHECK(std::count(all.begin(), all.end(), "none") == 0);
    CHECK(listed["tx"]["refused"].is_array());

    const auto text = run_skein({"replay", "--list-reasons"});
    CHECK(text.code == 0);
    CHECK(text.out.find("parse.not_parsed\n") == 0);
    for (const auto& name : all)
        CHECK(text.out.find("  " + name + "\n") != std::string::npos);
}
