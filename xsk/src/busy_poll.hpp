// SPDX-License-Identifier: Apache-2.0
// Asking for busy polling on an open socket.
#pragma once

#include <skein/xsk/busy_poll.hpp>
#include <skein/xsk/interface.hpp>

namespace skein::inline v0::xsk {

busy_poll_result prefer_busy_polling(int fd, const device_name& device,
                                     const busy_poll_options& options);

}  // namespace skein::inline v0::xsk
