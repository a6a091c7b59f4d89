/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The header walk: from the first byte of a frame to the fields that rules speak of.
 *
 * Every read goes through bpf_xdp_load_bytes (Linux 5.18), which follows a packet over all its
 * buffers and fails past its end. Direct access would save some nanoseconds a header, but sees only
 * the first buffer, in which a driver may put as little as it likes; and without CAP_PERFMON the
 * verifier allows it at constant offsets only.
 *
 * The walk never fails: it sets what it found in `known`, what a fragment hides in `open`, and
 * `unparsed` where headers are cut short, contradict themselves or are nested too deep.
 *
 * Sources: RFC 4302 §2 (AH counts words of 4 bytes), RFC 6946 (a fragment header without
 * fragmentation makes no fragment).
 */
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "abi.h"
#include "wire.h"

#define MAX_VLAN_TAGS 4
#define MAX_EXTENSION_HEADERS 8
#define NO_LENGTH 0x10000 /* for a packet longer than its length field can say */

/*
 * No program has a loop: without CAP_PERFMON Linux 6.1 follows the processor's guesses too, and a
 * guess never leaves a loop. Unrolled, every pointer moves by constants, as it must without that
 * capability.
 */
#define UNROLL _Pragma("clang loop unroll(full)")

struct packet_fields {
	__u32 known; /* enum skein_field: present in this packet */
	__u32 open; /* enum skein_field: present in the datagram, not to be seen in this fragment */
	__u32 unparsed;
	__u16 ether_type; /* behind the tags */
	__u16 vlan_outer;
	__u16 vlan_inner;
	__u16 source_port;
	__u16 destination_port;
	__u8 protocol;
	__u32 source[4];
	__u32 destination[4];
};

/* `end` is where the IP packet says it ends: padding behind it holds no ports. */
static __always_inline void parse_ports(struct xdp_md *ctx, struct packet_fields *fields, __u32 at,
					__u32 end)
{
	struct port_pair ports;

	if (!has_ports(fields->protocol))
		return;
	if (at + sizeof(ports) > end || bpf_xdp_load_bytes(ctx, at, &ports, sizeof(ports))) {
		fields->unparsed = 1;
		return;
	}
	fields->source_port = bpf_ntohs(ports.source);
	fields->destination_port = bpf_ntohs(ports.destination);
	fields->known |= SKEIN_FIELD_PORTS;
}

/*
 * All fragments of a datagram must meet the same verdict, whichever comes first. So the ports are
 * left open even in the first fragment, which shows them.
 */
static __always_inline void leave_open(struct packet_fields *fields)
{
	if (is_extension(fields->protocol)) /* only the first fragment shows what follows */
		fields->open = SKEIN_FIELD_PROTOCOL | SKEIN_FIELD_PORTS;
	else if (has_ports(fields->protocol))
		fields->open = SKEIN_FIELD_PORTS;
}

static __always_inline void parse_ipv4(struct xdp_md *ctx, struct packet_fields *fields, __u32 at)
{
	struct ipv4_header header;
	__u32 header_length, total_length;

	if (bpf_xdp_load_bytes(ctx, at, &header, sizeof(header)) ||
	    header.version_and_length >> 4 != 4 || (header.version_and_length & 15) < 5) {
		fields->unparsed = 1;
		return;
	}
	fields->source[0] = header.source;
	fields->destination[0] = header.destination;
	fields->protocol = header.protocol;
	fields->known |= SKEIN_FIELD_IPV4 | SKEIN_FIELD_PROTOCOL;
	if (header.fragment & bpf_htons(0x3fff)) { /* more fragments, or an offset */
		if (has_ports(header.protocol))
			fields->open = SKEIN_FIELD_PORTS;
		return;
	}
	header_length = (header.version_and_length & 15) * 4;
	total_length = bpf_ntohs(header.total_length);
	if (!total_length) /* BIG TCP: longer than the field can say */
		total_length = NO_LENGTH;
	parse_ports(ctx, fields, at + header_length, at + total_length);
}

static __always_inline __u32 extension_length(__u8 kind, __u8 length)
{
	if (kind == PROTOCOL_FRAGMENT)
		return 8;
	if (kind == PROTOCOL_AUTHENTICATION)
		return (length + 2) * 4;
	return (length + 1) * 8;
}

