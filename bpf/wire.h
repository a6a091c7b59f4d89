/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Headers as they lie in a frame, and the numbers in them that the walk follows.
 *
 * Sources: IEEE 802.1Q-2018 §9, RFC 791 §3.1, RFC 8200 §3 and §4; IANA "IEEE 802 Numbers" and
 * "Protocol Numbers".
 */
#pragma once

#include <linux/types.h>
#include <bpf/bpf_helpers.h>

enum {
	ETHER_TYPE_IPV4 = 0x0800,
	ETHER_TYPE_VLAN = 0x8100,
	ETHER_TYPE_IPV6 = 0x86dd,
	ETHER_TYPE_SERVICE_VLAN = 0x88a8,
	ETHER_TYPE_OLD_QINQ = 0x9100,
};

enum {
	PROTOCOL_HOP_BY_HOP = 0,
	PROTOCOL_TCP = 6,
	PROTOCOL_UDP = 17,
	PROTOCOL_DCCP = 33,
	PROTOCOL_ROUTING = 43,
	PROTOCOL_FRAGMENT = 44,
	PROTOCOL_AUTHENTICATION = 51,
	PROTOCOL_DESTINATION_OPTIONS = 60,
	PROTOCOL_SCTP = 132,
	PROTOCOL_MOBILITY = 135,
	PROTOCOL_UDP_LITE = 136,
	PROTOCOL_HIP = 139,
	PROTOCOL_SHIM6 = 140,
};

struct ethernet_type {
	__be16 type;
};

struct vlan_tag {
	__be16 control;
	__be16 type;
};

struct ipv4_header {
	__u8 version_and_length;
	__u8 service;
	__be16 total_length;
	__be16 identification;
	__be16 fragment;
	__u8 time_to_live;
	__u8 protocol;
	__be16 checksum;
	__be32 source;
	__be32 destination;
};

struct ipv6_header {
	__u8 version_and_class;
	__u8 class_and_label[3];
	__be16 payload_length;
	__u8 next;
	__u8 hop_limit;
	__be32 source[4];
	__be32 destination[4];
};

/* The first eight bytes of any extension header; `fragment` is the fragment header's. */
struct extension_header {
	__u8 next;
	__u8 length;
	__be16 fragment;
	__be32 rest;
};

struct port_pair {
	__be16 source;
	__be16 destination;
};

static __always_inline int is_vlan_type(__u16 type)
{
	return type == ETHER_TYPE_VLAN || type == ETHER_TYPE_SERVICE_VLAN ||
	       type == ETHER_TYPE_OLD_QINQ;
}

/* Sets of protocol numbers as bits: a chain of comparisons is a chain of ways for the verifier. */
struct protocol_set {
	__u64 low;  /* 0 to 63 */
	__u64 high; /* 128 to 191 */
};

#define LOW(protocol) (1ULL << (protocol))
#define HIGH(protocol) (1ULL << ((protocol)-128))

static __always_inline int contains(struct protocol_set set, __u8 protocol)
{
	__u64 bits = protocol & 128 ? set.high : set.low;

	return !(protocol & 64) && bits >> (protocol & 63) & 1;
}

static __always_inline int has_ports(__u8 protocol)
{
	const struct protocol_set set = {
	    .low = LOW(PROTOCOL_TCP) | LOW(PROTOCOL_UDP) | LOW(PROTOCOL_DCCP),
	    .high = HIGH(PROTOCOL_SCTP) | HIGH(PROTOCOL_UDP_LITE),
	};

	return contains(set, protocol);
}

static __always_inline int is_extension(__u8 protocol)
{
	const struct protocol_set set = {
	    .low = LOW(PROTOCOL_HOP_BY_HOP) | LOW(PROTOCOL_ROUTING) | LOW(PROTOCOL_FRAGMENT) |
		   LOW(PROTOCOL_AUTHENTICATION) | LOW(PROTOCOL_DESTINATION_OPTIONS),
	    .high = HIGH(PROTOCOL_MOBILITY) | HIGH(PROTOCOL_HIP) | HIGH(PROTOCOL_SHIM6),
	};

	return contains(set, protocol);
}
