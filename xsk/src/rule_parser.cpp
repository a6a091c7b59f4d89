// SPDX-License-Identifier: Apache-2.0
// Reads a rule's text: word by word, each term checked against those before it, so that an error
// names the word that made the rule impossible.
#include <charconv>

#include <skein/xsk/rules.hpp>

#include "rule_names.hpp"

namespace skein::inline v0::xsk {

namespace {

struct word {
    std::string_view text;
    std::size_t at = 0;
};

[[noreturn]] void refuse(const word& where, const std::string& problem, std::string remedy) {
    const std::string quoted =
        where.text.empty() ? std::string("the end") : "\"" + std::string(where.text) + "\"";
    throw rule_error("rule: " + quoted + " at " + std::to_string(where.at) + ": " + problem,
                     where.at, std::move(remedy));
}

class word_reader {
  public:
    explicit word_reader(std::string_view text) noexcept : text_(text) { skip_blanks(); }

    bool done() const noexcept { return at_ == text_.size(); }
    // An empty word at the end.
    word next() noexcept {
        const std::size_t begin = at_;
        while (!done() && !is_blank(text_[at_]))
            ++at_;
        const word result{text_.substr(begin, at_ - begin), begin};
        skip_blanks();
        return result;
    }

  private:
    static bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n'; }
    void skip_blanks() noexcept {
        while (!done() && is_blank(text_[at_]))
            ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// A decimal number, or a hexadecimal one behind 0x; empty where it is neither or above `last`.
std::optional<unsigned> parse_number(std::string_view text, unsigned last) noexcept {
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    unsigned value = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value, hexadecimal ? 16 : 10);
    if (failure != std::errc() || stop != end || value > last) return {};
    return value;
}

wire::ether_type read_ether_type(const word& from) {
    if (const auto* named = find_name(ether_type_names, from.text)) return named->number;
    const auto value = parse_number(from.text, 0xffff);
    if (!value)
        refuse(from, "not an EtherType", "write arp, ipv4, ipv6 or a number such as 0x88cc");
    return wire::ether_type{static_cast<std::uint16_t>(*value)};
}

wire::ip_protocol read_protocol(const word& from) {
    if (const auto* named = find_name(protocol_names, from.text)) return named->number;
    const auto value = parse_number(from.text, 255);
    if (!value) refuse(from, "not an IP protocol", "write a name such as udp, or 0 to 255");
    return wire::ip_protocol{static_cast<std::uint8_t>(*value)};
}

std::uint16_t read_vlan_id(const word& from, std::string_view text) {
    const auto value = parse_number(text, 4095);
    if (!value)
        refuse(from, "not a VLAN id",
               "write vlan N, vlan N.M (outer.inner) or vlan none, 0 to 4095");
    return static_cast<std::uint16_t>(*value);
}

vlan_match read_vlan(const word& from) {
    if (from.text == "none") return {};
    const auto dot = from.text.find('.');
    vlan_match result{.outer = read_vlan_id(from, from.text.substr(0, dot)), .inner = {}};
    if (dot != from.text.npos) result.inner = read_vlan_id(from, from.text.substr(dot + 1));
    return result;
}

port_range read_ports(const word& from) {
    const auto dash = from.text.find('-');
    const auto first = parse_number(from.text.substr(0, dash), 65535);
    const auto last =
        dash == from.text.npos ? first : parse_number(from.text.substr(dash + 1), 65535);
    if (!first || !last)
        refuse(from, "not a port or range of ports", "write 53 or 1000-1999, at most 65535");
    if (*first > *last) refuse(from, "the range runs backwards", "write the lower port first");
    return {static_cast<std::uint16_t>(*first), static_cast<std::uint16_t>(*last)};
}

template <class Address>
ip_prefix whole(ip_family family, const Address& address) noexcept {
    ip_prefix result{.family = family,
                     .length = static_cast<std::uint8_t>(8 * address.bytes.size())};
    std::copy(address.bytes.begin(), address.bytes.end(), result.bytes.begin());
    return result;
}

ip_prefix read_address(const word& from, std::string_view text) {
    if (const auto address = wire::parse_ipv4(text)) return whole(ip_family::ipv4, *address);
    if (const auto address = wire::parse_ipv6(text)) return whole(ip_family::ipv6, *address);
    refuse(from, "not an IP address or prefix", "write 192.0.2.1, 10.0.0.0/8 or 2001:db8::/32");
}

ip_prefix cut(ip_prefix prefix, unsigned length) noexcept {
    prefix.length = static_cast<std::uint8_t>(length);
    for (std::size_t bit = length; bit < 8 * prefix.bytes.size(); ++bit)
        prefix.bytes[bit / 8] &= ~(std::byte{0x80} >> (bit % 8));
    return prefix;
}

ip_prefix read_prefix(const word& from) {
    const auto slash = from.text.find('/');
    const ip_prefix address = read_address(from, from.text.substr(0, slash));
    if (slash == from.text.npos) return address;
    const auto length = parse_number(from.text.substr(slash + 1), address.length);
    if (!length)
        refuse(from, "not a prefix length", "write 0 to " + std::to_string(address.length));
    const ip_prefix prefix = cut(address, *length);
    if (prefix.bytes != address.bytes)
        refuse(from, "address bits behind the prefix", "write " + to_string(prefix));
    return prefix;
}

template <class Value>
void set_once(std::optional<Value>& field, Value value, const word& term) {
    if (field) refuse(term, "says again what an earlier term says", "remove one of the two");
    field = value;
}

// False where the word does not begin a term.
bool read_term(rule& rule, const word& term, word_reader& words) {
    if (const auto* type = find_name(ether_type_names, term.text))
        set_once(rule.ether_type, type->number, term);
    else if (const auto* protocol = find_name(protocol_names, term.text))
        set_once(rule.protocol, protocol->number, term);
    else if (term.text == "ethertype")
        set_once(rule.ether_type, read_ether_type(words.next()), term);
    else if (term.text == "proto")
        set_once(rule.protocol, read_protocol(words.next()), term);
    else if (term.text == "vlan")
        set_once(rule.vlan, read_vlan(words.next()), term);
    else if (term.text == "src")
        set_once(rule.source, read_prefix(words.next()), term);
    else if (term.text == "dst")
        set_once(rule.destination, read_prefix(words.next()), term);
    else if (term.text == "sport")
        set_once(rule.source_port, read_ports(words.next()), term);
    else if (term.text == "dport")
        set_once(rule.destination_port, read_ports(words.next()), term);
    else if (term.text == "port")
        set_once(rule.either_port, read_ports(words.next()), term);
    else
        return false;
    return true;
}

bool names_ports(const rule& rule) noexcept {
    return rule.source_port || rule.destination_port || rule.either_port;
}

bool has_ports(wire::ip_protocol protocol) noexcept {
    using enum wire::ip_protocol;
    return protocol == tcp || protocol == udp || protocol == sctp || protocol == udp_lite ||
           protocol == dccp;
}

wire::ether_type ether_type_of(const ip_prefix& prefix) noexcept {
    return prefix.family == ip_family::ipv4 ? wire::ether_type::ipv4 : wire::ether_type::ipv6;
}

// `term` is the one that was added last: everything before it agreed.
void check_agreement(const rule& rule, const word& term) {
    if (names_ports(rule) && rule.protocol && !has_ports(*rule.protocol))
        refuse(term, "that protocol has no ports", "use tcp, udp, sctp, udplite or dccp");
    if (rule.source && rule.destination && rule.source->family != rule.destination->family)
        refuse(term, "src and dst are of two address families", "make a rule for each family");
    if (!rule.ether_type) return;
    const bool is_ip =
        *rule.ether_type == wire::ether_type::ipv4 || *rule.ether_type == wire::ether_type::ipv6;
    if (!is_ip && (rule.protocol || rule.source || rule.destination || names_ports(rule)))
        refuse(term, "only IP packets have protocols, IP addresses and ports",
               "remove it, or the ethertype");
    for (const auto& prefix : {rule.source, rule.destination})
        if (prefix && ether_type_of(*prefix) != *rule.ether_type)
            refuse(term, "the address is not of that ethertype", "remove the ethertype");
}

rule_action read_action(const word& from) {
    if (from.text == "take") return rule_action::take;
    if (from.text == "pass") return rule_action::pass;
    refuse(from, "a rule begins with take or pass", "for instance: take udp port 53");
}

}  // namespace

rule parse_rule(std::string_view text) {
    word_reader words(text);
    rule result{.action = read_action(words.next())};
    while (!words.done()) {
        const word term = words.next();
        if (!read_term(result, term, words))
            refuse(
                term, "unknown term",
                "use ethertype, vlan, proto, src, dst, sport, dport, port, or a name such as udp");
        check_agreement(result, term);
    }
    return result;
}

}  // namespace skein::inline v0::xsk