static __always_inline void parse_extensions(struct xdp_md *ctx, struct packet_fields *fields,
					     __u8 kind, __u32 at, __u32 end)
{
	struct extension_header header;

	UNROLL
	for (int walked = 0; walked <= MAX_EXTENSION_HEADERS; walked++) {
		fields->protocol = kind;
		if (!is_extension(kind)) {
			fields->known |= SKEIN_FIELD_PROTOCOL;
			parse_ports(ctx, fields, at, end);
			return;
		}
		if (at + sizeof(header) > end ||
		    bpf_xdp_load_bytes(ctx, at, &header, sizeof(header)))
			break;
		if (kind == PROTOCOL_FRAGMENT && header.fragment & bpf_htons(0xfff9)) {
			fields->protocol = header.next;
			leave_open(fields);
			if (!is_extension(header.next))
				fields->known |= SKEIN_FIELD_PROTOCOL;
			return;
		}
		at += extension_length(kind, header.length);
		kind = header.next;
	}
	fields->unparsed = 1;
}

/* A global function, as parse() is: walked once, not once for each number of tags before it. */
__noinline int parse_ipv6(struct xdp_md *ctx, struct packet_fields *fields, __u32 at)
{
	struct ipv6_header header;
	__u32 payload_length;

	if (!fields)
		return 0;
	if (bpf_xdp_load_bytes(ctx, at, &header, sizeof(header)) ||
	    header.version_and_class >> 4 != 6) {
		fields->unparsed = 1;
		return 0;
	}
	__builtin_memcpy(fields->source, header.source, sizeof(fields->source));
	__builtin_memcpy(fields->destination, header.destination, sizeof(fields->destination));
	fields->known |= SKEIN_FIELD_IPV6;
	payload_length = bpf_ntohs(header.payload_length);
	if (!payload_length) /* a jumbogram, or BIG TCP */
		payload_length = NO_LENGTH;
	at += sizeof(header);
	parse_extensions(ctx, fields, header.next, at, at + payload_length);
	return 0;
}

static __always_inline void note_tag(struct packet_fields *fields, int depth, __u16 id)
{
	if (depth == 0) {
		fields->vlan_outer = id;
		fields->known |= SKEIN_FIELD_VLAN_OUTER;
	} else if (depth == 1) {
		fields->vlan_inner = id;
		fields->known |= SKEIN_FIELD_VLAN_INNER;
	}
}

/* Reads the EtherType behind at most MAX_VLAN_TAGS tags; returns where the payload begins. */
static __always_inline __u32 parse_ethernet(struct xdp_md *ctx, struct packet_fields *fields)
{
	struct ethernet_type ethernet;
	struct vlan_tag tag;
	__u32 at = 12;

	if (bpf_xdp_load_bytes(ctx, at, &ethernet, sizeof(ethernet))) {
		fields->unparsed = 1;
		return 0;
	}
	at += sizeof(ethernet);
	fields->ether_type = bpf_ntohs(ethernet.type);
	fields->known = SKEIN_FIELD_ETHER_TYPE;
	if (!is_vlan_type(fields->ether_type))
		fields->known |= SKEIN_FIELD_UNTAGGED;
	UNROLL
	for (int depth = 0; depth < MAX_VLAN_TAGS; depth++) {
		if (!is_vlan_type(fields->ether_type))
			break;
		if (bpf_xdp_load_bytes(ctx, at, &tag, sizeof(tag)))
			break;
		note_tag(fields, depth, bpf_ntohs(tag.control) & 0xfff);
		fields->ether_type = bpf_ntohs(tag.type);
		at += sizeof(tag);
	}
	if (is_vlan_type(fields->ether_type)) /* cut inside a tag, or one tag too many */
		fields->unparsed = 1;
	return at;
}

/*
 * Fills zeroed fields. A global function, so that the verifier walks it on its own; what such a
 * function returns is all its caller may rely on.
 */
__noinline int parse(struct xdp_md *ctx, struct packet_fields *fields)
{
	__u32 at;

	if (!fields)
		return 0;
	at = parse_ethernet(ctx, fields);
	if (fields->unparsed)
		return 0;
	if (fields->ether_type == ETHER_TYPE_IPV4)
		parse_ipv4(ctx, fields, at);
	else if (fields->ether_type == ETHER_TYPE_IPV6)
		parse_ipv6(ctx, fields, at);
	return 0;
}
