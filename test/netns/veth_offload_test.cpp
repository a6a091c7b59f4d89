// SPDX-License-Identifier: Apache-2.0
// What a port on a veth receives from a kernel that leaves work to offloads: checksums of the
// pseudo header alone, and super packets.
#include <arpa/inet.h>
#include <netinet/udp.h>

#include <vector>

#include <skein/checksum.hpp>
#include <skein/wire/ethernet.hpp>
#include <skein/wire/ipv4.hpp>
#include <skein/wire/udp.hpp>
#include <skein/xsk/port.hpp>

#include "support/catch.hpp"
#include "support/network_namespace.hpp"

using namespace skein;
using namespace skein::test;
using namespace skein::xsk;

namespace {

// A cable whose far end "cablep" is a host, and whose near end "cable" a port's.
class host_on_a_cable {
  public:
    explicit host_on_a_cable(const std::string& offload) {
        space_.add_veth("cable");
        space_.run("ethtool -K cablep tx " + offload + " 2>&1");
        for (const char* end : {"cable", "cablep"}) {
            space_.run(std::string("sysctl -w net.ipv6.conf.") + end + ".disable_ipv6=1");
        }
        space_.raise_veth("cable");
        space_.run("ip address add 10.8.0.1/24 dev cablep");
        space_.run("ip neigh add 10.8.0.2 lladdr 02:00:00:00:00:02 dev cablep");
    }

    // One call: a datagram, or, with a piece size, a train of them (UDP_SEGMENT).
    void send(std::size_t bytes, int piece_bytes = 0) const {
        const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        REQUIRE(fd >= 0);
        if (piece_bytes != 0) {
            constexpr int udp_segment = 103;  // UDP_SEGMENT, since Linux 4.18
            REQUIRE(::setsockopt(fd, SOL_UDP, udp_segment, &piece_bytes, sizeof piece_bytes) == 0);
        }
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(9);
        to.sin_addr.s_addr = htonl(0x0a080002);
        const std::vector<char> data(bytes, 'x');
        CHECK(::sendto(fd, data.data(), bytes, 0, reinterpret_cast<const sockaddr*>(&to),
                       sizeof to) == static_cast<ssize_t>(bytes));
        ::close(fd);
    }

  private:
    network_namespace space_;
};

port_options in_mode(xdp_mode mode) {
    port_options options{.interface = "cable"};
    options.program.mode = mode;
    return options;
}

// Everything that arrives until nothing does for a while.
void receive_all(port& from, burst& packets) {
    while (from.wait(std::chrono::milliseconds{200}) && !packets.full())
        from.receive(packets);
}

enum class udp_sum { whole, pseudo_header_only, wrong };

udp_sum udp_sum_of(const packet& p) {
    std::vector<std::byte> bytes(p.size_bytes());
    p.copy_to(bytes);
    const auto ip_bytes = std::span(bytes).subspan(wire::ethernet_view::size_bytes);
    const auto ip = wire::ipv4_view::check(ip_bytes);
    REQUIRE(ip);
    const auto datagram = ip_bytes.subspan(ip->header_length_bytes());
    const auto pseudo = pseudo_header_sum(ip->source(), ip->destination(), wire::ip_protocol::udp,
                                          static_cast<std::uint32_t>(datagram.size()));
    auto sum = pseudo;
    sum.add(datagram);
    if (sum.is_valid()) return udp_sum::whole;
    return wire::udp_view::check(datagram)->checksum() == pseudo.fold()
               ? udp_sum::pseudo_header_only
               : udp_sum::wrong;
}

}  // namespace

TEST_CASE("a host with checksum offload sends the pseudo header's sum alone") {
    const host_on_a_cable host("on");
    for (const auto mode : {xdp_mode::native, xdp_mode::generic}) {
        port receiver(in_mode(mode));
        host.send(1000);
        burst packets;
        receive_all(receiver, packets);
        REQUIRE(packets.size() == 1);
        CHECK(udp_sum_of(packets[0]) == udp_sum::pseudo_header_only);
        packets.clear();
        receiver.close();
    }
}

TEST_CASE("with the offload off the sum is whole") {
    const host_on_a_cable host("off");
    port receiver(in_mode(xdp_mode::native));
    host.send(1000);
    burst packets;
    receive_all(receiver, packets);
    REQUIRE(packets.size() == 1);
    CHECK(udp_sum_of(packets[0]) == udp_sum::whole);
    packets.clear();
}

TEST_CASE("native mode receives a train of datagrams one by one") {
    const host_on_a_cable host("on");
    port receiver(in_mode(xdp_mode::native));
    host.send(12000, 1200);
    burst packets;
    receive_all(receiver, packets);
    CHECK(packets.size() == 10);
    for (const auto& p : packets)
        CHECK(p.size_bytes() == 1242);
    packets.clear();
}

TEST_CASE("generic mode with scatter-gather receives the train as one packet in pieces") {
    const host_on_a_cable host("on");
    port receiver(in_mode(xdp_mode::generic));
    REQUIRE(receiver.bound().scatter_gather);
    host.send(12000, 1200);
    burst packets;
    receive_all(receiver, packets);
    REQUIRE(packets.size() == 1);
    CHECK(packets[0].size_bytes() == 12042);
    CHECK(packets[0].segment_count() == 4);
    packets.clear();
}

TEST_CASE("generic mode without scatter-gather loses the train and counts it") {
    const host_on_a_cable host("on");
    auto options = in_mode(xdp_mode::generic);
    options.scatter_gather = choice::forbidden;
    port receiver(options);
    host.send(12000, 1200);
    host.send(1000);
    burst packets;
    receive_all(receiver, packets);
    CHECK(packets.size() == 1);
    CHECK(receiver.kernel_statistics().rx_dropped == 1);
    packets.clear();
    receiver.close();
    CHECK(receiver.kernel_statistics().rx_dropped == 1);
}
