// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The XDP program: steers what the rules want into the AF_XDP socket of the packet's own RX queue
 * and leaves everything else to the kernel. See README.md beside this file.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "abi.h"
#include "match.h"
#include "metadata.h"
#include "parse.h"

/* One socket for each RX queue; the loader sets max_entries to the device's number of queues. */
struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} skein_sockets SEC(".maps");

/* Counters, keyed by SKEIN_VERDICT_KEY; the loader sets max_entries to hold every queue. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SKEIN_VERDICT_COUNT);
	__type(key, __u32);
	__type(value, __u64);
} skein_verdicts SEC(".maps");

struct rule_set_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct skein_rule_set);
} skein_rule_set SEC(".maps");

/*
 * The rule set in force. A new set is a new map that takes the old one's slot: a packet reads the
 * slot once and keeps what it found to its end, so it sees the old set or the new one.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct rule_set_map);
} skein_rules SEC(".maps") = {
    .values = {&skein_rule_set},
};

/*
 * Not read here: a map of its own, written by the loader and frozen when the program is loaded, so
 * that no program of ours is ever attached without it. See the maps in README.md.
 */
const volatile struct skein_owner skein_owner SEC(".rodata.owner") = {};

static __always_inline const struct skein_rule_set *rule_set_in_force(void)
{
	const __u32 first = 0;
	void *set = bpf_map_lookup_elem(&skein_rules, &first);

	return set ? bpf_map_lookup_elem(set, &first) : NULL;
}

static __always_inline __u32 verdict_for(struct xdp_md *ctx)
{
	const struct skein_rule_set *set = rule_set_in_force();
	struct packet_fields packet = {};

	if (!set)
		return SKEIN_VERDICT_passed_by_default;
	if (set->count) /* without rules no header is looked at */
		parse(ctx, &packet);
	return judge(set, &packet);
}

static __always_inline void count(__u32 queue, __u32 verdict)
{
	__u32 key = SKEIN_VERDICT_KEY(queue, verdict);
	__u64 *counter = bpf_map_lookup_elem(&skein_verdicts, &key);

	if (counter)
		(*counter)++;
}

static __always_inline int is_taken(__u32 verdict)
{
	return verdict <= SKEIN_VERDICT_taken_by_default;
}

SEC("xdp.frags")
int skein_redirect(struct xdp_md *ctx)
{
	__u32 queue = ctx->rx_queue_index;
	__u32 verdict = verdict_for(ctx);
	int action = XDP_PASS;

	if (is_taken(verdict)) {
		action = bpf_redirect_map(&skein_sockets, queue, XDP_PASS);
		if (action == XDP_REDIRECT)
			write_metadata(ctx);
		else
			verdict = SKEIN_VERDICT_passed_no_socket;
	}
	count(queue, verdict);
	return action;
}

char program_license[] SEC("license") = "Dual BSD/GPL";
