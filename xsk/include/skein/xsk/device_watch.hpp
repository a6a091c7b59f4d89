// SPDX-License-Identifier: Apache-2.0
// What happens to a network device while it is used: told by the kernel, not asked for.
//
//     skein::xsk::device_watch watch("veth0");
//     // when watch.fd() is readable (poll, epoll, Asio), or now and then:
//     while (const auto event = watch.next()) {
//         port.handle(*event);
//         log(to_string(*event));
//     }
//
// One watch, one device, one descriptor. The device is known by its index: a new name is an event,
// not a loss. Link, MTU, name and removal come by rtnetlink; changed XDP features by the generic
// netlink family "netdev" (since Linux 6.3; without it watches_features() is false). Changes of
// other devices are skipped.
//
// next() never waits and never allocates. It tells changes one by one and in order; where the
// kernel had to drop messages (ENOBUFS: nobody read for long) the device is asked anew, and what
// came of it is told.
//
// Ownership: a watch owns its descriptor. Threading: one thread; not the port's, unless you want.
// Errors: the constructor throws setup_error. Needs no privilege but for another namespace.
// Sources: rtnetlink(7), Linux 6.12 net/core/rtnetlink.c rtmsg_ifinfo(), net/core/netdev-genl.c.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <skein/export.hpp>

namespace skein::inline v0::xsk {

struct device_state {
    std::array<char, 16> name{};  // ends with a zero
    std::uint32_t index = 0;
    std::uint32_t mtu_bytes = 0;
    bool present = false;
    bool up = false;                                 // as set by `ip link set up`
    bool carrier = false;                            // there is somebody at the other end
    std::optional<std::uint64_t> xdp_features = {};  // enum netdev_xdp_act; where the kernel says

    std::string_view interface() const noexcept { return name.data(); }
    bool operator==(const device_state&) const = default;
};

enum class device_change : std::uint8_t {
    link_down,
    link_up,
    carrier_lost,  // of a link that is up
    carrier_found,
    mtu,
    renamed,
    features,
    removed,  // or moved to another namespace; the last there is
};
// "link_down" and so on.
SKEIN_EXPORT std::string_view to_string(device_change change) noexcept;

struct device_event {
    device_change change;
    device_state now;
};
// "veth0: the MTU is now 9000"
SKEIN_EXPORT std::string to_string(const device_event& event);

// "BASIC, REDIRECT, RX_SG", after enum netdev_xdp_act; "none" for 0.
SKEIN_EXPORT std::string xdp_feature_names(std::uint64_t features);

class SKEIN_EXPORT device_watch {
  public:
    explicit device_watch(const std::string& interface, const std::string& network_namespace = {});
    device_watch(const device_watch&) = delete;
    device_watch& operator=(const device_watch&) = delete;
    ~device_watch();

    // Readable while there may be something to tell.
    int fd() const noexcept { return wait_fd_; }
    // The next change; nothing where there is none yet.
    std::optional<device_event> next() noexcept;
    // The device with every change that was told.
    const device_state& state() const noexcept { return told_; }
    bool watches_features() const noexcept { return feature_fd_ >= 0; }

  private:
    void open(const std::string& interface, const std::string& network_namespace);
    void open_features();
    void close() noexcept;
    std::optional<device_event> difference() noexcept;
    device_event tell(device_change change) noexcept { return {change, told_}; }
    bool read(int fd) noexcept;
    bool advance() noexcept;
    bool ask_again() noexcept;
    void apply_next() noexcept;

    int link_fd_ = -1;
    int feature_fd_ = -1;
    int wait_fd_ = -1;
    std::uint16_t family_ = 0;
    bool ask_link_ = false;  // messages were lost
    bool ask_features_ = false;
    std::vector<std::byte> buffer_;  // what one receive took
    std::size_t at_ = 0;             // the part of it not looked at yet: [at_, end_)
    std::size_t end_ = 0;
    bool of_features_ = false;  // where it came from
    device_state seen_;         // as of the last message
    device_state told_;
};

}  // namespace skein::inline v0::xsk
