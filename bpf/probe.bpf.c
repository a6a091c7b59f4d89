// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What only the kernel's own structures tell about a device: above all IFF_TX_SKB_NO_LINEAR, which
 * no netlink attribute, file or ioctl shows. Run by BPF_PROG_TEST_RUN: no traffic, nothing
 * attached.
 *
 * Two ways to the device, since neither exists everywhere:
 *
 *   skein_probe_packet   a test-run packet arrives "on" the device, whose index is in its context;
 *                        since Linux 6.2 (bpf_cast_to_kern_ctx)
 *   skein_probe_walk     the table of devices of the caller's network namespace; older kernels
 *
 * The kernel's types are declared here, as far as they are read, and relocated to the running
 * kernel's by its BTF (CO-RE); a field it does not have is left out of the answer.
 *
 * Sources: Linux 6.12 include/linux/netdevice.h, include/net/{xdp_sock,xsk_buff_pool}.h,
 * net/bpf/test_run.c (convert___skb_to_skb), net/core/dev.c (dev_index_hash).
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "probe_abi.h"

#define KERNEL_TYPE __attribute__((preserve_access_index))

enum netdev_priv_flags {
	IFF_TX_SKB_NO_LINEAR = 1, /* any value: the kernel's is put in its place */
};

struct hlist_node {
	struct hlist_node *next;
} KERNEL_TYPE;

struct hlist_head {
	struct hlist_node *first;
} KERNEL_TYPE;

struct net {
	struct hlist_head *dev_index_head;
} KERNEL_TYPE;

struct nsproxy {
	struct net *net_ns;
} KERNEL_TYPE;

struct task_struct {
	struct nsproxy *nsproxy;
} KERNEL_TYPE;

/*
 * priv_flags comes first: clang 14 wants a bit-field that it relocates to begin a word. Before
 * Linux 6.8 it is a plain 32-bit field, which the relocation knows how to read, too.
 */
struct net_device {
	unsigned long priv_flags : 32;
	int ifindex;
	unsigned short needed_headroom;
	unsigned short needed_tailroom;
	unsigned int min_mtu;
	unsigned int max_mtu;
	unsigned int real_num_rx_queues;
	unsigned int real_num_tx_queues;
	unsigned int gso_max_size;
	unsigned int gro_max_size;
	void *xdp_prog;
	struct hlist_node index_hlist;
} KERNEL_TYPE;

struct sk_buff {
	struct net_device *dev;
} KERNEL_TYPE;

struct xdp_sock {
	bool sg;
	__u32 max_tx_budget;
} KERNEL_TYPE;

struct xsk_buff_pool {
	__u8 tx_metadata_len;
} KERNEL_TYPE;

extern void *bpf_cast_to_kern_ctx(void *ctx) __ksym;

struct skein_probe_answer skein_answer = {};

static __always_inline void note(enum skein_probe_fact fact, __u32 value)
{
	skein_answer.values[fact] = value;
	skein_answer.known |= 1u << fact;
}

#define NOTE_FIELD(device, fact, field)                                                            \
	do {                                                                                       \
		if (bpf_core_field_exists((device)->field))                                        \
			note(SKEIN_PROBE_##fact, (__u32)BPF_CORE_READ(device, field));             \
	} while (0)

/* The enumerator is a signed 32-bit number in BTF, and the flag its top bit. */
static __always_inline void note_no_linear(struct net_device *device)
{
	__u32 flags, flag;

	if (!bpf_core_enum_value_exists(enum netdev_priv_flags, IFF_TX_SKB_NO_LINEAR) ||
	    !bpf_core_field_exists(device->priv_flags))
		return;
	flags = (__u32)BPF_CORE_READ_BITFIELD_PROBED(device, priv_flags);
	flag = (__u32)bpf_core_enum_value(enum netdev_priv_flags, IFF_TX_SKB_NO_LINEAR);
	note(SKEIN_PROBE_tx_no_linear, (flags & flag) != 0);
}

static __always_inline void note_device(struct net_device *device)
{
	skein_answer.found = (__u32)BPF_CORE_READ(device, ifindex);
	note_no_linear(device);
	NOTE_FIELD(device, needed_headroom, needed_headroom);
	NOTE_FIELD(device, needed_tailroom, needed_tailroom);
	NOTE_FIELD(device, min_mtu, min_mtu);
	NOTE_FIELD(device, max_mtu, max_mtu);
	NOTE_FIELD(device, rx_queues, real_num_rx_queues);
	NOTE_FIELD(device, tx_queues, real_num_tx_queues);
	NOTE_FIELD(device, gso_max_bytes, gso_max_size);
	NOTE_FIELD(device, gro_max_bytes, gro_max_size);
	if (bpf_core_field_exists(device->xdp_prog))
		note(SKEIN_PROBE_generic_program, BPF_CORE_READ(device, xdp_prog) != NULL);
}

/* A feature of AF_XDP shows by the field it came with. */
static __always_inline void note_kernel(void)
{
	if (!bpf_core_type_exists(struct xdp_sock))
		return;
	note(SKEIN_PROBE_kernel_multi_buffer, bpf_core_field_exists(((struct xdp_sock *)0)->sg));
	note(SKEIN_PROBE_kernel_tx_metadata,
	     bpf_core_field_exists(((struct xsk_buff_pool *)0)->tx_metadata_len));
	note(SKEIN_PROBE_kernel_tx_budget,
	     bpf_core_field_exists(((struct xdp_sock *)0)->max_tx_budget));
}

SEC("?tc")
int skein_probe_packet(struct __sk_buff *ctx)
{
	struct sk_buff *packet = bpf_cast_to_kern_ctx(ctx);

	note_device(BPF_CORE_READ(packet, dev));
	note_kernel();
	return TC_ACT_OK;
}

/* A hash table of 256 lists (NETDEV_HASHENTRIES); one that is longer than this is not walked on. */
#define SKEIN_PROBE_MOST_IN_LIST 64

static __always_inline struct net_device *device_of(struct hlist_node *node)
{
	return (void *)node - bpf_core_field_offset(struct net_device, index_hlist);
}

SEC("?raw_tp")
int skein_probe_walk(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct hlist_head *table = BPF_CORE_READ(task, nsproxy, net_ns, dev_index_head);
	struct hlist_node *node;

	(void)ctx;
	/* Each list head is one pointer. */
	table = (void *)table + (skein_answer.wanted & 255) * sizeof(void *);
	node = BPF_CORE_READ(table, first);
	for (int i = 0; i < SKEIN_PROBE_MOST_IN_LIST && node; ++i) {
		struct net_device *device = device_of(node);

		if ((__u32)BPF_CORE_READ(device, ifindex) == skein_answer.wanted) {
			note_device(device);
			note_kernel();
			break;
		}
		node = BPF_CORE_READ(node, next);
	}
	return 0;
}

char program_license[] SEC("license") = "Dual BSD/GPL";
