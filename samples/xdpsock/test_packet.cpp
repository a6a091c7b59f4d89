// SPDX-License-Identifier: Apache-2.0
#include "test_packet.hpp"

#include <algorithm>
#include <array>

#include <skein/checksum.hpp>
#include <skein/wire/ethernet.hpp>
#include <skein/wire/ipv4.hpp>
#include <skein/wire/udp.hpp>
#include <skein/wire/vlan.hpp>

namespace xdpsock {

namespace {

namespace wire = skein::wire;
using skein::store_be;

constexpr std::uint32_t fcs_bytes = 4;
constexpr std::uint16_t port = 0x1000;
const wire::ipv4_address from{0x0a0a0a10};
const wire::ipv4_address to{0x0a0a0a20};

// The kernel's pktgen begins its payload so: magic, number, seconds, microseconds.
constexpr std::uint32_t stamp_magic = 0xbe9be955;
constexpr std::size_t stamp_bytes = 16;

std::size_t ethernet_bytes(const options& given) {
    return wire::ethernet_view::size_bytes + (given.vlan ? wire::vlan_view::size_bytes : 0);
}

// A stamp makes the packet as long as it takes.
std::size_t size_of(const options& given, std::size_t headers) {
    const std::size_t wanted = given.packet_bytes - fcs_bytes;
    return std::max(wanted, headers + (given.timestamps ? stamp_bytes : 0));
}

void emit_ethernet(std::span<std::byte> bytes, const options& given) {
    const auto type = given.vlan ? wire::ether_type::vlan : wire::ether_type::ipv4;
    auto at = wire::ethernet_header{given.destination, given.source, type}.emit(bytes);
    if (!given.vlan) return;
    const auto tci = wire::vlan_tci{}.with_vid(given.vlan_id).with_pcp(given.vlan_priority);
    store_be(bytes.data() + at, tci.word);
    store_be(bytes.data() + at + 2, wire::number(wire::ether_type::ipv4));
}

void fill(std::span<std::byte> payload, std::uint32_t pattern) {
    std::array<std::byte, 4> word{};
    store_be(word.data(), pattern);
    for (std::size_t i = 0; i < payload.size(); ++i)
        payload[i] = word[i % word.size()];
}

}  // namespace

test_packet::test_packet(const options& given)
    : udp_at_(ethernet_bytes(given) + wire::ipv4_view::min_bytes) {
    const auto payload_at = udp_at_ + wire::udp_view::size_bytes;
    bytes_.resize(size_of(given, payload_at));
    const std::span all(bytes_);
    const auto datagram = all.subspan(udp_at_);
    const auto payload = all.subspan(payload_at);

    emit_ethernet(all, given);
    wire::ipv4_header ip;
    ip.payload_bytes = static_cast<std::uint32_t>(datagram.size());
    ip.source = from;
    ip.destination = to;
    ip.emit(all.subspan(ethernet_bytes(given)));
    wire::udp_header{port, port, static_cast<std::uint16_t>(payload.size()), 0}.emit(datagram);
    fill(payload.subspan(given.timestamps ? stamp_bytes : 0), given.pattern);
    if (given.timestamps) store_be(payload.data(), stamp_magic);

    auto sum = skein::pseudo_header_sum(from, to, wire::ip_protocol::udp,
                                        static_cast<std::uint32_t>(datagram.size()));
    sum.add(datagram);
    wire::udp_mutable_view::check(datagram)->set_checksum(skein::udp_checksum(sum.finish()));
}

// All that is 0 in the packet itself, whose checksum is the base for the change.
void test_packet::stamp(std::span<std::byte> copy, std::uint32_t number,
                        std::uint64_t time_ns) const {
    constexpr std::uint64_t ns_per_second = 1'000'000'000;
    const std::array words{number, static_cast<std::uint32_t>(time_ns / ns_per_second),
                           static_cast<std::uint32_t>(time_ns % ns_per_second / 1000)};
    const auto datagram = copy.subspan(udp_at_);
    skein::checksum_delta change;
    auto* at = datagram.data() + wire::udp_view::size_bytes + sizeof stamp_magic;
    for (const auto word : words) {
        store_be(at, word);
        change.replace32(0, word);
        at += sizeof word;
    }
    const auto base = wire::udp_view::check(std::span(bytes_).subspan(udp_at_))->checksum();
    wire::udp_mutable_view::check(datagram)->set_checksum(change.apply_udp(base));
}

}  // namespace xdpsock
