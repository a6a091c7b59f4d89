// SPDX-License-Identifier: Apache-2.0
// Metadata on a real veth: what arrives in front of received packets, and what the kernel makes of
// what sent packets ask for.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <vector>

#include <skein/checksum.hpp>
#include <skein/rx_metadata.hpp>
#include <skein/wire/ipv4.hpp>
#include <skein/xsk/port.hpp>

#include "support/catch.hpp"
#include "support/network_namespace.hpp"

using namespace skein;
using namespace skein::test;
using namespace skein::xsk;

namespace {

constexpr std::uint16_t port_number = 9000;
constexpr std::size_t udp_at = 34;  // behind Ethernet and IPv4 headers

// "cable" is a port's, "cablep" a host's with an address; no kernel traffic of its own.
class host_on_a_cable {
  public:
    host_on_a_cable() {
        space_.add_veth("cable");
        for (const char* end : {"cable", "cablep"})
            space_.run(std::string("sysctl -w net.ipv6.conf.") + end + ".disable_ipv6=1");
        space_.run("ip link set cablep address 02:00:00:00:00:01");
        space_.raise_veth("cable");
        space_.run("ip address add 10.8.0.1/24 dev cablep");
        space_.run("ip neigh add 10.8.0.2 lladdr 02:00:00:00:00:02 dev cablep");
        fd_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const auto here = address(0x0a080001);
        REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0);
        // Connected, so that the socket gives its packets a layer 4 hash.
        const auto there = address(0x0a080002);
        REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0);
    }
    host_on_a_cable(const host_on_a_cable&) = delete;
    host_on_a_cable& operator=(const host_on_a_cable&) = delete;
    ~host_on_a_cable() { ::close(fd_); }

    void send(std::size_t bytes, int piece_bytes = 0) const {
        constexpr int udp_segment = 103;  // UDP_SEGMENT, since Linux 4.18
        REQUIRE(::setsockopt(fd_, SOL_UDP, udp_segment, &piece_bytes, sizeof piece_bytes) == 0);
        const std::vector<char> data(bytes, 'x');
        REQUIRE(::send(fd_, data.data(), bytes, 0) == static_cast<ssize_t>(bytes));
    }

    bool receives() const {
        pollfd wait{.fd = fd_, .events = POLLIN, .revents = 0};
        std::array<char, 2048> data{};
        return ::poll(&wait, 1, 300) == 1 && ::recv(fd_, data.data(), data.size(), 0) > 0;
    }

  private:
    static constexpr int SOL_UDP = 17;
    static sockaddr_in address(std::uint32_t host) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port_number);
        to.sin_addr.s_addr = htonl(host);
        return to;
    }

    network_namespace space_;
    int fd_ = -1;
};

port_options with_rx_metadata(xdp_mode mode, choice wish) {
    port_options options{.interface = "cable"};
    options.program.mode = mode;
    options.program.rx_metadata = wish;
    return options;
}

void receive_all(port& from, burst& packets) {
    while (from.wait(std::chrono::milliseconds{200}) && !packets.full())
        from.receive(packets);
}

// A UDP datagram to the host whose checksum field holds the pseudo header's sum alone.
packet partial_datagram(frame_pool& pool, std::uint16_t offset = 256) {
    std::array<std::byte, 80> bytes{};
    const auto put = [&](std::size_t at, std::initializer_list<unsigned> values) {
        for (const auto value : values)
            bytes[at++] = static_cast<std::byte>(value);
    };
    put(0, {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0});
    put(14, {0x45, 0, 0, 66, 0, 0, 0, 0, 64, 17, 0, 0, 10, 8, 0, 2, 10, 8, 0, 1});
    put(udp_at, {port_number >> 8, port_number & 255, port_number >> 8, port_number & 255, 0, 46});
    const unsigned ip_sum = internet_sum(std::span(bytes).subspan(14, 20)).finish();
    put(24, {ip_sum >> 8, ip_sum & 255});
    const auto ip = wire::ipv4_view::check(std::span<const std::byte>(bytes).subspan(14));
    REQUIRE(ip);
    const unsigned pseudo =
        pseudo_header_sum(ip->source(), ip->destination(), wire::ip_protocol::udp, 46).fold();
    put(udp_at + 6, {pseudo >> 8, pseudo & 255});
    frame_id frame{};
    REQUIRE(pool.take({&frame, 1}) == 1);
    const segment piece{frame, offset, bytes.size()};
    std::copy(bytes.begin(), bytes.end(), pool.area().bytes(piece).begin());
    return packet(pool, piece);
}

