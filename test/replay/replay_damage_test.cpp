// SPDX-License-Identifier: Apache-2.0
// Captures that end too early, contradict themselves, or are none.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>

#include "replay/capture_look.hpp"
#include "replay/sample_packets.hpp"
#include "support/catch.hpp"

using namespace skein::test;

namespace {

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Cuts a file at every byte and checks what replay makes of it. `ends`: where the file header and
// each record end.
void check_every_cut(const byte_vector& file, const std::vector<std::size_t>& ends,
                     std::size_t records_from) {
    const scratch_folder folder;
    for (std::size_t length = 0; length <= file.size(); ++length) {
        CAPTURE(length);
        write_file(folder / "in", std::span(file).first(length));
        const auto ran =
            run_skein({"replay", folder / "in", "-o", folder / "out.pcapng", "--json"});
        const auto document = nlohmann::json::parse(ran.out);
        if (length < ends[0]) {
            REQUIRE(ran.code == 1);
            REQUIRE(mentions(document["error"]["what"], "not a capture"));
            REQUIRE(folder.list() == std::vector<std::string>{"in"});
            continue;
        }
        REQUIRE(ran.code == 0);
        std::size_t whole = 0;
        bool clean = false;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            whole += i >= records_from && ends[i] <= length ? 1 : 0;
            clean = clean || ends[i] == length;
        }
        REQUIRE(document["input"]["packets"] == whole);
        REQUIRE(document["output"]["packets"] == whole);
        REQUIRE(document["input"]["truncated"] == !clean);
        REQUIRE(mentions(ran.err, "warning") == !clean);
        REQUIRE(look_at(folder / "out.pcapng").packets.size() == whole);
        std::remove((folder / "out.pcapng").c_str());
    }
}

run_result refused(const byte_vector& file) {
    const scratch_folder folder;
    write_file(folder / "in", file);
    auto ran = run_skein({"replay", folder / "in", "-o", folder / "out.pcap"});
    CHECK(ran.code == 1);
    CHECK(ran.out.empty());
    CHECK(folder.list() == std::vector<std::string>{"in"});
    return ran;
}

}  // namespace

TEST_CASE("a pcap file cut at any byte is processed to its last whole record") {
    const auto order = GENERATE(byte_order::little, byte_order::big);
    const auto file =
        make_pcap({{1000, pattern(20)}, {2000, {}}, {3000, pattern(9), 70}}, {.order = order});
    check_every_cut(file, {24, 60, 76, 101}, 1);
}

TEST_CASE("a pcapng file cut at any byte is processed to its last whole record") {
    pcapng_maker file;
    std::vector<std::size_t> ends{file.bytes().size()};
    const auto note = [&](const pcapng_maker& now) { ends.push_back(now.bytes().size()); };
    note(file.interface(1));
    note(file.enhanced(0, 1, pattern(13)));
    note(file.simple(pattern(6)));
    const auto whole = file.bytes();
    // A section header counts once its byte order is known, after 12 of its bytes.
    const scratch_folder folder;
    for (std::size_t length = 12; length < ends[0]; ++length) {
        write_file(folder / "in", std::span(whole).first(length));
        CHECK(replay_report_of({folder / "in"})["input"]["truncated"] == true);
    }
    const auto tail = std::span(whole).first(11);
    CHECK(mentions(refused({tail.begin(), tail.end()}).err, "not a capture"));
    for (std::size_t length = ends[0]; length <= whole.size(); ++length) {
        CAPTURE(length);
        write_file(folder / "in", std::span(whole).first(length));
        const auto report = replay_report_of({folder / "in"});
        const bool clean = std::find(ends.begin(), ends.end(), length) != ends.end();
        CHECK(report["input"]["truncated"] == !clean);
        CHECK(report["input"]["packets"] == (length >= ends[2]) + (length >= ends[3]));
    }
}

TEST_CASE("a record length beyond the end is a cut file, whatever it claims") {
    auto file = make_pcap({{1000, packet_of_link(1)}, {2000, pattern(60)}});
    const auto second = 24 + 16 + packet_of_link(1).size();
    const auto length = GENERATE(61u, 262144u, 0x01000001u, 0x7fffffffu, 0xffffffffu);
    const auto bytes = byte_maker(byte_order::little).u32(length).bytes();
    std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(second) + 8);
    const scratch_folder folder;
    write_file(folder / "in.pcap", file);
    const auto report = replay_report_of({folder / "in.pcap"});
    CHECK(report["input"]["packets"] == 1);
    CHECK(report["input"]["truncated"] == true);
}

TEST_CASE("an absurd length in the middle of a file is damage, with the place named") {
    auto file = make_pcap({{1000, pattern(60)}});
    const auto header = byte_maker(byte_order::little).u32(2).u32(0).u32(17 << 20).u32(9).bytes();
    file = behind(file, header);
    file.resize(file.size() + (17 << 20) + 100);
    const auto ran = refused(file);
    CHECK(mentions(ran.err, "damaged"));
    CHECK(mentions(ran.err, "byte 100"));
}

