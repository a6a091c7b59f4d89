// SPDX-License-Identifier: Apache-2.0
// OUT: its format, its limits, and when it comes into being.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "replay/capture_look.hpp"
#include "replay/sample_packets.hpp"
#include "support/catch.hpp"

using namespace skein::test;

namespace {

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::vector<sample> three{{1'000'000'001, packet_of_link(1)},
                                {1'000'000'002, pattern(4000)},
                                {1'000'000'003, pattern(61, 9), 70}};

}  // namespace

TEST_CASE("the name decides the format") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap(three));
    for (const auto* name : {"out.pcap", "out", "out.pcapng.bak", "pcapng"}) {
        replay_report_of({folder / "in.pcap", "-o", folder / name});
        CHECK_FALSE(look_at(folder / name).pcapng);
    }
    replay_report_of({folder / "in.pcap", "--out", folder / "out.pcapng"});
    CHECK(look_at(folder / "out.pcapng").pcapng);
}

TEST_CASE("pcap to pcap is the same file, but for the snap length in its header") {
    const auto nanoseconds = GENERATE(false, true);
    const scratch_folder folder;
    const auto in = make_pcap(three, {.nanoseconds = nanoseconds});
    write_file(folder / "in.pcap", in);
    replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    auto out = read_file(folder / "out.pcap");
    CHECK(out[18] == std::byte{4});  // 262144
    std::copy(in.begin() + 16, in.begin() + 20, out.begin() + 16);
    CHECK(out == in);
}

TEST_CASE("nanoseconds in any interface of IN make OUT a pcap file of nanoseconds") {
    const scratch_folder folder;
    pcapng_maker file;
    file.interface(1).enhanced(0, 5, pattern(60));
    write_file(folder / "micro.pcapng", file.bytes());
    file.interface(1, 0, file.body().option(9, std::vector{std::byte{9}}).bytes());
    file.enhanced(1, 7, pattern(60));
    write_file(folder / "nano.pcapng", file.bytes());

    replay_report_of({folder / "micro.pcapng", "-o", folder / "out.pcap"});
    CHECK_FALSE(look_at(folder / "out.pcap").nanoseconds);
    replay_report_of({folder / "nano.pcapng", "-o", folder / "out.pcap"});
    const auto out = look_at(folder / "out.pcap");
    CHECK(out.nanoseconds);
    CHECK(out.packets[0].time_ns == 5000);
    CHECK(out.packets[1].time_ns == 7);
}

TEST_CASE("from a pipe, nanoseconds that come late need pcapng") {
    const scratch_folder folder;
    pcapng_maker file;
    file.interface(1).enhanced(0, 5, pattern(60));
    file.interface(1, 0, file.body().option(9, std::vector{std::byte{9}}).bytes());
    file.enhanced(1, 7, pattern(60));
    write_file(folder / "in.pcapng", file.bytes());
    const auto pipe = "cat " + folder / "in.pcapng" + " | skein replay - -o ";
    const auto refused = run_shell(pipe + (folder / "out.pcap"));
    CHECK(refused.code == 1);
    CHECK(mentions(refused.err, "ends in .pcapng"));
    CHECK(folder.list() == std::vector<std::string>{"in.pcapng"});
    CHECK(run_shell(pipe + (folder / "out.pcapng")).code == 0);
    CHECK(look_at(folder / "out.pcapng").packets[1].time_ns == 7);
}

TEST_CASE("several link types need pcapng, and the error says so") {
    const scratch_folder folder;
    pcapng_maker file;
    file.interface(1).interface(101).enhanced(0, 5, pattern(60)).enhanced(1, 6, udp_ipv4());
    write_file(folder / "in.pcapng", file.bytes());
    const auto refused = run_skein({"replay", folder / "in.pcapng", "-o", folder / "out.pcap"});
    CHECK(refused.code == 1);
    CHECK(mentions(refused.err, "one link type"));
    CHECK(mentions(refused.err, "remedy: write to a file whose name ends in .pcapng"));
    CHECK(folder.list() == std::vector<std::string>{"in.pcapng"});
    CHECK(run_skein({"replay", folder / "in.pcapng", "-o", folder / "o.pcapng"}).code == 0);
    CHECK(look_at(folder / "o.pcapng").links == std::vector<std::uint32_t>{1, 101});
}

TEST_CASE("a capture without packets makes one without packets, of the same link type") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({}, {.link = 113, .nanoseconds = true}));
    replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    CHECK(look_at(folder / "out.pcap").links[0] == 113);
    CHECK(look_at(folder / "out.pcap").nanoseconds);