port_options sender(bool software_checksum = false) {
    return {.interface = "cable",
            .receives = false,
            .tx_metadata = choice::automatic,
            .tx_software_checksum = software_checksum};
}

bool send_one(port& from, packet p) {
    burst packets;
    packets.push_back(std::move(p));
    const bool sent = from.send(packets) == 1;
    from.flush();
    return sent;
}

}  // namespace

TEST_CASE("in native mode a device tells the hash of a packet, and no time or tag it has not") {
    const host_on_a_cable host;
    port receiver(with_rx_metadata(xdp_mode::native, choice::automatic));
    if (receiver.program()->attached().metadata == metadata_kind::none)
        return skip("this kernel has no RX metadata");
    CHECK_THAT(receiver.description(), Catch::Contains("RX metadata from the device"));
    host.send(100);
    burst packets;
    receive_all(receiver, packets);
    REQUIRE(packets.size() == 1);
    const auto metadata = rx_metadata::of(packets[0]);
    REQUIRE(metadata);
    REQUIRE(metadata->hash());
    CHECK((metadata->hash()->type & rx_hash::over_ports) != 0);
    CHECK(metadata->hash()->value != 0);
    CHECK_FALSE(metadata->timestamp_ns());
    CHECK_FALSE(metadata->vlan_tag());
    CHECK_FALSE(metadata->segments());
    packets.clear();
}

TEST_CASE("every frame used again has its own packet's metadata") {
    const host_on_a_cable host;
    auto options = with_rx_metadata(xdp_mode::native, choice::automatic);
    options.memory.frames = 16;
    port receiver(options);
    if (receiver.program()->attached().metadata == metadata_kind::none)
        return skip("this kernel has no RX metadata");
    std::size_t seen = 0;
    for (int round = 0; round < 20; ++round) {
        host.send(100);
        burst packets;
        receive_all(receiver, packets);
        for (const auto& p : packets)
            seen += rx_metadata::of(p) ? 1 : 0;
        packets.clear();
    }
    CHECK(seen == 20);
}

TEST_CASE("in generic mode the size of a super packet's pieces is told, and nothing of a device") {
    const host_on_a_cable host;
    port receiver(with_rx_metadata(xdp_mode::generic, choice::automatic));
    if (receiver.program()->attached().metadata == metadata_kind::none)
        return skip("this kernel tells nothing in generic mode");
    host.send(12000, 1200);
    host.send(100);
    burst packets;
    receive_all(receiver, packets);
    REQUIRE(packets.size() == 2);
    const auto train = rx_metadata::of(packets[0]);
    REQUIRE(train);
    REQUIRE(train->segments());
    CHECK(train->segments()->size_bytes == 1200);
    CHECK(train->segments()->count == 10);
    CHECK_FALSE(train->hash());
    const auto single = rx_metadata::of(packets[1]);
    REQUIRE(single);
    CHECK_FALSE(single->segments());
    packets.clear();
}

TEST_CASE("metadata that was not asked for is not there") {
    const host_on_a_cable host;
    port receiver({.interface = "cable"});
    host.send(100);
    burst packets;
    receive_all(receiver, packets);
    REQUIRE(packets.size() == 1);
    CHECK_FALSE(rx_metadata::of(packets[0]));
    packets.clear();
}

TEST_CASE("metadata required in generic mode is refused, and nothing stays attached") {
    const host_on_a_cable host;
    CHECK_THROWS_WITH(port(with_rx_metadata(xdp_mode::generic, choice::required)),
                      Catch::Contains("in generic mode no device is asked"));
    CHECK(attached_programs("cable").empty());
}

