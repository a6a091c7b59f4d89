/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the probe (probe.bpf.c) answers, read by both sides. The types are those of abi.h.
 *
 * A kernel may lack a field, or the probe may be unable to see it: then its bit in `known` is 0 and
 * its value means nothing. So an older kernel answers less, and nothing fails.
 */
#pragma once

#include "abi.h"

/* X(NAME): each a bit of `known` and a value, in this order. */
#define SKEIN_PROBE_FACTS(X)                                                                       \
	X(tx_no_linear)	       /* IFF_TX_SKB_NO_LINEAR: 1 or 0                         */          \
	X(needed_headroom)     /* bytes the driver wants in front of a packet          */          \
	X(needed_tailroom)     /* and behind it                                        */          \
	X(min_mtu)	       /* bytes                                                */          \
	X(max_mtu)	       /* bytes; 0: no limit                                   */          \
	X(rx_queues)	       /* in use now (real_num_rx_queues)                      */          \
	X(tx_queues)	       /* in use now                                           */          \
	X(gso_max_bytes)       /* largest aggregate the kernel hands the device        */          \
	X(gro_max_bytes)       /* largest one it makes of what arrives                 */          \
	X(generic_program)     /* 1: an XDP program runs in generic mode               */          \
	X(kernel_multi_buffer) /* 1: AF_XDP knows packets of several buffers           */          \
	X(kernel_tx_metadata)  /* 1: AF_XDP knows TX metadata                          */          \
	X(kernel_tx_budget)    /* 1: AF_XDP's copy mode has a budget that can be set   */

#define SKEIN_PROBE_ENUMERATOR(name) SKEIN_PROBE_##name,
enum skein_probe_fact { SKEIN_PROBE_FACTS(SKEIN_PROBE_ENUMERATOR) SKEIN_PROBE_FACT_COUNT };

struct skein_probe_answer {
	skein_u32 wanted; /* interface index, written by the loader */
	skein_u32 found;  /* interface index of the device that was read; 0: none */
	skein_u32 known;  /* bit 1 << enum skein_probe_fact */
	skein_u32 values[SKEIN_PROBE_FACT_COUNT];
};
