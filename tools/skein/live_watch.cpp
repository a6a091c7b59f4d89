// SPDX-License-Identifier: Apache-2.0
#include "live_watch.hpp"

#include <poll.h>

#include <algorithm>

#include <fmt/format.h>
#include <skein/xsk/interface.hpp>

namespace skein::tool {

namespace {

using xsk::device_change;

std::string mtu_notice(std::uint32_t mtu, std::uint32_t max_rx_bytes) {
    constexpr std::uint32_t above_mtu = 18;  // Ethernet header and a VLAN tag
    auto text = fmt::format("the MTU is now {}", mtu);
    if (mtu + above_mtu <= max_rx_bytes) return text;
    return text + fmt::format(
                      "; packets over {} bytes are dropped (rx_dropped): start again without "
                      "--no-sg, or set an MTU of {} or less",
                      max_rx_bytes, max_rx_bytes - above_mtu);
}

std::string text_of(const xsk::device_event& what, std::uint32_t max_rx_bytes,
                    const std::string& network_namespace) {
    const xsk::device_name device{std::string(what.now.interface()), network_namespace};
    switch (what.change) {
        case device_change::link_down:
            return fmt::format("the link is down, packets wait; `{}` lets them go",
                               command_beside(device, "ip link set " + device.interface + " up"));
        case device_change::link_up:
            return "the link is up again";
        case device_change::carrier_lost:
            return "no carrier: the other end is down, and what is sent is lost";
        case device_change::carrier_found:
            return "the other end is up again";
        case device_change::mtu:
            return mtu_notice(what.now.mtu_bytes, max_rx_bytes);
        case device_change::renamed:
            return fmt::format("it is called {} now", what.now.interface());
        case device_change::features:
            return "XDP features are now " +
                   xsk::xdp_feature_names(what.now.xdp_features.value_or(0));
        case device_change::removed:
            break;
    }
    return "it is gone";
}

}  // namespace

live_watch::live_watch(const std::vector<const xsk::port*>& ports) {
    for (const auto* port : ports)
        add(*port);
}

void live_watch::add(const xsk::port& port) {
    const auto device = port.device();
    const auto known = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const auto& entry) { return entry.device == device; });
    if (known != devices_.end()) {
        known->max_rx_bytes = std::min(known->max_rx_bytes, port.max_rx_bytes());
        return;
    }
    const auto& options = port.options();
    devices_.push_back(
        {device, options.network_namespace, port.max_rx_bytes(),
         std::make_unique<xsk::device_watch>(options.interface, options.network_namespace)});
}

std::vector<live_event> live_watch::wait(std::chrono::milliseconds longest) {
    std::vector<live_event> events;
    // A device may be down from the start: that is worth a word, and for the ports an event.
    for (auto& entry : devices_) {
        const auto& now = entry.watch->state();
        if (first_ && !now.up) note(entry, {device_change::link_down, now}, events);
    }
    first_ = false;
    if (!events.empty()) return events;

    std::vector<pollfd> polled;
    for (const auto& entry : devices_)
        polled.push_back({.fd = entry.watch->fd(), .events = POLLIN, .revents = 0});
    ::poll(polled.data(), polled.size(), static_cast<int>(longest.count()));
    for (auto& entry : devices_) {
        while (const auto what = entry.watch->next())
            note(entry, *what, events);
    }
    return events;
}

void live_watch::note(watched& entry, const xsk::device_event& what,
                      std::vector<live_event>& events) {
    events.push_back(
        {entry.device, what,
         entry.device + ": " + text_of(what, entry.max_rx_bytes, entry.network_namespace)});
    if (what.change != device_change::renamed) return;
    entry.device =
        to_string(xsk::device_name{std::string(what.now.interface()), entry.network_namespace});
}

}  // namespace skein::tool
