// SPDX-License-Identifier: Apache-2.0
// A small host in one coroutine: answers ARP and neighbour questions, ping, and UDP to one port by
// sending it back, over IPv4 and IPv6, until Ctrl-C:
//
//     echo veth0 --address 192.0.2.7 --address 2001:db8::7 [--port 7] [--queue 0]
//          [--mode native|generic] [--duration SECONDS] [--count ANSWERS]
//
// The addresses must not be the kernel's own. The XDP program takes what is asked of them, and
// every ARP packet of the interface; the rest goes to the kernel. Datagrams in fragments, with IP
// options or extension headers, and those with a wrong checksum get no answer; nor do those from
// the echo port itself and from ports below 1024, where others answer of their own accord: two that
// do would talk for ever. (Two of these on high ports still can: give them the same.)
//
// Answers are made in the frame that brought the question. Exchanging source and destination leaves
// checksums as they are, other changes are added to them. A sender on this machine may have left
// the sum to an offload, with only the pseudo header's in the field: that one is completed.
#include <skein/xsk/asio.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <skein/checksum.hpp>
#include <skein/parse.hpp>
#include <skein/wire/wire.hpp>

namespace {

namespace asio = boost::asio;
namespace wire = skein::wire;
namespace xsk = skein::xsk;
using skein::packet;
using skein::parsed_headers;
using wire::ip_protocol;

struct host {
    std::string interface = {};
    wire::mac_address mac = {};
    std::vector<wire::ipv4_address> ipv4 = {};
    std::vector<wire::ipv6_address> ipv6 = {};
    std::uint16_t port = 7;
    std::uint32_t queue = 0;
    xsk::xdp_mode mode = xsk::xdp_mode::any;
    std::chrono::seconds duration = std::chrono::hours{24 * 365};
    std::uint64_t count = ~std::uint64_t{0};

