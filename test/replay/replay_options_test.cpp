// SPDX-License-Identifier: Apache-2.0
// The command line: options, their bad values, help, version, examples, closed pipes.
#include "replay/capture_look.hpp"
#include "replay/sample_packets.hpp"
#include "support/catch.hpp"

using namespace skein::test;
using json = nlohmann::ordered_json;

namespace {

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Exit code 2, in both forms of an error.
std::string usage_error(std::vector<std::string> arguments) {
    const auto plain = run_skein(arguments);
    CHECK(plain.code == 2);
    CHECK(plain.out.empty());
    CHECK(plain.err.find("skein: ") == 0);
    CHECK(mentions(plain.err, "\n  remedy: "));

    arguments.push_back("--json");
    const auto in_json = run_skein(arguments);
    CHECK(in_json.code == 2);
    CHECK(in_json.err.empty());
    CHECK(in_json.out.back() == '\n');
    const auto document = json::parse(in_json.out);
    CHECK(document.size() == 1);
    CHECK(document["error"].size() == 2);
    CHECK_FALSE(document["error"]["remedy"].get<std::string>().empty());
    return document["error"]["what"];
}

}  // namespace

TEST_CASE("a wrong command line is exit code 2, in both forms") {
    usage_error({});
    CHECK(mentions(usage_error({"no-such-command"}), "no-such-command"));
    CHECK(mentions(usage_error({"--no-such-option"}), "--no-such-option"));
    CHECK(mentions(usage_error({"replay"}), "IN is missing"));
    CHECK(mentions(usage_error({"replay", "a", "b"}), "b"));
    CHECK(mentions(usage_error({"replay", "a", "--no-such-option"}), "--no-such-option"));
    const auto no_value = run_skein({"replay", "--json", "a", "-o"});
    CHECK(no_value.code == 2);
    CHECK(mentions(json::parse(no_value.out)["error"]["what"], "--out"));
}

TEST_CASE("bad values name the option, the value and what is allowed") {
    for (const auto* bad :
         {"0", "-1", "1048577", "x", "4096x", "", "1e3", "0x10", "1.5", "18446744073709551617"}) {
        CAPTURE(bad);
        const auto what = usage_error({"replay", "a", std::string("--frames=") + bad});
        CHECK(mentions(what, "--frames"));
    }
    CHECK(mentions(usage_error({"replay", "a", "--frames", "0"}), "1 to 1048576"));
    for (const auto* bad : {"0", "1024", "4095", "8192", "-2048", "x"}) {
        CAPTURE(bad);
        CHECK(mentions(usage_error({"replay", "a", std::string("--chunk=") + bad}), "--chunk"));
    }
}

TEST_CASE("the option of a stage that is not there is refused by name") {
    struct given {
        std::vector<std::string> words;
        const char* stage;
    };
    const std::vector<given> all{
        {{"--defrag", "local"}, "defrag"},
        {{"--defrag", "forward"}, "defrag"},
        {{"--gro", "on"}, "gro"},
        {{"--gro-max", "65536"}, "gro"},
        {{"--gro-max4", "65536"}, "gro"},
        {{"--gro-max6", "65536"}, "gro"},
        {{"--gro-timeout", "10"}, "gro"},
        {{"--checksum", "verify"}, "checksum"},
        {{"--checksum", "trust"}, "checksum"},
        {{"--gso", "1500"}, "gso"},
        {{"--mss", "1448"}, "gso"},
        {{"--caps", "driver=veth"}, "tx planner"},
        {{"--nat", "snat 10.0.0.0/8 -> 1.2.3.4"}, "nat"},
        {{"--vlan", "pop"}, "vlan"},
        {{"--icmp"}, "icmp"},
        {{"--nat", "a", "--nat", "b"}, "nat"},
        {{"--defrag", "off", "--defrag", "local"}, "defrag"},
    };
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({}));
    for (const auto& one : all) {
        CAPTURE(one.words);
        std::vector<std::string> arguments{"replay", folder / "in.pcap"};
        arguments.insert(arguments.end(), one.words.begin(), one.words.end());
        const auto what = usage_error(arguments);
        CHECK(mentions(what, one.words[0] + " is not available: the " + one.stage + " stage"));
        CHECK(mentions(what, "not part of skein "));
    }
}

