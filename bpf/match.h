/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From a packet's fields and a rule set to a verdict: the first rule that matches decides, else the
 * default. A rule matches when every field it names is present and equal.
 *
 * A fragment leaves fields open (its ports, at times its protocol). It is taken if any value of
 * them could be: a take rule ignores what is open, a pass rule that names something open decides
 * nothing. What turns out not to be wanted after reassembly is sorted out in user space.
 */
#pragma once

#include "parse.h"

static __always_inline int in_range(struct skein_port_range range, __u16 port)
{
	return range.first <= port && port <= range.last;
}

static __always_inline int link_matches(const struct skein_rule *rule,
					const struct packet_fields *packet, __u32 named)
{
	return !(named & SKEIN_FIELD_ETHER_TYPE && rule->ether_type != packet->ether_type) &&
	       !(named & SKEIN_FIELD_VLAN_OUTER && rule->vlan_outer != packet->vlan_outer) &&
	       !(named & SKEIN_FIELD_VLAN_INNER && rule->vlan_inner != packet->vlan_inner);
}

static __always_inline int in_prefix(const __u32 *address, const __u32 *prefix, const __u32 *mask)
{
	return !(((address[0] ^ prefix[0]) & mask[0]) | ((address[1] ^ prefix[1]) & mask[1]) |
		 ((address[2] ^ prefix[2]) & mask[2]) | ((address[3] ^ prefix[3]) & mask[3]));
}

static __always_inline int network_matches(const struct skein_rule *rule,
					   const struct packet_fields *packet, __u32 named)
{
	return !(named & SKEIN_FIELD_PROTOCOL && rule->protocol != packet->protocol) &&
	       in_prefix(packet->source, rule->source, rule->source_mask) &&
	       in_prefix(packet->destination, rule->destination, rule->destination_mask);
}

static __always_inline int ports_match(const struct skein_rule *rule,
				       const struct packet_fields *packet, __u32 named)
{
	if (named & SKEIN_FIELD_SOURCE_PORT && !in_range(rule->source_port, packet->source_port))
		return 0;
	if (named & SKEIN_FIELD_DESTINATION_PORT &&
	    !in_range(rule->destination_port, packet->destination_port))
		return 0;
	return !(named & SKEIN_FIELD_EITHER_PORT) ||
	       in_range(rule->either_port, packet->source_port) ||
	       in_range(rule->either_port, packet->destination_port);
}

#define NO_MATCH SKEIN_VERDICT_COUNT

/*
 * What one rule says. A global function, which the verifier walks once with unknown arguments
 * instead of 64 times below: thousands of instructions looked at where it would be tens of
 * thousands.
 */
__noinline int judge_by(const struct skein_rule *rule, const struct packet_fields *packet)
{
	__u32 named;

	if (!rule || !packet)
		return NO_MATCH;
	named = rule->fields & ~packet->open;
	if (named & ~packet->known || (rule->action == SKEIN_PASS && named != rule->fields))
		return NO_MATCH;
	if (!link_matches(rule, packet, named) || !network_matches(rule, packet, named) ||
	    !ports_match(rule, packet, named))
		return NO_MATCH;
	if (rule->action == SKEIN_PASS)
		return SKEIN_VERDICT_passed_by_rule;
	return named == rule->fields ? SKEIN_VERDICT_taken_by_rule : SKEIN_VERDICT_taken_fragment;
}

/* A global function: the verifier walks it once, not once for each way through the headers. */
__noinline int judge(const struct skein_rule_set *set, const struct packet_fields *packet)
{
	int verdict;

	if (!set || !packet)
		return SKEIN_VERDICT_passed_by_default;
	UNROLL
	for (__u32 i = 0; i < SKEIN_MAX_RULES; i++) {
		if (i >= set->count)
			break;
		verdict = judge_by(&set->rules[i], packet);
		if (verdict != NO_MATCH)
			return verdict;
	}
	if (set->default_action == SKEIN_TAKE)
		return SKEIN_VERDICT_taken_by_default;
	return packet->unparsed ? SKEIN_VERDICT_passed_unparsed : SKEIN_VERDICT_passed_by_default;
}