    bool has(const wire::ipv4_address& a) const { return std::ranges::count(ipv4, a) != 0; }
    bool has(const wire::ipv6_address& a) const { return std::ranges::count(ipv6, a) != 0; }
};

// Whom nobody can be: no address at all (but see answer_neighbour), this host, loopback, groups,
// reserved ones (RFC 6890).
bool is_plausible(const wire::ipv4_address& from, const host& here) {
    const auto network = from.value() >> 24;
    return network != 0 && network != 127 && network < 224 && !here.has(from);
}
bool is_plausible(const wire::ipv6_address& from, const host& here) {
    return !from.is_multicast() && from != wire::ipv6_address() &&
           from != *wire::parse_ipv6("::1") && !here.has(from);
}

constexpr std::uint16_t first_user_port = 1024;
constexpr std::uint8_t hop_limit = 64;
constexpr std::uint8_t neighbour_hop_limit = 255;  // RFC 4861 §7.1.1

// --- checksums -----------------------------------------------------------------------------------

skein::internet_sum sum_of(const packet& p, std::size_t offset, std::size_t bytes) {
    skein::internet_sum sum;
    for (const auto& piece : p) {
        const auto skipped = std::min<std::size_t>(offset, piece.length);
        const auto found = p.pool()->area().bytes(piece).subspan(skipped);
        sum.add(found.first(std::min(bytes, found.size())));
        offset -= skipped;
        bytes -= std::min(bytes, found.size());
    }
    return sum;
}

template <class Address>
skein::internet_sum pseudo_sum(const Address& from, const Address& to, const parsed_headers& h) {
    return skein::pseudo_header_sum(from, to, h.protocol, h.ip_bytes - h.l3_bytes);
}

// --- answers: true if the packet has become one --------------------------------------------------

bool answer_arp(packet& p, const parsed_headers& h, const host& here) {
    const auto bytes = p.make_writable(h.l3_offset + 28);
    if (bytes.empty()) return false;
    const auto question = wire::arp_view::check(bytes.subspan(h.l3_offset));
    if (!question || question->operation() != wire::arp_operation::request) return false;
    if (!here.has(question->target_ip()) || here.has(question->sender_ip())) return false;
    if (question->sender_mac().is_group()) return false;
    const wire::arp_packet reply{.operation = wire::arp_operation::reply,
                                 .sender_mac = here.mac,
                                 .sender_ip = question->target_ip(),
                                 .target_mac = question->sender_mac(),
                                 .target_ip = question->sender_ip()};
    reply.emit(bytes.subspan(h.l3_offset));
    const auto ethernet = wire::ethernet_mutable_view::check(bytes);
    ethernet->set_destination(reply.target_mac);
    ethernet->set_source(here.mac);
    return true;
}

// RFC 4861 §4.4: a neighbour advertisement in a frame of its own; the question may be too short.
bool advertise(packet& p, const parsed_headers& h, const wire::ipv6_address& target,
               const wire::ipv6_address& to, const wire::mac_address& to_mac, const host& here) {
    constexpr std::size_t message_bytes = 32;  // header, flags, target, one option
    const auto size = h.l3_offset + 40 + message_bytes;
    skein::frame_id frame{};
    if (p.pool()->take({&frame, 1}) != 1) return false;
    const skein::segment place{frame, 256, static_cast<std::uint16_t>(size)};
    const auto bytes = p.pool()->area().bytes(place);
    p.copy_to(bytes.first(h.l3_offset));  // with its VLAN tags
    const auto ethernet = wire::ethernet_mutable_view::check(bytes);
    ethernet->set_destination(to_mac);
    ethernet->set_source(here.mac);
    wire::ipv6_header{.payload_bytes = message_bytes,
                      .next_header = ip_protocol::icmpv6,
                      .hop_limit = neighbour_hop_limit,
                      .source = target,
                      .destination = to}
        .emit(bytes.subspan(h.l3_offset));
    const auto message = bytes.subspan(h.l3_offset + 40);
    const std::uint32_t flags = to.is_multicast() ? 0x20000000 : 0x60000000;  // override, solicited
    wire::icmpv6_header{.type = wire::icmpv6_type::neighbour_advertisement, .rest = flags}.emit(
        message);
    target.store(message.data() + 8);
    message[24] = std::byte{2};  // target link-layer address, 8 bytes
    message[25] = std::byte{1};
    here.mac.store(message.data() + 26);
    auto sum = skein::pseudo_header_sum(target, to, ip_protocol::icmpv6, message_bytes);
    sum.add(message);
    wire::icmpv6_mutable_view::check(message)->set_checksum(sum.finish());
    p.assign(*p.pool(), place);
    return true;
}

// RFC 4861 §7.1.1: every option has a length, and who has no address yet tells no MAC address.
bool has_valid_options(const packet& p, const parsed_headers& h, bool source_is_known) {
    constexpr std::uint8_t source_link_layer_address = 1;
    const auto end = h.l3_offset + h.ip_bytes;
    for (auto at = std::size_t{h.l4_offset} + 24; at < end;) {
        std::array<std::byte, 2> scratch{};
        const auto* option = p.peek(at, 2, scratch.data());
        if (option == nullptr || at + 2 > end || option[1] == std::byte{0}) return false;
        if (option[0] == std::byte{source_link_layer_address} && !source_is_known) return false;
        at += std::to_integer<std::size_t>(option[1]) * 8;
        if (at > end) return false;
    }
    return true;
}

bool answer_neighbour(packet& p, const parsed_headers& h, const wire::ipv6_view& ip,
                      const wire::mac_address& from_mac, const host& here) {
    std::array<std::byte, 16> scratch{};
    const auto* target_at = p.peek(h.l4_offset + 8, 16, scratch.data());
    if (target_at == nullptr || h.ip_bytes - h.l3_bytes < 24) return false;
    const bool source_is_known = ip.source() != wire::ipv6_address();
    if (ip.hop_limit() != neighbour_hop_limit || !has_valid_options(p, h, source_is_known))
        return false;
    const wire::ipv6_address target = wire::ipv6_address::load(target_at);
    if (!here.has(target)) return false;
    if (source_is_known) {
        if (!is_plausible(ip.source(), here)) return false;
        return advertise(p, h, target, ip.source(), from_mac, here);
    }
    // Whoever looks for duplicates has no address yet: all nodes hear the answer (RFC 4862 §5.4).
    if (!ip.destination().is_multicast()) return false;
    return advertise(p, h, target, *wire::parse_ipv6("ff02::1"),
                     *wire::parse_mac("33:33:00:00:00:01"), here);
}

bool turn_udp(std::span<std::byte> header, const skein::internet_sum& pseudo,
              const skein::internet_sum& data, const parsed_headers& h, const host& here) {
    const auto udp = wire::udp_mutable_view::check(header);
    const bool none = udp->checksum() == 0;
    if (none && h.l3 == skein::l3_kind::ipv6) return false;
    if (udp->length_bytes() != h.ip_bytes - h.l3_bytes) return false;
    const auto from = udp->source_port();
    if (udp->destination_port() != here.port || from == here.port) return false;
    if (from < first_user_port) return false;
    auto whole = pseudo;
    whole.append(data);
    if (!none && !whole.is_valid()) {
        if (udp->checksum() != pseudo.fold()) return false;
        // data holds the pseudo header's sum where the checksum belongs: the sum of both is right.
        udp->set_checksum(skein::udp_checksum(data.finish()));
    }
    udp->set_source_port(here.port);
    udp->set_destination_port(from);
    return true;
}

// What both families do, behind their headers. `bytes` are those up to the end of the transport's.
template <class Ip, class Icmp, class Type>
bool turn_around(packet& p, const parsed_headers& h, std::span<std::byte> bytes, const Ip& ip,
                 Type request, Type reply, const host& here) {
    const auto ethernet = wire::ethernet_mutable_view::check(bytes);
    if (ethernet->destination() != here.mac) return false;
    const auto message = bytes.subspan(h.l4_offset);
    const auto pseudo = pseudo_sum(ip.source(), ip.destination(), h);
    const auto data = sum_of(p, h.l4_offset, h.ip_bytes - h.l3_bytes);
    if (h.protocol == ip_protocol::udp) {
        if (!turn_udp(message, pseudo, data, h, here)) return false;
    } else {
        const auto icmp = Icmp::check(message);
        auto whole = h.l3 == skein::l3_kind::ipv6 ? pseudo : skein::internet_sum();
        whole.append(data);
        if (icmp->type() != request || icmp->code() != 0 || !whole.is_valid()) return false;
        icmp->set_type(reply);
        const auto word = [](Type type) {
            return static_cast<std::uint16_t>(wire::number(type) << 8);
        };
        icmp->set_checksum(skein::update_checksum(icmp->checksum(), word(request), word(reply)));
    }
    const auto from = ip.source();
    ip.set_source(ip.destination());
    ip.set_destination(from);
    ethernet->set_destination(ethernet->source());
    ethernet->set_source(here.mac);
    return true;
}

bool answer_ipv4(packet& p, const parsed_headers& h, const host& here) {
    const auto bytes = p.make_writable(h.l4_offset + 8);
    if (bytes.empty() || h.l3_bytes != wire::ipv4_view::min_bytes) return false;
    const auto ip = wire::ipv4_mutable_view::check(bytes.subspan(h.l3_offset));
    if (!here.has(ip->destination()) || !is_plausible(ip->source(), here)) return false;
    if (!skein::internet_sum(bytes.subspan(h.l3_offset, 20)).is_valid()) return false;
    if (!turn_around<wire::ipv4_mutable_view, wire::icmpv4_mutable_view>(
            p, h, bytes, *ip, wire::icmpv4_type::echo_request, wire::icmpv4_type::echo_reply, here))
        return false;
    const auto protocol = wire::number(ip->protocol());
    const auto word = [&](std::uint8_t ttl) {
        return static_cast<std::uint16_t>(ttl << 8 | protocol);
    };
    ip->set_checksum(skein::update_checksum(ip->checksum(), word(ip->ttl()), word(hop_limit)));
    ip->set_ttl(hop_limit);
    return true;
}

bool answer_ipv6(packet& p, const parsed_headers& h, const wire::mac_address& from_mac,
                 const host& here) {
    const auto bytes = p.make_writable(h.l4_offset + 8);
    if (bytes.empty() || h.l3_bytes != wire::ipv6_view::size_bytes) return false;
    const auto ip = wire::ipv6_mutable_view::check(bytes.subspan(h.l3_offset));
    if (h.protocol == ip_protocol::icmpv6) {
        const auto icmp = wire::icmpv6_view::check(bytes.subspan(h.l4_offset));
        auto sum = pseudo_sum(ip->source(), ip->destination(), h);
        sum.append(sum_of(p, h.l4_offset, h.ip_bytes - h.l3_bytes));
        if (!sum.is_valid()) return false;
        if (icmp->type() == wire::icmpv6_type::neighbour_solicitation && icmp->code() == 0)
            return answer_neighbour(p, h, *ip, from_mac, here);
    }
    if (!here.has(ip->destination()) || !is_plausible(ip->source(), here)) return false;
    if (!turn_around<wire::ipv6_mutable_view, wire::icmpv6_mutable_view>(
            p, h, bytes, *ip, wire::icmpv6_type::echo_request, wire::icmpv6_type::echo_reply, here))
        return false;
    ip->set_hop_limit(hop_limit);
    return true;
}

bool answer(packet& p, const host& here) {
    const auto h = skein::parse_packet(p, skein::link_layer::ethernet);
    const auto ethernet = wire::ethernet_view::check(p.head());
    if (!h.is_ok() || !ethernet || h.fragment.is_fragment) return false;
    if (ethernet->destination() != here.mac && !ethernet->destination().is_group()) return false;
    if (ethernet->source().is_group() || ethernet->source() == here.mac) return false;
    if (h.l3 == skein::l3_kind::arp) return answer_arp(p, h, here);
    const bool ping = h.protocol == ip_protocol::icmp || h.protocol == ip_protocol::icmpv6;
    if (!h.has_l4() || (h.protocol != ip_protocol::udp && !ping)) return false;
    if (h.l3 == skein::l3_kind::ipv4 && h.protocol != ip_protocol::icmpv6)
        return answer_ipv4(p, h, here);
    if (h.l3 == skein::l3_kind::ipv6 && h.protocol != ip_protocol::icmp)
        return answer_ipv6(p, h, ethernet->source(), here);
    return false;
}

// --- the program ---------------------------------------------------------------------------------

// Until `over`, which is looked at between operations: cancelling ends only what is pending.
asio::awaitable<void> echo(xsk::asio_port& port, const host& here, const bool& over) {
    boost::system::error_code error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    skein::burst packets;
    skein::burst unanswered;
    for (std::uint64_t answered = 0; !over && !error && answered < here.count;) {
        co_await port.async_receive(packets, token);
        if (error) break;
        for (auto& p : packets)
            if (!answer(p, here)) p.clear();
        packets.split_off(unanswered, [](const packet& p) { return !p.empty(); });
        unanswered.clear();
        answered += co_await port.async_send(packets, token);
    }
    if (error && error != asio::error::operation_aborted)
        throw std::runtime_error(here.interface + ": " + error.message());
}

// "take" what is asked of the addresses; neighbours are asked by multicast (RFC 4291 §2.7.1).
std::vector<xsk::rule> rules(const host& here) {
    std::vector<std::string> texts{"take arp"};
    const auto add = [&](std::string_view address, const char* icmp) {
        const auto to = " dst " + std::string(address);
        texts.push_back(std::string("take ") + icmp + to);
        texts.push_back("take udp dport " + std::to_string(here.port) + to);
    };
    for (const auto& a : here.ipv4)
        add(to_text(a), "icmp");
    for (const auto& a : here.ipv6) {
        add(to_text(a), "icmpv6");
        auto group = *wire::parse_ipv6("ff02::1:ff00:0");
        std::copy(a.bytes.end() - 3, a.bytes.end(), group.bytes.end() - 3);
        texts.push_back("take icmpv6 dst " + std::string(to_text(group).view()));
    }
    std::vector<xsk::rule> parsed;
    for (const auto& text : texts)
        parsed.push_back(xsk::parse_rule(text));
    return parsed;
}

template <class Number>
Number number(const std::string& text, Number most) {
    Number value{};
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || value > most)
        throw std::invalid_argument("not a number from 0 to " + std::to_string(most) + ": " + text);
    return value;
}

