#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Memory orders are argued in one place each: the rings, the counters, and the kernel's end of the
# rings that the tests play. Whoever else needs an atomic takes the default order.
source "$(dirname "$0")/../common.sh"

mapfile -t listed < <(cpp_files | grep -vxF \
    -e core/include/skein/counter.hpp \
    -e xsk/include/skein/xsk/ring.hpp \
    -e test/support/fake_ring.hpp || true)
code_of "${listed[@]}" | matches memory_order "memory orders belong into ring.hpp and counter.hpp" \
    'memory_order|atomic_thread_fence|__atomic_|__sync_'