TEST_CASE("contradictions of pcapng are damage, with the place named") {
    pcapng_maker file;
    file.interface(1).enhanced(0, 1, pattern(20));
    const auto before = file.bytes().size();
    const auto damaged = [&](const byte_vector& block, const std::string& what) {
        const auto ran = refused(behind(behind(file.bytes(), block), pattern(4096, 0)));
        CHECK(mentions(ran.err, what));
        CHECK(mentions(ran.err, "byte " + std::to_string(before)));
    };
    const auto made = [] { return byte_maker(byte_order::little); };
    damaged(made().u32(6).u32(8).u32(8).bytes(), "a block of 8 bytes");
    damaged(made().u32(6).u32(33).bytes(), "a block of 33 bytes");
    damaged(made().u32(9).u32(16).u32(0).u32(20).bytes(), "two lengths");
    damaged(made().u32(6).u32(16).u32(0).u32(16).bytes(), "without its fields");
    damaged(made().u32(6).u32(32).u32(7).u64(0).u64(0).u32(32).bytes(), "interface 7");
    damaged(made().u32(6).u32(32).u32(0).u64(0).u32(100).u32(100).u32(32).bytes(), "100 bytes");
    damaged(made().u32(3).u32(16).u32(100).u32(16).bytes(), "100 bytes");
    damaged(made().u32(1).u32(16).u32(1).u32(16).bytes(), "without a description");
    damaged(made().u32(0x0a0d0d0a).u32(28).u32(5).bytes(), "byte order");
}

TEST_CASE("what is no capture is refused and named") {
    CHECK(mentions(refused({}).err, "empty"));
    CHECK(mentions(refused(bytes_of("x")).err, "not a capture"));
    CHECK(mentions(refused(bytes_of("#!/bin/sh\necho hello\n")).err, "not a capture"));
    CHECK(mentions(refused(bytes_of("\x1f\x8b\x08 gzip")).err, "gunzip"));
    CHECK(mentions(refused(pattern(4096)).err, "not a capture"));
    CHECK(mentions(refused(byte_maker(byte_order::big).u32(0x0a0d0d0a).u64(28).bytes()).err,
                   "no byte order"));
    const auto old = byte_maker(byte_order::big).u32(0xa1b2c3d4).u16(1).u16(2).raw(pattern(16));
    CHECK(mentions(refused(old.bytes()).err, "version 1.2"));
}

TEST_CASE("what is no capture is refused with a remedy, however little there is of it") {
    const auto magic = byte_maker(byte_order::big).u32(0xa1b2c3d4).bytes();
    const auto section = byte_maker(byte_order::big).u32(0x0a0d0d0a).bytes();
    for (const auto& content : {byte_vector{}, bytes_of("x"), magic, section}) {
        CAPTURE(content.size());
        CHECK(mentions(refused(content).err, "remedy: give a file written by"));
    }
}

TEST_CASE("files that cannot be read are named, with the errno") {
    const scratch_folder folder;
    const auto missing = run_skein({"replay", folder / "none.pcap"});
    CHECK(missing.code == 1);
    CHECK(mentions(missing.err, "none.pcap: ENOENT"));

    const auto directory = run_skein({"replay", folder.path()});
    CHECK(directory.code == 1);
    CHECK(mentions(directory.err, "EISDIR"));

    write_file(folder / "secret.pcap", make_pcap({}));
    ::chmod((folder / "secret.pcap").c_str(), 0);
    const auto secret =
        run_skein({"replay", folder / "secret.pcap"}, {.in_child = drop_file_privileges});
    CHECK(secret.code == 1);
    CHECK(mentions(secret.err, "EACCES"));
    CHECK(mentions(secret.err, "permissions"));
}

TEST_CASE("a disk that runs full leaves nothing behind") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap(std::vector<sample>(4000, {1000, pattern(1000)})));
    const auto little_room = [] {
        const rlimit limit{100'000, 100'000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, SIG_IGN);
    };
    const auto ran = run_skein({"replay", folder / "in.pcap", "-o", folder / "out.pcap"},
                               {.in_child = little_room});
    CHECK(ran.code == 1);
    CHECK(mentions(ran.err, "out.pcap: EFBIG"));
    CHECK(folder.list() == std::vector<std::string>{"in.pcap"});

    const auto full = run_skein({"replay", folder / "in.pcap", "-o", "/dev/full", "--json"});
    CHECK(full.code == 1);
    CHECK(mentions(full.out, "ENOSPC"));
    CHECK(mentions(nlohmann::json::parse(full.out)["error"]["remedy"], "make room"));
}

TEST_CASE("an interrupted replay leaves nothing behind") {
    const auto signal = GENERATE(SIGINT, SIGTERM);
    const scratch_folder folder;
    REQUIRE(::mkfifo((folder / "in").c_str(), 0600) == 0);
    tool_process running({SKEIN_BINARY, "replay", folder / "in", "-o", folder / "out.pcap"}, {});
    {
        // Opening waits for the reader; the capture goes on for ever.
        std::ofstream feed(folder / "in", std::ios::binary);
        const auto file = make_pcap(std::vector<sample>(400, {1000, pattern(1000)}));
        feed.write(reinterpret_cast<const char*>(file.data()),
                   static_cast<std::streamsize>(file.size()));
        feed.flush();
        while (folder.list().size() < 2)
            ::usleep(1000);
        ::kill(running.id(), signal);
        const auto ran = running.wait();
        CHECK(ran.code == 1);
        CHECK(mentions(ran.err, signal == SIGINT ? "SIGINT" : "SIGTERM"));
    }
    CHECK(folder.list() == std::vector<std::string>{"in"});
}
