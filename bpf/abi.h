/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the XDP programs and the C++ loader agree on: the layout of every map value and the meaning
 * of every number in it. Plain C that both sides read; no header of the kernel or of the language.
 *
 * Byte order: EtherTypes, VLAN ids and ports are host order, addresses are network order, as they
 * lie in the packet. An IPv4 address fills word 0 of four; the other three words are zero.
 */
#pragma once

typedef unsigned char skein_u8;
typedef unsigned short skein_u16;
typedef unsigned int skein_u32;
typedef unsigned long long skein_u64;

#define SKEIN_MAX_RULES 64

/* Which fields a rule names, and which fields a packet turned out to have. */
enum skein_field {
	SKEIN_FIELD_ETHER_TYPE = 1 << 0,
	SKEIN_FIELD_UNTAGGED = 1 << 1,	 /* no VLAN tag at all */
	SKEIN_FIELD_VLAN_OUTER = 1 << 2, /* VLAN id of the first tag */
	SKEIN_FIELD_VLAN_INNER = 1 << 3, /* VLAN id of the second tag */
	SKEIN_FIELD_IPV4 = 1 << 4,	 /* addresses are IPv4 */
	SKEIN_FIELD_IPV6 = 1 << 5,	 /* addresses are IPv6 */
	SKEIN_FIELD_PROTOCOL = 1 << 6,	 /* what follows the IP header and its extension headers */
	SKEIN_FIELD_SOURCE_PORT = 1 << 7,
	SKEIN_FIELD_DESTINATION_PORT = 1 << 8,
	SKEIN_FIELD_EITHER_PORT = 1 << 9, /* source or destination */
};

#define SKEIN_FIELD_PORTS                                                                          \
	(SKEIN_FIELD_SOURCE_PORT | SKEIN_FIELD_DESTINATION_PORT | SKEIN_FIELD_EITHER_PORT)

enum skein_action {
	SKEIN_PASS = 0, /* to the kernel's own stack */
	SKEIN_TAKE = 1, /* to the socket of the packet's queue */
};

struct skein_port_range {
	skein_u16 first;
	skein_u16 last; /* inclusive */
};

/* Fields that the rule does not name are zero; a prefix not named has a mask of zero. */
struct skein_rule {
	skein_u32 fields; /* enum skein_field: what the rule names */
	skein_u16 ether_type;
	skein_u16 vlan_outer;
	skein_u16 vlan_inner;
	skein_u8 protocol;
	skein_u8 action; /* enum skein_action */
	struct skein_port_range source_port;
	struct skein_port_range destination_port;
	struct skein_port_range either_port;
	skein_u32 source[4];
	skein_u32 source_mask[4];
	skein_u32 destination[4];
	skein_u32 destination_mask[4];
};

/* The whole rule set is one map value, exchanged as one: no packet ever meets half of it. */
struct skein_rule_set {
	skein_u32 count;	  /* of rules[], at most SKEIN_MAX_RULES */
	skein_u32 default_action; /* enum skein_action, for a packet that no rule matched */
	struct skein_rule rules[SKEIN_MAX_RULES];
};

/* Why a packet went where it went. Each packet counts in exactly one. X(NAME) in numeric order. */
#define SKEIN_VERDICT_REASONS(X)                                                                   \
	X(taken_by_rule)     /* a take rule matched                                    */          \
	X(taken_fragment)    /* a take rule matched, what a fragment hides left open   */          \
	X(taken_by_default)  /* no rule matched, the default is everything             */          \
	X(passed_by_rule)    /* a pass rule matched                                    */          \
	X(passed_by_default) /* no rule matched, the default is nothing                */          \
	X(passed_unparsed)   /* as before, and its headers are cut, invalid or too deep */         \
	X(passed_no_socket)  /* to be taken, but no socket sits on the queue           */

#define SKEIN_VERDICT_ENUMERATOR(name) SKEIN_VERDICT_##name,
enum skein_verdict { SKEIN_VERDICT_REASONS(SKEIN_VERDICT_ENUMERATOR) SKEIN_VERDICT_COUNT };

/*
 * Key of the per-CPU counter map, whose values are single counters. One flat map, because without
 * CAP_PERFMON the verifier refuses an index into a map value that differs by path.
 */
#define SKEIN_VERDICT_KEY(queue, verdict) ((queue)*SKEIN_VERDICT_COUNT + (verdict))

/*
 * Who loaded a program. A record whose process is gone marks the program as a leftover. Process ids
 * and start times are relative to namespaces, so both are named by their inode.
 */
#define SKEIN_OWNER_MAGIC 0x736b6e31u /* "skn1" */

struct skein_owner {
	skein_u32 magic;
	skein_u32 process_id;
	skein_u64 start_time;	  /* clock ticks since boot, field 22 of /proc/PID/stat */
	skein_u64 pid_namespace;  /* inode of /proc/PID/ns/pid */
	skein_u64 time_namespace; /* inode of /proc/PID/ns/time, 0 where the kernel has none */
};

/*
 * What a program with metadata writes directly below the data of each packet it gives to a socket.
 * The descriptor does not say that it is there, hence the magic number, last so that it lies where
 * the data begins. 32 bytes: all that older kernels allow there. Fields that are not valid are 0.
 */
#define SKEIN_METADATA_MAGIC 0x736b6d64u /* "skmd" */
#define SKEIN_METADATA_VERSION 1

enum skein_metadata_field {
	SKEIN_METADATA_TIMESTAMP = 1 << 0,
	SKEIN_METADATA_HASH = 1 << 1,
	SKEIN_METADATA_VLAN = 1 << 2,
	SKEIN_METADATA_SEGMENTS = 1 << 3, /* gso_*: a super packet */
};

struct skein_rx_metadata {
	skein_u64 timestamp; /* ns, the device's clock */
	skein_u32 hash;
	skein_u32 gso_type;   /* the kernel's SKB_GSO_* */
	skein_u16 hash_type;  /* enum xdp_rss_hash_type */
	skein_u16 vlan_tci;   /* of the tag that the device took off */
	skein_u16 vlan_proto; /* its EtherType */
	skein_u16 gso_size;   /* payload bytes of each packet but the last */
	skein_u16 gso_segs;
	skein_u8 version;
	skein_u8 valid; /* enum skein_metadata_field */
	skein_u32 magic;
};

/* Names under which other programs and people find these things: at most 15 characters. */
#define SKEIN_PROGRAM_NAME "skein_redirect"
#define SKEIN_OWNER_MAP_NAME ".rodata.owner"