void set(host& here, const std::string& option, const std::string& value) {
    if (option == "--address") {
        const auto v4 = wire::parse_ipv4(value);
        const auto v6 = wire::parse_ipv6(value);
        if (!v4 && !v6) throw std::invalid_argument("not an address: " + value);
        v4 ? here.ipv4.push_back(*v4) : here.ipv6.push_back(*v6);
    } else if (option == "--port") {
        here.port = number<std::uint16_t>(value, 65535);
    } else if (option == "--queue") {
        here.queue = number<std::uint32_t>(value, 65535);
    } else if (option == "--duration") {
        here.duration = std::chrono::seconds{number<std::uint32_t>(value, 100'000'000)};
    } else if (option == "--count") {
        here.count = number<std::uint64_t>(value, ~std::uint64_t{0});
    } else if (option == "--mode" && (value == "native" || value == "generic")) {
        here.mode = value == "native" ? xsk::xdp_mode::native : xsk::xdp_mode::generic;
    } else {
        throw std::invalid_argument("unknown: " + option + " " + value);
    }
}

host options(int argc, char** argv) {
    if (argc < 4 || argc % 2 != 0)
        throw std::invalid_argument(
            "usage: echo INTERFACE --address ADDRESS [--address ADDRESS]... [--port 7] [--queue "
            "0]\n"
            "            [--mode native|generic] [--duration SECONDS] [--count ANSWERS]");
    host here{.interface = argv[1]};
    for (int i = 2; i + 1 < argc; i += 2)
        set(here, argv[i], argv[i + 1]);
    if (here.ipv4.size() + here.ipv6.size() == 0 || here.ipv4.size() + here.ipv6.size() > 20)
        throw std::invalid_argument("give --address, once to twenty times");
    std::string mac;
    std::ifstream("/sys/class/net/" + here.interface + "/address") >> mac;
    if (const auto parsed = wire::parse_mac(mac)) return here.mac = *parsed, here;
    throw std::invalid_argument("no Ethernet interface: " + here.interface);
}

