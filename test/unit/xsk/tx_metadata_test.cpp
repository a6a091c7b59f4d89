// SPDX-License-Identifier: Apache-2.0
// What packets may ask for on a port with TX metadata, and how it reaches the kernel.
#include "support/catch.hpp"
#include "support/fake_port.hpp"

using namespace skein;
using namespace skein::test;
using xsk::tx_refusal;
namespace uapi = xsk::uapi;

namespace {

xsk::port_options asking(bool software_checksum = false) {
    auto options = on("fake0");
    options.tx_metadata = xsk::choice::required;
    options.tx_software_checksum = software_checksum;
    return options;
}

std::uint64_t count(const xsk::port& port, tx_refusal reason) {
    return port.counters().refused[static_cast<std::size_t>(reason)].value();
}

bool send_one(xsk::port& port, packet p) {
    burst packets;
    packets.push_back(std::move(p));
    const bool sent = port.send(packets) == 1;
    port.flush();
    return sent;
}

// Sending must refuse it for that reason, and refuses() must foresee it.
void check_refused(fake_port& fake, packet p, tx_refusal reason) {
    const auto before = count(*fake.port, reason);
    CHECK(fake.port->refuses(p) == reason);
    CHECK_FALSE(send_one(*fake.port, std::move(p)));
    CHECK(count(*fake.port, reason) == before + 1);
    CHECK(fake.socket().sent_packets == 0);
}

}  // namespace

TEST_CASE("a request is written below the first descriptor's data, and said there alone") {
    fake_port fake({}, asking(), {.mtu_bytes = 9000});
    auto p = packet_of(fake.pool(), numbered(3000, 1));
    REQUIRE(p.segment_count() == 3);
    p.request_checksum(34, 16);
    p.request_launch(99);
    burst packets;
    packets.push_back(std::move(p));
    REQUIRE(fake.port->send(packets) == 1);
    CHECK(fake.socket().tx->peek(0).options == (descriptor_continues | descriptor_has_metadata));
    CHECK(fake.socket().tx->peek(1).options == descriptor_continues);
    CHECK(fake.socket().tx->peek(2).options == 0);
    fake.port->flush();
    REQUIRE(fake.socket().requests.size() == 1);
    const auto& request = fake.socket().requests[0];
    CHECK(request.flags == (uapi::tx_metadata_checksum | uapi::tx_metadata_launch));
    CHECK(request.request.checksum_start == 34);
    CHECK(request.request.checksum_offset == 16);
    CHECK(request.launch_ns == 99);
    CHECK(fake.socket().wire.at(0) == numbered(3000, 1));
    fake.close_and_check();
}

TEST_CASE("a packet without a request goes out as ever, between those that have one") {
    fake_port fake({}, asking());
    CHECK(send_one(*fake.port, packet_of(fake.pool(), numbered(60, 1))));
    CHECK(fake.socket().requests.empty());
    CHECK(fake.socket().wire.at(0) == numbered(60, 1));
    fake.close_and_check();
}

TEST_CASE("on a port without TX metadata a request is refused") {
    for (const bool old_kernel : {true, false}) {
        auto options = old_kernel ? asking() : on("fake0");
        if (old_kernel) options.tx_metadata = xsk::choice::automatic;
        fake_port fake(old_kernel ? linux_6_1() : linux_6_18(), options);
        auto p = packet_of(fake.pool(), numbered(60, 1));
        p.request_timestamp();
        check_refused(fake, std::move(p), tx_refusal::not_offered);
        CHECK(send_one(*fake.port, packet_of(fake.pool(), numbered(60, 1), 1024, 0)));
        fake.close_and_check();
    }
}

TEST_CASE("a checksum is summed up to the last byte of the first piece, not beyond") {
    fake_port fake({}, asking());
    for (const unsigned start : {43u, 59u, 0xffffu}) {  // 43 + 16 + 2 is one too many
        auto p = packet_of(fake.pool(), numbered(60, 1));
        p.request_checksum(static_cast<std::uint16_t>(start), 16);
        check_refused(fake, std::move(p), tx_refusal::checksum_outside);
    }
    auto last = packet_of(fake.pool(), numbered(60, 1));
    last.request_checksum(42, 16);
    CHECK(send_one(*fake.port, std::move(last)));
    CHECK(fake.socket().sent_packets == 1);
    fake.close_and_check();
}

TEST_CASE("every piece must begin 24 bytes into its chunk, whether anything is asked for or not") {
    fake_port fake({}, asking(), {.mtu_bytes = 9000});
    check_refused(fake, packet_of(fake.pool(), numbered(60, 1), 1024, 23), tx_refusal::no_headroom);
    auto later = packet_of(fake.pool(), numbered(60, 1));
    frame_id frame{};
    REQUIRE(fake.pool().take({&frame, 1}) == 1);
    REQUIRE(later.append({frame, 0, 100}));
    check_refused(fake, std::move(later), tx_refusal::no_headroom);
    auto asks = packet_of(fake.pool(), numbered(60, 1), 1024, 8);
    asks.request_timestamp();
    check_refused(fake, std::move(asks), tx_refusal::no_headroom);
    CHECK(send_one(*fake.port, packet_of(fake.pool(), numbered(60, 1), 1024, 24)));
    CHECK(fake.socket().statistics.tx_invalid_descriptors == 0);
    fake.close_and_check();
}

TEST_CASE("software checksums are refused over several pieces, where the kernel gets them wrong") {
    fake_port fake({}, asking(true), {.mtu_bytes = 9000});
    auto pieces = packet_of(fake.pool(), numbered(3000, 1));
    pieces.request_checksum(34, 6);
    check_refused(fake, std::move(pieces), tx_refusal::not_offered);
    auto one = packet_of(fake.pool(), numbered(60, 1));
    one.request_checksum(34, 6);
    CHECK(send_one(*fake.port, std::move(one)));
    fake.close_and_check();
}

TEST_CASE("a frame that others hold is not written: the head is copied first, and counted") {
    for (const bool software : {true, false}) {
        fake_port fake({}, asking(software));
        auto p = packet_of(fake.pool(), numbered(1000, 1));
        const auto before = p.front();
        auto& area = fake.pool().area();
        std::fill_n(area.data(before.frame) + before.offset - 24, 24, std::byte{0x77});
        const auto twin = p.share();
        p.request_checksum(34, 6);
        CHECK(send_one(*fake.port, std::move(p)));
        CHECK(area.data(before.frame)[before.offset - 1] == std::byte{0x77});
        CHECK(area.data(before.frame)[before.offset - 24] == std::byte{0x77});
        CHECK(fake.pool().copied_bytes() == (software ? 1000 : 128));
        CHECK(fake.socket().wire.at(0) == numbered(1000, 1));
        CHECK(bytes_of(twin) == numbered(1000, 1));
    }
}

TEST_CASE("where no frame is free to copy the head to, the packet comes back and may go later") {
    fake_port fake({}, asking());
    auto p = packet_of(fake.pool(), numbered(60, 1));
    auto twin = p.share();
    std::vector<frame_id> all(fake.pool().free_frames());
    REQUIRE(fake.pool().take(all) == all.size());
    p.request_timestamp();
    burst packets;
    burst refused;
    packets.push_back(std::move(p));
    CHECK(fake.port->send(packets, &refused) == 0);
    CHECK(count(*fake.port, tx_refusal::no_free_frame) == 1);
    REQUIRE(refused.size() == 1);
    twin.clear();
    CHECK(fake.port->send(refused) == 1);
    for (const auto frame : all)
        fake.pool().give(frame);
    fake.close_and_check();
}
