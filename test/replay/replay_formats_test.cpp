// SPDX-License-Identifier: Apache-2.0
// What skein replay reads: every link type, resolution, byte order and block of a capture.
#include "replay/capture_look.hpp"
#include "replay/sample_packets.hpp"
#include "support/catch.hpp"

using namespace skein::test;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

}  // namespace

TEST_CASE("every link type is read, understood, and written as it came") {
    const auto link = GENERATE(0u, 1u, 12u, 14u, 101u, 108u, 113u, 228u, 229u, 276u);
    CAPTURE(link);
    const scratch_folder folder;
    const auto file = make_pcap({{second, packet_of_link(link)}}, {.link = link});
    write_file(folder / "in.pcap", file);

    const auto report = replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    CHECK(report["input"]["packets"] == 1);
    CHECK(report["parse"]["not_parsed"].empty());
    const auto out = look_at(folder / "out.pcap");
    CHECK(out.links == std::vector{link});
    CHECK(out.packets == look_at(folder / "in.pcap").packets);
}

TEST_CASE("an unknown link type is refused by number, also without packets") {
    const scratch_folder folder;
    const auto empty = GENERATE(true, false);
    const std::vector<sample> samples(empty ? 0 : 1, {second, pattern(60)});
    write_file(folder / "in.pcap", make_pcap(samples, {.link = 105}));
    const auto ran = run_skein({"replay", folder / "in.pcap", "-o", folder / "out.pcap"});
    CHECK(ran.code == 1);
    CHECK(ran.err.find("link type 105") != std::string::npos);
    CHECK(ran.err.find("remedy: ") != std::string::npos);
    CHECK(folder.list() == std::vector<std::string>{"in.pcap"});
}

TEST_CASE("an FCS length beside the link type is no link type") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{0, packet_of_link(1)}}, {.link = 0x44000001}));
    CHECK(replay_report_of({folder / "in.pcap"})["parse"]["not_parsed"].empty());
}

