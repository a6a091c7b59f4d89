// SPDX-License-Identifier: Apache-2.0
// Fuzz target of parse_packet. The first byte chooses link layer and options, the second seeds how
// the rest is cut into pieces; the rest is the packet.
//
// Invariants: what is found lies inside the packet and views over it can be made and read; a packet
// in pieces parses like the same one in one piece; what an ICMP error quotes parses safely too.
#include <skein/parse.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "support/parse_invariants.hpp"
#include "support/split_source.hpp"

using namespace skein;
using namespace skein::test;

namespace {

constexpr std::array link_layers{
    link_layer::ethernet,  link_layer::ip,         link_layer::ipv4,     link_layer::ipv6,
    link_layer::linux_sll, link_layer::linux_sll2, link_layer::loopback,
};

void require(std::string_view violated) {
    if (violated.empty()) return;
    std::fprintf(stderr, "violated: %.*s\n", static_cast<int>(violated.size()), violated.data());
    std::abort();
}

void check_quoted(std::span<const std::byte> packet, const parsed_headers& outer) {
    const auto quote = packet.subspan(outer.payload_offset, outer.payload_bytes);
    const contiguous_source whole(packet);
    const sub_source window(whole, outer.payload_offset, outer.payload_bytes);
    const auto found = parse_packet(window, link_layer::ip, {.quoted = true});
    require(violated_invariant(quote, found));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const auto every_option = every_parse_option();
    const link_layer link = link_layers[data[0] % link_layers.size()];
    const parse_options options = every_option[data[0] / link_layers.size() % every_option.size()];
    const std::vector<std::byte> packet(reinterpret_cast<const std::byte*>(data + 2),
                                        reinterpret_cast<const std::byte*>(data + size));
    const auto found = parse_packet(contiguous_source(packet), link, options);
    require(violated_invariant(packet, found));
    random_numbers random(data[1]);
    const split_source split(packet, random_cuts(random, packet.size(), 8));
    if (parse_packet(split, link, options) != found) require("split and whole parse alike");
    if (found.is_ok() && found.is_ip()) check_quoted(packet, found);
    return 0;
}
