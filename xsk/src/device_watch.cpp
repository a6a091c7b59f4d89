// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/device_watch.hpp>

#include <array>
#include <cerrno>
#include <utility>

#include <skein/xsk/error.hpp>

#include "interface.hpp"
#include "netlink_message.hpp"
#include "network_namespace.hpp"
#include "sys.hpp"
#include "sys_watch.hpp"

namespace skein::inline v0::xsk {

namespace {

// The kernel's messages about one link take less than 2 KiB, unless it is asked for more.
constexpr std::size_t buffer_bytes = std::size_t{16} << 10;

[[noreturn]] void fail(int error_number, const std::string& interface, const char* operation) {
    throw setup_error(error_number, {.operation = operation, .interface = interface});
}

}  // namespace

device_watch::device_watch(const std::string& interface, const std::string& network_namespace)
    : buffer_(buffer_bytes) {
    try {
        xsk::network_namespace(network_namespace).run([&] { open(interface, network_namespace); });
    } catch (...) {
        close();
        throw;
    }
}

device_watch::~device_watch() {
    close();
}

void device_watch::close() noexcept {
    for (int* fd : {&wait_fd_, &feature_fd_, &link_fd_}) {
        if (*fd >= 0) sys::close(*fd);
        *fd = -1;
    }
}

// Listening first and asking then: nothing falls between.
void device_watch::open(const std::string& interface, const std::string& network_namespace) {
    const auto device = inspect_interface(interface, network_namespace);
    seen_.index = device.index;
    link_fd_ = sys::open_netlink(sys::netlink_protocol::route);
    if (link_fd_ < 0) fail(-link_fd_, device.label(), "open rtnetlink");
    const int joined = sys::join_netlink_group(link_fd_, netlink::link_group);
    if (joined < 0) fail(-joined, device.label(), "listen to rtnetlink");
    open_features();

    ask_link_ = true;
    ask_features_ = feature_fd_ >= 0;
    while (advance()) {
    }
    if (!seen_.present) fail(ENODEV, device.label(), "watch");
    told_ = seen_;

    const std::array<int, 2> fds{link_fd_, feature_fd_};
    wait_fd_ = sys::open_wait_set({fds.data(), feature_fd_ < 0 ? 1u : 2u});
    if (wait_fd_ < 0) fail(-wait_fd_, device.label(), "watch");
}

// The family is there since Linux 6.3; what cannot be had is done without.
void device_watch::open_features() {
    const int fd = sys::open_netlink(sys::netlink_protocol::generic);
    if (fd < 0) return;
    std::optional<netlink::family> family;
    if (sys::send_netlink(fd, netlink::ask_for_family().span()) >= 0) {
        const int length = sys::receive_netlink(fd, buffer_);
        const auto size = static_cast<std::size_t>(length < 0 ? 0 : length);
        if (const auto answer = netlink::first_message({buffer_.data(), size})) {
            family = netlink::read_family(*answer);
        }
    }
    if (!family || sys::join_netlink_group(fd, family->group) < 0) {
        sys::close(fd);
        return;
    }
    feature_fd_ = fd;
    family_ = family->id;
}

std::optional<device_event> device_watch::next() noexcept {
    do {
        if (const auto event = difference()) return event;
    } while (advance());
    return std::nullopt;
}

// The first thing that is not as it was told. What a device that is gone once was is nobody's
// concern any more.
std::optional<device_event> device_watch::difference() noexcept {
    const auto changed = [](auto& told, const auto& seen) {
        if (told == seen) return false;
        told = seen;
        return true;
    };
    if (!told_.present) return std::nullopt;
    if (changed(told_.present, seen_.present)) return tell(device_change::removed);
    if (changed(told_.name, seen_.name)) return tell(device_change::renamed);
    if (changed(told_.up, seen_.up)) {
        told_.carrier = seen_.carrier;  // comes and goes with the link
        return tell(seen_.up ? device_change::link_up : device_change::link_down);
    }
    if (changed(told_.carrier, seen_.carrier) && told_.up) {
        return tell(seen_.carrier ? device_change::carrier_found : device_change::carrier_lost);
    }
    if (changed(told_.mtu_bytes, seen_.mtu_bytes)) return tell(device_change::mtu);
    if (changed(told_.xdp_features, seen_.xdp_features)) return tell(device_change::features);
    return std::nullopt;
}

// One message further; false if there is none. Where messages were lost the queue is full, and an
// answer would find no room in it either: it is read to its end first, and then asked.
bool device_watch::advance() noexcept {
    if (at_ < end_) {
        apply_next();
        return true;
    }
    const auto read_any = [&] { return read(link_fd_) || (feature_fd_ >= 0 && read(feature_fd_)); };
    if (read_any()) return true;
    return (ask_link_ || ask_features_) && ask_again() && read_any();
}

// True if both answers are on their way.
bool device_watch::ask_again() noexcept {
    const auto ask = [](int fd, const netlink::request& question) {
        return sys::send_netlink(fd, question.span()) >= 0;
    };
    if (ask_link_) ask_link_ = !ask(link_fd_, netlink::ask_for_link(seen_.index));
    if (ask_features_) {
        ask_features_ = !ask(feature_fd_, netlink::ask_for_features(family_, seen_.index));
    }
    return !ask_link_ && !ask_features_;
}

bool device_watch::read(int fd) noexcept {
    const int length = sys::receive_netlink(fd, buffer_);
    if (length == -ENOBUFS || length == -EMSGSIZE) {
        (fd == link_fd_ ? ask_link_ : ask_features_) = true;
        return true;
    }
    if (length < 0) return false;
    at_ = 0;
    end_ = static_cast<std::size_t>(length);
    of_features_ = fd == feature_fd_;
    return true;
}

void device_watch::apply_next() noexcept {
    const auto next = netlink::first_message({buffer_.data() + at_, end_ - at_});
    if (!next) {
        at_ = end_;
        return;
    }
    if (of_features_) {
        netlink::apply_features(*next, family_, seen_);
    } else {
        netlink::apply_link(*next, seen_);
    }
    at_ += next->whole_bytes;
}

std::string_view to_string(device_change change) noexcept {
    constexpr std::array<std::string_view, 8> names = {"link_down",     "link_up", "carrier_lost",
                                                       "carrier_found", "mtu",     "renamed",
                                                       "features",      "removed"};
    const auto number = static_cast<std::size_t>(change);
    return number < names.size() ? names[number] : "unknown";
}

std::string xdp_feature_names(std::uint64_t features) {
    constexpr std::array<std::string_view, 7> names = {
        "BASIC", "REDIRECT", "NDO_XMIT", "XSK_ZEROCOPY", "HW_OFFLOAD", "RX_SG", "NDO_XMIT_SG"};
    std::string text;
    for (std::size_t bit = 0; bit < 64; ++bit) {
        if ((features >> bit & 1) == 0) continue;
        if (!text.empty()) text += ", ";
        text += bit < names.size() ? std::string(names[bit]) : "bit " + std::to_string(bit);
    }
    return text.empty() ? "none" : text;
}

std::string to_string(const device_event& event) {
    const auto name = std::string(event.now.interface()) + ": ";
    switch (event.change) {
        case device_change::link_down:
            return name + "the link is down";
        case device_change::link_up:
            return name + "the link is up";
        case device_change::carrier_lost:
            return name + "no carrier: the other end is down";
        case device_change::carrier_found:
            return name + "the carrier is back";
        case device_change::mtu:
            return name + "the MTU is now " + std::to_string(event.now.mtu_bytes);
        case device_change::renamed:
            return name + "this is its new name";
        case device_change::features:
            return name + "XDP features are now " +
                   xdp_feature_names(event.now.xdp_features.value_or(0));
        case device_change::removed:
            return name + "the device is gone";
    }
    return name + "unknown";
}

}  // namespace skein::inline v0::xsk