TEST_CASE("pcap is read in both byte orders and both resolutions") {
    const auto order = GENERATE(byte_order::little, byte_order::big);
    const auto nanoseconds = GENERATE(false, true);
    const scratch_folder folder;
    const std::vector<sample> samples{{7 * second + 123'456'789, packet_of_link(1)},
                                      {8 * second + 1'000, pattern(61), 1500}};
    write_file(folder / "in.pcap",
               make_pcap(samples, {.nanoseconds = nanoseconds, .order = order}));
    replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    replay_report_of({folder / "in.pcap", "-o", folder / "out.pcapng"});

    const auto in = look_at(folder / "in.pcap");
    CHECK(in.packets[0].time_ns == 7 * second + (nanoseconds ? 123'456'789 : 123'456'000));
    const auto out = look_at(folder / "out.pcap");
    CHECK(out.nanoseconds == nanoseconds);
    CHECK(out.packets == in.packets);
    CHECK(look_at(folder / "out.pcapng").packets == in.packets);
}

TEST_CASE("pcapng is read in both byte orders") {
    const auto order = GENERATE(byte_order::little, byte_order::big);
    const scratch_folder folder;
    pcapng_maker file(order);
    file.interface(1).enhanced(0, 1'234'567, packet_of_link(1)).enhanced(0, 1'234'568, pattern(3));
    write_file(folder / "in.pcapng", file.bytes());
    replay_report_of({folder / "in.pcapng", "-o", folder / "out.pcapng"});
    const auto out = look_at(folder / "out.pcapng");
    REQUIRE(out.packets.size() == 2);
    CHECK(out.packets[0].time_ns == 1'234'567'000);
    CHECK(out.packets[0].bytes == packet_of_link(1));
    CHECK(out.packets[1].bytes == pattern(3));
}

TEST_CASE("interfaces keep their link type, name and time") {
    const scratch_folder folder;
    pcapng_maker file;
    const auto name = [&](const char* text) { return file.body().option(2, bytes_of(text)); };
    const std::vector nanoseconds{std::byte{9}};
    const std::vector binary{std::byte{0x80 | 10}};  // 1/1024 s
    const auto offset = file.body().u64(100).bytes();
    file.interface(1, 0, name("eth0").option(9, nanoseconds).bytes());
    file.interface(101, 0, name("tun0").option(14, offset).bytes());
    file.interface(276, 0, file.body().option(9, binary).bytes());
    file.enhanced(2, 1536, packet_of_link(276));
    file.enhanced(0, 5, packet_of_link(1));
    file.enhanced(1, 7, packet_of_link(101));
    write_file(folder / "in.pcapng", file.bytes());

    const auto report = replay_report_of({folder / "in.pcapng", "-o", folder / "out.pcapng"});
    CHECK(report["parse"]["not_parsed"].empty());
    const auto out = look_at(folder / "out.pcapng");
    REQUIRE(out.packets.size() == 3);
    CHECK(out.packets[0].time_ns == 1'500'000'000);
    CHECK(out.packets[1].time_ns == 5);
    CHECK(out.packets[2].time_ns == 100 * second + 7'000);
    CHECK(out.packets[0].link == 276);
    CHECK(out.names[out.packets[1].interface] == "eth0");
    CHECK(out.names[out.packets[2].interface] == "tun0");
}

TEST_CASE("simple and obsolete packet blocks are packets, other blocks are stepped over") {
    const scratch_folder folder;
    pcapng_maker file;
    file.other(0x0bad, pattern(40)).interface(1, 128).other(5, pattern(16)).other(4, {});
    file.simple(packet_of_link(1));
    file.simple(pattern(128), 1000);  // cut at the interface's snap length
    file.obsolete(0, 9, packet_of_link(1)).other(0x80000001, pattern(300'000));
    file.enhanced(0, 11, packet_of_link(1), 0,
                  file.body().option(1, bytes_of("a comment")).bytes());
    write_file(folder / "in.pcapng", file.bytes());

    const auto report = replay_report_of({folder / "in.pcapng", "-o", folder / "out.pcapng"});
    CHECK(report["input"]["packets"] == 4);
    CHECK(report["parse"]["snapped"] == 1);
    const auto out = look_at(folder / "out.pcapng");
    REQUIRE(out.packets.size() == 4);
    CHECK(out.packets[0].time_ns == 0);
    CHECK(out.packets[1].original == 1000);
    CHECK(out.packets[1].bytes == pattern(128));
    CHECK(out.packets[2].time_ns == 9'000);
    CHECK(out.packets[3].bytes == packet_of_link(1));
}

TEST_CASE("sections may differ in byte order and begin their interfaces anew") {
    const scratch_folder folder;
    pcapng_maker file;
    file.interface(1).interface(101).enhanced(1, 1, packet_of_link(101));
    file.section(byte_order::big).interface(101).enhanced(0, 2, packet_of_link(101));
    file.section(byte_order::little).interface(1).enhanced(0, 3, packet_of_link(1));
    write_file(folder / "in.pcapng", file.bytes());
    const auto report = replay_report_of({folder / "in.pcapng", "-o", folder / "out.pcapng"});
    CHECK(report["parse"]["not_parsed"].empty());
    const auto out = look_at(folder / "out.pcapng");
    REQUIRE(out.packets.size() == 3);
    CHECK(out.packets[0].link == 101);
    CHECK(out.packets[1].link == 101);
    CHECK(out.packets[1].interface == out.packets[0].interface);
    CHECK(out.packets[2].link == 1);
}

TEST_CASE("two interfaces of a section stay two, also if they look alike") {
    const scratch_folder folder;
    pcapng_maker file;
    file.interface(1).interface(1).enhanced(0, 1, pattern(60)).enhanced(1, 2, pattern(61));
    write_file(folder / "in.pcapng", file.bytes());
    replay_report_of({folder / "in.pcapng", "-o", folder / "out.pcapng"});
    const auto out = look_at(folder / "out.pcapng");
    REQUIRE(out.packets.size() == 2);
    CHECK(out.packets[0].interface != out.packets[1].interface);
}

TEST_CASE("an interface of an unknown link type matters only once it has a packet") {
    const scratch_folder folder;
    pcapng_maker file;
    file.interface(1).interface(195).enhanced(0, 1, packet_of_link(1));
    write_file(folder / "in.pcapng", file.bytes());
    CHECK(replay_report_of({folder / "in.pcapng"})["output"]["packets"] == 1);

    file.enhanced(1, 2, pattern(20));
    write_file(folder / "in.pcapng", file.bytes());
    const auto ran = run_skein({"replay", folder / "in.pcapng"});
    CHECK(ran.code == 1);
    CHECK(ran.err.find("link type 195") != std::string::npos);
}

TEST_CASE("a record without bytes is a packet like others") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{1000, {}}, {2000, packet_of_link(1)}, {3000, {}}}));
    const auto report = replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    CHECK(report["output"]["packets"] == 3);
    CHECK(report["tx"]["scatter"] == 3);
    CHECK(report["parse"]["not_parsed"]["ethernet_truncated"] == 2);
    CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
}

TEST_CASE("a snapped record passes unchanged, keeps its length and is counted, not parsed") {
    const scratch_folder folder;
    auto cut = packet_of_link(1);
    cut.resize(40);
    write_file(folder / "in.pcap", make_pcap({{1000, cut, 74}, {2000, pattern(5), 9000}}));
    const auto report = replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    CHECK(report["parse"]["snapped"] == 2);
    CHECK(report["parse"]["not_parsed"].empty());
    CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
}

TEST_CASE("a time that runs backwards stays in the record") {
    const scratch_folder folder;
    write_file(folder / "in.pcap", make_pcap({{9 * second, packet_of_link(1)},
                                              {2 * second, pattern(60)},
                                              {0, pattern(61)},
                                              {5 * second, pattern(62)}}));
    replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
}

TEST_CASE("an IP length of 0 is an aggregate of the capturing host only for TCP") {
    byte_maker tcp(byte_order::big);
    tcp.u16(1).u16(2).u32(1).u32(1).u16(0x5010).u16(100).u32(0).raw(pattern(70'000));
    auto big = ethernet(ipv4_packet(6, tcp.bytes()));
    auto datagram = ethernet(udp_ipv4());
    for (auto* p : {&big, &datagram})
        (*p)[16] = (*p)[17] = std::byte{0};
    auto fragment = big;
    fragment[20] = std::byte{0x20};  // more fragments
    const scratch_folder folder;

    write_file(folder / "in.pcap", make_pcap({{1000, big}}));
    CHECK(replay_report_of({folder / "in.pcap"})["parse"]["not_parsed"].empty());
    write_file(folder / "in.pcap", make_pcap({{1000, datagram}, {1000, fragment}}));
    const auto report = replay_report_of({folder / "in.pcap", "-o", folder / "out.pcap"});
    CHECK(report["parse"]["not_parsed"]["zero_length"] == 2);
    CHECK(look_at(folder / "out.pcap").packets == look_at(folder / "in.pcap").packets);
}