    pcapng_maker file;
    write_file(folder / "in.pcapng", file.bytes());
    replay_report_of({folder / "in.pcapng", "-o", folder / "out.pcapng"});
    CHECK(look_at(folder / "out.pcapng").packets.empty());
    write_file(folder / "in.pcapng", file.interface(276).bytes());
    replay_report_of({folder / "in.pcapng", "-o", folder / "out.pcap"});
    CHECK(look_at(folder / "out.pcap").links[0] == 276);
}

TEST_CASE("a packet over 262144 bytes is written cut, with its true length, and counted") {
    const auto* name = GENERATE("out.pcap", "out.pcapng");
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{1000, pattern(262144)},
                                              {2000, pattern(262145)},
                                              {3000, pattern(524280), 600'000},
                                              {4000, packet_of_link(1)}}));
    const auto report = replay_report_of({folder / "in.pcap", "-o", folder / name});
    CHECK(report["output"]["snapped"] == 2);
    CHECK(report["output"]["bytes"] == report["input"]["bytes"]);
    CHECK(report["parse"]["snapped"] == 1);
    const auto in = look_at(folder / "in.pcap");
    const auto out = look_at(folder / name);
    REQUIRE(out.packets.size() == 4);
    CHECK(out.packets[0] == in.packets[0]);
    CHECK(out.packets[1].bytes.size() == 262144);
    CHECK(out.packets[1].original == 262145);
    CHECK(out.packets[2].bytes.size() == 262144);
    CHECK(out.packets[2].original == 600'000);
    CHECK(std::equal(out.packets[2].bytes.begin(), out.packets[2].bytes.end(),
                     in.packets[2].bytes.begin()));
    CHECK(out.packets[3] == in.packets[3]);
}

TEST_CASE("IN and OUT must not be the same file, under any name") {
    const scratch_folder folder;
    const auto in = make_pcap(three);
    write_file(folder / "in.pcap", in);
    REQUIRE(::symlink((folder / "in.pcap").c_str(), (folder / "soft").c_str()) == 0);
    REQUIRE(::link((folder / "in.pcap").c_str(), (folder / "hard").c_str()) == 0);
    for (const auto* name : {"in.pcap", "soft", "hard"}) {
        const auto ran = run_skein({"replay", folder / "in.pcap", "-o", folder / name});
        CHECK(ran.code == 2);
        CHECK(mentions(ran.err, "same file"));
        CHECK(mentions(ran.err, "remedy: "));
    }
    CHECK(read_file(folder / "in.pcap") == in);
}

