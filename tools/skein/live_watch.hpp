// SPDX-License-Identifier: Apache-2.0
// The devices of a live command, watched: what happens to them, and what the user should know of
// it.
//
// Ports learn of it through their shards, since they belong to those threads; the user is told
// here.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <skein/xsk/device_watch.hpp>
#include <skein/xsk/port.hpp>

namespace skein::tool {

struct live_event {
    std::string device;  // as it was called until then: "eth0", "blue/eth0"
    xsk::device_event what;
    std::string notice;  // for people
};

class live_watch {
  public:
    // Must run before the ports go to their threads.
    explicit live_watch(const std::vector<const xsk::port*>& ports);

    // Waits for something to happen, so long at most; may return nothing earlier.
    std::vector<live_event> wait(std::chrono::milliseconds longest);

  private:
    struct watched {
        std::string device;
        std::string network_namespace;
        std::uint32_t max_rx_bytes;  // of the port that takes least
        std::unique_ptr<xsk::device_watch> watch;
    };

    void add(const xsk::port& port);
    void note(watched& entry, const xsk::device_event& what, std::vector<live_event>& events);

    std::vector<watched> devices_;
    bool first_ = true;
};

}  // namespace skein::tool
