// SPDX-License-Identifier: Apache-2.0
#include "tx_packet.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <skein/checksum.hpp>
#include <skein/wire/ethernet.hpp>
#include <skein/wire/ipv4.hpp>
#include <skein/wire/ipv6.hpp>
#include <skein/wire/udp.hpp>

#include "command.hpp"

namespace skein::tool {

namespace {

constexpr std::size_t largest_ip_bytes = 65535;

wire::mac_address mac_of(const std::string& text) {
    const auto address = wire::parse_mac(text);
    if (!address) {
        throw usage_failure(fmt::format("`{}` is no MAC address", text),
                            "write it as 02:00:00:00:00:01");
    }
    return *address;
}

// The shortest frame of Ethernet (without FCS) that holds the headers.
std::size_t size_of(const tx_packet_options& options, std::size_t headers) {
    constexpr std::size_t shortest = 60;
    return options.size_bytes != 0 ? options.size_bytes : std::max(shortest, headers);
}

void check_size(std::size_t size, std::size_t headers) {
    const auto largest = wire::ethernet_view::size_bytes + largest_ip_bytes;
    if (size >= headers && size <= largest) return;
    throw usage_failure(
        fmt::format("--size {} is out of range", size),
        fmt::format("choose {} to {} bytes (the FCS not counted)", headers, largest));
}

void fill_payload(std::span<std::byte> payload) {
    for (std::size_t i = 0; i < payload.size(); ++i)
        payload[i] = static_cast<std::byte>(i);
}

// Emits UDP behind `at` and completes its checksum.
template <class Address>
void emit_udp(std::span<std::byte> datagram, const tx_packet_options& options,
              const Address& source, const Address& destination) {
    const auto payload = datagram.size() - wire::udp_view::size_bytes;
    wire::udp_header{options.source_port, options.destination_port,
                     static_cast<std::uint16_t>(payload), 0}
        .emit(datagram);
    fill_payload(datagram.subspan(wire::udp_view::size_bytes));
    auto sum = pseudo_header_sum(source, destination, wire::ip_protocol::udp,
                                 static_cast<std::uint32_t>(datagram.size()));
    sum.add(datagram);
    wire::udp_mutable_view::check(datagram)->set_checksum(udp_checksum(sum.finish()));
}

template <class Header>
std::vector<std::byte> assemble(const tx_packet_options& options, wire::ether_type type,
                                Header header) {
    const auto ip_at = wire::ethernet_view::size_bytes;
    const auto udp_at = ip_at + header.size_bytes();
    const auto size = size_of(options, udp_at + wire::udp_view::size_bytes);
    check_size(size, udp_at + wire::udp_view::size_bytes);
    std::vector<std::byte> packet(size);
    const std::span bytes(packet);
    wire::ethernet_header{mac_of(options.destination_mac), mac_of(options.source_mac), type}.emit(
        bytes);
    header.payload_bytes = static_cast<std::uint32_t>(packet.size() - udp_at);
    header.emit(bytes.subspan(ip_at));
    emit_udp(bytes.subspan(udp_at), options, header.source, header.destination);
    return packet;
}

}  // namespace

std::vector<std::byte> make_tx_packet(const tx_packet_options& options) {
    const auto source4 = wire::parse_ipv4(options.source);
    const auto destination4 = wire::parse_ipv4(options.destination);
    if (source4 && destination4) {
        wire::ipv4_header header;
        header.source = *source4;
        header.destination = *destination4;
        return assemble(options, wire::ether_type::ipv4, header);
    }
    const auto source6 = wire::parse_ipv6(options.source);
    const auto destination6 = wire::parse_ipv6(options.destination);
    if (source6 && destination6) {
        wire::ipv6_header header;
        header.next_header = wire::ip_protocol::udp;
        header.source = *source6;
        header.destination = *destination6;
        return assemble(options, wire::ether_type::ipv6, header);
    }
    throw usage_failure(fmt::format("`{}` and `{}` are no two addresses of one family",
                                    options.source, options.destination),
                        "give two IPv4 or two IPv6 addresses to --src and --dst");
}

}  // namespace skein::tool
