// SPDX-License-Identifier: Apache-2.0
// Preferred busy polling: the device's queue is served from the thread that receives, not by
// interrupts (SO_PREFER_BUSY_POLL, since Linux 5.11).
//
// It is asked for and never required: busy_poll_result says what came of it. Three things are
// needed. CAP_NET_ADMIN; a device whose queues have a NAPI id (veth has none: there the options are
// taken and do nothing; in copy mode a NIC's id comes with the first packet); and a device told to
// hold its interrupts back, napi_defer_hard_irqs and gro_flush_timeout both above 0. Source:
// Linux 6.12 Documentation/networking/napi.rst.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <skein/export.hpp>

namespace skein::inline v0::xsk {

struct busy_poll_options {
    std::uint32_t microseconds = 20;  // of one poll
    std::uint32_t budget = 64;        // packets of one poll
};

struct busy_poll_result {
    bool obtained = false;                // the kernel took the options
    std::uint32_t napi_id = 0;            // 0: nothing to poll, or not known yet
    std::vector<std::string> notes = {};  // what stands in its way, with what helps
};

// "busy polling", or "no busy polling", and the notes.
SKEIN_EXPORT std::string to_string(const busy_poll_result& result);

}  // namespace skein::inline v0::xsk