TEST_CASE("metadata through libxdp is negotiated away, and refused where required") {
    const host_on_a_cable host;
    auto options = with_rx_metadata(xdp_mode::native, choice::automatic);
    options.program.method = attach_method::dispatcher;
    {
        const port receiver(options);
        CHECK(receiver.program()->attached().metadata == metadata_kind::none);
        CHECK_THAT(to_string(receiver.program()->attached()), Catch::Contains("no RX metadata"));
    }
    options.program.rx_metadata = choice::required;
    CHECK_THROWS_AS(port(options), setup_error);
}

TEST_CASE("the kernel receives a datagram whose checksum was left to the device") {
    const host_on_a_cable host;
    port from(sender());
    if (!from.bound().tx_metadata.checksum) return skip("this kernel has no TX metadata");
    CHECK(send_one(from, partial_datagram(from.pool())));  // nothing asked for: a bad checksum
    CHECK_FALSE(host.receives());
    auto p = partial_datagram(from.pool());
    p.request_checksum(udp_at, 6);
    CHECK(send_one(from, std::move(p)));
    CHECK(host.receives());
}

TEST_CASE("with software checksums any receiver sees a whole one, without only the request's") {
    for (const bool software : {true, false}) {
        const network_namespace space;
        space.add_veth("cable");
        for (const char* end : {"cable", "cablep"})
            space.run(std::string("sysctl -w net.ipv6.conf.") + end + ".disable_ipv6=1");
        space.raise_veth("cable");
        port receiver({.interface = "cablep"});
        port from(sender(software));
        if (!from.bound().tx_metadata.checksum) return skip("this kernel has no TX metadata");
        auto p = partial_datagram(from.pool());
        p.request_checksum(udp_at, 6);
        CHECK(send_one(from, std::move(p)));
        burst packets;
        receive_all(receiver, packets);
        REQUIRE(packets.size() == 1);
        const auto head = packets[0].head();
        const auto ip = wire::ipv4_view::check(head.subspan(14));
        REQUIRE(ip);
        auto sum = pseudo_header_sum(ip->source(), ip->destination(), wire::ip_protocol::udp, 46);
        sum.add(head.subspan(udp_at));
        CHECK(sum.is_valid() == software);
        packets.clear();
    }
}

TEST_CASE("the time at which a packet was sent comes with its completion") {
    const host_on_a_cable host;
    port from(sender());
    if (!from.bound().tx_metadata.timestamp) return skip("this kernel has no TX timestamps");
    auto p = partial_datagram(from.pool());
    p.request_checksum(udp_at, 6);
    p.request_timestamp();
    p.timestamp_ns = 4711;
    const auto frame = p.front().frame;
    CHECK(send_one(from, std::move(p)));
    CHECK(host.receives());
    for (int i = 0; i < 100 && from.under_way() != 0; ++i) {
        from.recycle();
        ::usleep(1000);
    }
    std::array<tx_timestamp, 4> times{};
    REQUIRE(from.take_timestamps(times) == 1);
    timespec now{};
    ::clock_gettime(CLOCK_TAI, &now);
    const auto now_ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
                        static_cast<std::uint64_t>(now.tv_nsec);
    CHECK(times[0].packet_ns == 4711);
    CHECK(times[0].frame == frame);
    CHECK(times[0].sent_ns <= now_ns);
    CHECK(now_ns - times[0].sent_ns < 10'000'000'000u);
}

TEST_CASE("what the kernel would choke on is refused, and the packets behind it are sent") {
    const host_on_a_cable host;
    port from(sender());
    if (!from.bound().tx_metadata.checksum) return skip("this kernel has no TX metadata");
    burst packets;
    packets.push_back(partial_datagram(from.pool(), 16));  // 24 bytes are needed below the data
    auto outside = partial_datagram(from.pool());
    outside.request_checksum(79, 6);
    packets.push_back(std::move(outside));
    auto good = partial_datagram(from.pool(), 24);
    good.request_checksum(udp_at, 6);
    packets.push_back(std::move(good));
    CHECK(from.send(packets) == 1);
    from.flush();
    CHECK(host.receives());
    CHECK(from.counters().refused[static_cast<std::size_t>(tx_refusal::no_headroom)].value() == 1);
    CHECK(from.counters().refused[static_cast<std::size_t>(tx_refusal::checksum_outside)].value() ==
          1);
    CHECK(from.status() == port_status::ready);
    CHECK(from.kernel_statistics().tx_invalid_descriptors == 0);
}