void run(const host& here) {
    asio::io_context context{1};
    xsk::port_options options{.interface = here.interface, .queue = here.queue};
    options.program.mode = here.mode;
    options.program.rules = rules(here);
    options.program.otherwise = xsk::default_action::nothing;
    xsk::asio_port port(context, options);
    std::fprintf(stderr, "%s\n", port.next_layer().description().c_str());
    bool over = false;
    const auto finish = [&] {
        over = true;
        port.cancel();
    };
    asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
    signals.async_wait([&](auto error, int) {
        if (!error) finish();
    });
    asio::steady_timer end(context, here.duration);
    end.async_wait([&](auto error) {
        if (!error) finish();
    });
    std::exception_ptr failure;
    asio::co_spawn(context, echo(port, here, over), [&](std::exception_ptr error) {
        failure = error;
        signals.cancel();
        end.cancel();
    });
    context.run();
    if (failure) std::rethrow_exception(failure);
    const auto sent = port.next_layer().counters().tx_packets.value();
    std::printf("%llu answered, %s\n", static_cast<unsigned long long>(sent),
                to_string(port.close()).c_str());
}

}  // namespace

int main(int argc, char** argv) try {
    run(options(argc, argv));
} catch (const xsk::setup_error& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), error.remedy().c_str());
    return 1;
} catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
