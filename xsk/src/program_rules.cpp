// SPDX-License-Identifier: Apache-2.0
#include "program_rules.hpp"

#include <cassert>
#include <cstring>

namespace skein::inline v0::xsk {

static_assert(max_rules == SKEIN_MAX_RULES);
static_assert(static_cast<int>(rule_action::pass) == SKEIN_PASS);
static_assert(static_cast<int>(rule_action::take) == SKEIN_TAKE);
static_assert(static_cast<int>(default_action::nothing) == SKEIN_PASS);
static_assert(static_cast<int>(default_action::everything) == SKEIN_TAKE);

namespace {

void encode_vlan(skein_rule& to, const vlan_match& vlan) noexcept {
    if (!vlan.outer) {
        to.fields |= SKEIN_FIELD_UNTAGGED;
        return;
    }
    to.fields |= SKEIN_FIELD_VLAN_OUTER;
    to.vlan_outer = *vlan.outer;
    if (!vlan.inner) return;
    to.fields |= SKEIN_FIELD_VLAN_INNER;
    to.vlan_inner = *vlan.inner;
}

// A prefix of length 0 still says of which family the packet must be.
void encode_prefix(skein_rule& to, const ip_prefix& prefix, skein_u32 (&address)[4],
                   skein_u32 (&mask)[4]) noexcept {
    to.fields |= prefix.family == ip_family::ipv4 ? SKEIN_FIELD_IPV4 : SKEIN_FIELD_IPV6;
    std::array<std::byte, 16> mask_bytes{};
    for (std::size_t bit = 0; bit < prefix.length && bit < 128; ++bit)
        mask_bytes[bit / 8] |= std::byte{0x80} >> (bit % 8);
    std::memcpy(mask, mask_bytes.data(), sizeof mask);
    std::memcpy(address, prefix.bytes.data(), sizeof address);
}

void encode_ports(skein_rule& to, const std::optional<port_range>& range, skein_field field,
                  skein_port_range& ports) noexcept {
    if (!range) return;
    to.fields |= static_cast<skein_u32>(field);
    ports = {range->first, range->last};
}

skein_rule encode(const rule& from) noexcept {
    skein_rule to{};
    to.action = static_cast<skein_u8>(from.action);
    if (from.ether_type) {
        to.fields |= SKEIN_FIELD_ETHER_TYPE;
        to.ether_type = number(*from.ether_type);
    }
    if (from.vlan) encode_vlan(to, *from.vlan);
    if (from.protocol) {
        to.fields |= SKEIN_FIELD_PROTOCOL;
        to.protocol = number(*from.protocol);
    }
    if (from.source) encode_prefix(to, *from.source, to.source, to.source_mask);
    if (from.destination) encode_prefix(to, *from.destination, to.destination, to.destination_mask);
    encode_ports(to, from.source_port, SKEIN_FIELD_SOURCE_PORT, to.source_port);
    encode_ports(to, from.destination_port, SKEIN_FIELD_DESTINATION_PORT, to.destination_port);
    encode_ports(to, from.either_port, SKEIN_FIELD_EITHER_PORT, to.either_port);
    return to;
}

}  // namespace

skein_rule_set encode(std::span<const rule> rules, default_action otherwise) noexcept {
    assert(rules.size() <= max_rules);
    skein_rule_set set{};
    for (const rule& rule : rules)
        set.rules[set.count++] = encode(rule);
    set.default_action = static_cast<skein_u32>(otherwise);
    return set;
}

}  // namespace skein::inline v0::xsk
