/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is known of a packet beside its bytes, written below them (struct skein_rx_metadata).
 *
 *     chunk | headroom ............ | skein_rx_metadata | data ...
 *                                   ^ data_meta         ^ data
 *
 * Three programs are made of one source:
 *
 *     (nothing defined)        writes nothing, loads everywhere
 *     SKEIN_DEVICE_METADATA    asks the device: time stamp, hash, VLAN tag that it took off. Since
 *                              Linux 6.8; must be loaded for one device and attached natively
 *     SKEIN_SEGMENT_METADATA   asks the kernel: into what pieces a super packet is to be cut. Since
 *                              Linux 6.2, needs CAP_PERFMON; means something in generic mode alone
 *
 * Without room for it a packet goes without; whoever reads finds no magic number then.
 *
 * Sources: Linux 6.12 net/core/xdp.c (kfuncs), net/xdp/xsk.c xsk_copy_xdp(),
 * include/linux/skbuff.h.
 */
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "abi.h"

#if defined(SKEIN_DEVICE_METADATA)

/* The kernel's own numbers; its kfunc takes no pointer to anything else. */
enum xdp_rss_hash_type {
	XDP_RSS_TYPE_NONE = 0,
};

extern int bpf_xdp_metadata_rx_timestamp(const struct xdp_md *ctx, __u64 *timestamp) __ksym;
extern int bpf_xdp_metadata_rx_hash(const struct xdp_md *ctx, __u32 *hash,
				    enum xdp_rss_hash_type *type) __ksym;
extern int bpf_xdp_metadata_rx_vlan_tag(const struct xdp_md *ctx, __be16 *protocol,
					__u16 *tci) __ksym;

static __always_inline void fill_metadata(struct xdp_md *ctx, struct skein_rx_metadata *found)
{
	enum xdp_rss_hash_type type = XDP_RSS_TYPE_NONE;
	__u64 timestamp = 0;
	__be16 protocol = 0;
	__u32 hash = 0;
	__u16 tci = 0;

	/* Success with the value 0 means that the hardware took no time. */
	if (!bpf_xdp_metadata_rx_timestamp(ctx, &timestamp) && timestamp) {
		found->timestamp = timestamp;
		found->valid |= SKEIN_METADATA_TIMESTAMP;
	}
	if (!bpf_xdp_metadata_rx_hash(ctx, &hash, &type)) {
		found->hash = hash;
		found->hash_type = type;
		found->valid |= SKEIN_METADATA_HASH;
	}
	if (!bpf_xdp_metadata_rx_vlan_tag(ctx, &protocol, &tci)) {
		found->vlan_proto = bpf_ntohs(protocol);
		found->vlan_tci = tci;
		found->valid |= SKEIN_METADATA_VLAN;
	}
}

#elif defined(SKEIN_SEGMENT_METADATA)

#define CACHE_LINE 64

struct xdp_buff {
	void *data_hard_start;
	__u32 frame_sz;
} __attribute__((preserve_access_index));

struct skb_shared_info {
	unsigned short gso_size;
	unsigned short gso_segs;
	unsigned int gso_type;
} __attribute__((preserve_access_index));

extern void *bpf_cast_to_kern_ctx(void *ctx) __ksym;

/* In generic mode the packet's shared info is the sk_buff's, behind the buffer's last byte. */
static __always_inline void fill_metadata(struct xdp_md *ctx, struct skein_rx_metadata *found)
{
	const __u64 shared_size = bpf_core_type_size(struct skb_shared_info);
	struct xdp_buff *buffer = bpf_cast_to_kern_ctx(ctx);
	struct skb_shared_info *shared;
	__u16 size;

	shared = BPF_CORE_READ(buffer, data_hard_start) + BPF_CORE_READ(buffer, frame_sz) -
		 ((shared_size + CACHE_LINE - 1) & ~(__u64)(CACHE_LINE - 1));
	size = BPF_CORE_READ(shared, gso_size);
	if (!size)
		return;
	found->gso_size = size;
	found->gso_segs = BPF_CORE_READ(shared, gso_segs);
	found->gso_type = BPF_CORE_READ(shared, gso_type);
	found->valid |= SKEIN_METADATA_SEGMENTS;
}

#endif

#if defined(SKEIN_DEVICE_METADATA) || defined(SKEIN_SEGMENT_METADATA)

static __always_inline void write_metadata(struct xdp_md *ctx)
{
	struct skein_rx_metadata found = {
	    .version = SKEIN_METADATA_VERSION,
	    .magic = SKEIN_METADATA_MAGIC,
	};
	struct skein_rx_metadata *to;

	fill_metadata(ctx, &found);
	/* Without it clang 14 loses the fields that only some paths have set. */
	asm volatile("" : : "r"(&found) : "memory");
	if (bpf_xdp_adjust_meta(ctx, -(int)sizeof(*to)))
		return;
	to = (void *)(long)ctx->data_meta;
	if ((void *)(to + 1) > (void *)(long)ctx->data)
		return;
	*to = found;
}

#else

static __always_inline void write_metadata(struct xdp_md *ctx)
{
	(void)ctx;
}

#endif
