// SPDX-License-Identifier: Apache-2.0
// Writes the corpus of the parser's fuzz target: one file a packet, named after what it is.
//
//     make_parse_corpus DIRECTORY
//
// The first two bytes of a file are parse_fuzz.cpp's: link layer and options, seed of the cuts.
#include <filesystem>
#include <fstream>
#include <string>

#include "support/packet_builder.hpp"

using namespace skein;
using namespace skein::test;
using wire::ether_type;
using wire::ip_protocol;

namespace {

enum choice : std::uint8_t { ethernet = 0, ip = 1, sll = 4, sll2 = 5, loopback = 6, aggregate = 7 };

class corpus_writer {
  public:
    explicit corpus_writer(std::filesystem::path directory) : directory_(std::move(directory)) {
        std::filesystem::create_directories(directory_);
    }
    void write(const std::string& name, choice chosen, const packet_builder& builder) {
        bytes data{std::byte{chosen}, static_cast<std::byte>(++count_)};
        const bytes packet = builder.build();
        data.insert(data.end(), packet.begin(), packet.end());
        std::ofstream file(directory_ / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(data.data()),
                   static_cast<std::streamsize>(data.size()));
    }

  private:
    std::filesystem::path directory_;
    unsigned count_ = 0;
};

wire::tcp_header tcp_with_options() {
    wire::tcp_header header;
    header.options.append(wire::tcp_option_mss, from_hex("05b4"));
    header.options.append(wire::tcp_option_timestamps, bytes(8));
    header.options.append(wire::tcp_option_sack, bytes(8));
    return header;
}

wire::ipv4_header ipv4_with_options() {
    wire::ipv4_header header;
    header.options.append(wire::ipv4_option_router_alert, from_hex("0000"));
    header.options.append(wire::ipv4_option_record_route, bytes(9));
    return header;
}

void write_ethernet(corpus_writer& out) {
    out.write("ipv4_tcp", ethernet,
              packet_builder().ethernet().ipv4().tcp(tcp_with_options()).payload(9));
    out.write("ipv4_options_udp_padded", ethernet,
              packet_builder().ethernet().ipv4(ipv4_with_options()).udp().payload(2).pad_to(60));
    out.write("vlan_qinq_ipv6_udp", ethernet,
              packet_builder()
                  .ethernet()
                  .vlan(ether_type::qinq, {5})
                  .vlan(ether_type::vlan, {0xc064})
                  .ipv6()
                  .udp()
                  .payload(3));
    auto deep = packet_builder().ethernet();
    for (int i = 0; i < 9; ++i)
        deep.vlan(ether_type::vlan, {1});
    out.write("vlan_too_deep", ethernet, deep.ipv4().udp());
    out.write("arp", ethernet, packet_builder().ethernet().arp().pad_to(60));
    out.write("ipv4_sctp", ethernet,
              packet_builder().ethernet().ipv4().sctp().sctp_chunk(wire::sctp_chunk_type::data,
                                                                   pattern(17)));
    const bytes inner = packet_builder().ipv4().tcp().payload(40).build();
    out.write("icmp_quoting_tcp", ethernet,
              packet_builder()
                  .ethernet()
                  .ipv4()
                  .icmp({.type = wire::icmpv4_type::destination_unreachable, .code = 4})
                  .payload(std::span(inner).first(28)));
    out.write(
        "ipv4_first_fragment", ethernet,
        packet_builder().ethernet().ipv4({.fragment = {0x2000}}).udp().udp_length(999).payload(16));
    out.write("ipv4_last_fragment", ethernet,
              packet_builder().ethernet().ipv4({.fragment = {0x0003}}).payload(8).pad_to(60));
}

void write_ipv6(corpus_writer& out) {
    out.write("ipv6_chain_tcp", ethernet,
              packet_builder()
                  .ethernet()
                  .ipv6()
                  .extension(ip_protocol::hop_by_hop, from_hex("050200000100"))
                  .extension(ip_protocol::routing, bytes(14))
                  .extension(ip_protocol::ah, bytes(10))
                  .extension(ip_protocol::destination_options)
                  .tcp(tcp_with_options())
                  .payload(4));
    out.write("ipv6_first_fragment", ethernet,
              packet_builder()
                  .ethernet()
                  .ipv6()
                  .extension(ip_protocol::hop_by_hop)
                  .fragment({.fragment = {1}, .identification = 7})
                  .udp()
                  .udp_length(999)
                  .payload(16));
    out.write("ipv6_last_fragment", ethernet,
              packet_builder().ethernet().ipv6().fragment({.fragment = {0x18}}).payload(5));
    out.write("ipv6_atomic_fragment", ethernet,
              packet_builder().ethernet().ipv6().fragment({}).udp().payload(5));
    out.write("ipv6_jumbo_option_cut", ethernet,
              packet_builder().ethernet().ipv6().jumbo().tcp().payload(8).ip_length(0));
    out.write("icmpv6_echo", ip,
              packet_builder().ipv6().icmpv6(
                  wire::icmpv6_header::echo(wire::icmpv6_type::echo_request, 1, 2)));
}

void write_other_links(corpus_writer& out) {
    out.write("ipv4_zero_length", aggregate,
              packet_builder().ethernet().ipv4().ip_length(0).tcp().payload(20));
    out.write("ipv6_zero_length", aggregate,
              packet_builder().ethernet().ipv6().ip_length(0).tcp().payload(20));
    out.write("sll_ipv4_udp", sll, packet_builder().linux_sll().ipv4().udp());
    out.write("sll2_ipv6_udp", sll2, packet_builder().linux_sll2().ipv6().udp());
    out.write("loopback_ipv6_udp", loopback, packet_builder().loopback(30, true).ipv6().udp());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    corpus_writer out(argv[1]);
    write_ethernet(out);
    write_ipv6(out);
    write_other_links(out);
    return 0;
}