TEST_CASE("asking for no stage is no stage") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{1000, packet_of_link(1)}}));
    const auto plain = replay_report_of({folder / "in.pcap"});
    CHECK(replay_report_of({folder / "in.pcap", "--defrag", "off", "--gro", "off"}) == plain);
    CHECK(replay_report_of({"--gro=off", folder / "in.pcap"}) == plain);
}

TEST_CASE("the version is printed with name and commit") {
    const auto text = run_skein({"--version"});
    CHECK(text.code == 0);
    CHECK(text.out.find("skein 0.") == 0);
    CHECK(mentions(text.out, "(commit "));
    const auto object = json::parse(run_skein({"--version", "--json"}).out);
    CHECK(object["name"] == "skein");
    CHECK(text.out == "skein " + object["version"].get<std::string>() + " (commit " +
                          object["commit"].get<std::string>() + ")\n");
}

TEST_CASE("help lists every option with unit, default and examples") {
    const auto help = run_skein({"replay", "--help"});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    for (const auto* part :
         {"IN FILE", "-o,--out FILE", "(default: nowhere)", "--frames FRAMES", "(default: 4096)",
          "--chunk BYTES", "--json", "--list-reasons", "--list-examples", "--gro-timeout USEC",
          "--defrag off|local", "Examples:", "skein replay capture.pcap"}) {
        CAPTURE(part);
        CHECK(mentions(help.out, part));
    }
    CHECK(mentions(run_skein({"--help"}).out, "replay"));
}

TEST_CASE("every example of the help runs") {
    const auto listed = run_skein({"replay", "--list-examples"});
    REQUIRE(listed.code == 0);
    const auto help = run_skein({"replay", "--help"}).out;
    std::size_t count = 0;
    for (std::size_t at = 0, end; (end = listed.out.find('\n', at)) != std::string::npos;
         at = end + 1, ++count) {
        const auto line = listed.out.substr(at, end - at);
        CAPTURE(line);
        CHECK(mentions(help, "\n  " + line + "\n"));
        const scratch_folder folder;
        write_file(folder / "capture.pcap",
                   make_pcap({{1000, packet_of_link(1)}, {2000, pattern(4000)}}));
        const auto ran = run_shell("set -e; cd " + folder.path() + "; " + line);
        CHECK(ran.code == 0);
        CHECK(mentions(ran.out + ran.err, line.find("copy.pcap") == std::string::npos ? "" : "2"));
        if (mentions(line, "copy.pcapng"))
            CHECK(look_at(folder / "copy.pcapng").packets.size() == 2);
    }
    CHECK(count >= 5);
}

TEST_CASE("a closed pipe ends a command quietly") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap(std::vector<sample>(2000, {1000, pattern(1000)})));
    const std::string quiet = " 2>" + folder / "err";
    for (const auto& line :
         {"skein replay " + folder / "in.pcap" + " -o -" + quiet,
          "skein replay --list-reasons" + quiet, "skein replay --help" + quiet}) {
        CAPTURE(line);
        // The reader is gone before anything is written.
        const auto ran =
            run_shell("(sleep 0.1; " + line + "; echo $? > " + folder / "code" +
                      ") | true; while ! test -s " + folder / "code" + "; do sleep 0.02; done");
        CHECK(ran.code == 0);
        CHECK(read_file(folder / "code") == bytes_of("0\n"));
        CHECK(read_file(folder / "err").empty());
        std::remove((folder / "code").c_str());
    }
}

TEST_CASE("a closed standard output harms no file") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{1000, packet_of_link(1)}}));
    const auto ran = run_shell("skein replay " + folder / "in.pcap" + " --json -o " +
                               folder / "out.pcap" + " >&-");
    CHECK(ran.code == 0);
    CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
}

TEST_CASE("a full disk behind standard output is an error") {
    const auto ran = run_shell("skein replay --list-reasons > /dev/full");
    CHECK(ran.code == 1);
    CHECK(mentions(ran.err, "ENOSPC"));
    CHECK(mentions(ran.err, "remedy: make room, or write elsewhere"));
}