TEST_CASE("an older OUT is replaced whole or stays as it was") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap(three));
    write_file(folder / "old", pattern(100'000));
    REQUIRE(::chmod((folder / "old").c_str(), 0640) == 0);
    REQUIRE(::symlink((folder / "old").c_str(), (folder / "link").c_str()) == 0);

    write_file(folder / "bad.pcap", make_pcap(three, {.link = 1}));
    const auto failed =
        run_skein({"replay", folder / "in.pcap", "-o", folder / "link", "--frames", "1"});
    CHECK(failed.code == 1);
    CHECK(read_file(folder / "old") == pattern(100'000));

    replay_report_of({folder / "in.pcap", "-o", folder / "link"});
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK(look_at(folder / "old").packets.size() == 3);
    struct stat about {};
    REQUIRE(::stat((folder / "old").c_str(), &about) == 0);
    CHECK((about.st_mode & 07777) == 0640);
    CHECK(folder.list() == std::vector<std::string>{"bad.pcap", "in.pcap", "link", "old"});
}

TEST_CASE("an OUT that cannot be written is named, with the errno") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap(three));
    const auto nowhere = run_skein({"replay", folder / "in.pcap", "-o", folder / "no/out.pcap"});
    CHECK(nowhere.code == 1);
    CHECK(mentions(nowhere.err, "no/out.pcap: ENOENT"));

    const auto directory = run_skein({"replay", folder / "in.pcap", "-o", folder.path()});
    CHECK(directory.code == 1);
    CHECK(mentions(directory.err, "EISDIR"));

    write_file(folder / "kept.pcap", pattern(10));
    ::chmod((folder / "kept.pcap").c_str(), 0444);
    const auto kept = run_skein({"replay", folder / "in.pcap", "-o", folder / "kept.pcap"},
                                {.in_child = drop_file_privileges});
    CHECK(kept.code == 1);
    CHECK(mentions(kept.err, "EACCES"));
    CHECK(read_file(folder / "kept.pcap") == pattern(10));

    ::chmod(folder.path().c_str(), 0555);
    const auto locked = run_skein({"replay", folder / "in.pcap", "-o", folder / "new.pcap"},
                                  {.in_child = drop_file_privileges});
    ::chmod(folder.path().c_str(), 0755);
    CHECK(locked.code == 1);
    CHECK(mentions(locked.err, "EACCES"));
}

TEST_CASE("a device as OUT is written to, not replaced") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap(three));
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    const auto ran =
        run_shell("cat " + folder / "pipe" + " > " + folder / "out.pcap" + " & skein replay " +
                  folder / "in.pcap" + " -o " + folder / "pipe" + " > /dev/null && wait");
    CHECK(ran.code == 0);
    CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
    struct stat about {};
    REQUIRE(::stat((folder / "pipe").c_str(), &about) == 0);
    CHECK(S_ISFIFO(about.st_mode));
    REQUIRE(run_skein({"replay", folder / "in.pcap", "-o", "/dev/null"}).code == 0);
    REQUIRE(::stat("/dev/null", &about) == 0);
    CHECK(S_ISCHR(about.st_mode));
}

TEST_CASE("a dash is standard input and output; the summary then goes to standard error") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap(three));
    const auto ran = run_skein({"replay", "-", "-o", "-"}, {.input = folder / "in.pcap"});
    CHECK(ran.code == 0);
    write_file(folder / "out.pcap", bytes_of(ran.out));
    CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
    CHECK(mentions(ran.err, "packets 3"));

    const auto both = run_skein({"replay", folder / "in.pcap", "-o", "-", "--json"});
    CHECK(both.code == 2);
    CHECK(nlohmann::json::parse(both.out)["error"].size() == 2);
}

TEST_CASE("few and small frames change nothing but the frame counters") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{1000, pattern(3840)},
                                              {2000, pattern(3841)},
                                              {3000, pattern(1792)},
                                              {4000, pattern(65'535)}}));
    const auto frames_of = [&](const char* chunk, const char* frames) {
        const auto report = replay_report_of(
            {folder / "in.pcap", "-o", folder / "out.pcap", "--chunk", chunk, "--frames", frames});
        CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
        return report["frames"];
    };
    const auto most4096 = (65'535 + 3839) / 3840;
    const auto large = frames_of("4096", std::to_string(most4096).c_str());
    CHECK(large["held_peak"] == most4096);
    CHECK(large["total"] == most4096);
    CHECK(large["free"] == most4096);
    const auto most2048 = (65'535 + 1791) / 1792;
    CHECK(frames_of("2048", "4096")["held_peak"] == most2048);
}

TEST_CASE("a packet that needs more frames than there are is an error that says how many") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{1000, pattern(60)}, {2000, pattern(10'000)}}));
    const auto ran = run_skein(
        {"replay", folder / "in.pcap", "-o", folder / "out.pcap", "--frames", "2", "--json"});
    CHECK(ran.code == 1);
    const auto error = nlohmann::json::parse(ran.out)["error"];
    CHECK(mentions(error["what"], "packet 2 of 10000 bytes needs 3 frames of 4096 bytes"));
    CHECK(error["remedy"] == "give at least --frames 3");
    CHECK(folder.list() == std::vector<std::string>{"in.pcap"});
    CHECK(replay_report_of({folder / "in.pcap", "--frames", "3"})["output"]["packets"] == 2);
}
