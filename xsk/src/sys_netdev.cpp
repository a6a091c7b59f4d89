// SPDX-License-Identifier: Apache-2.0
// The generic netlink family "netdev": one question, one answer.
//
// Sources: Linux 6.12 include/uapi/linux/{netlink,genetlink,netdev}.h; the headers of Linux 6.1 do
// not have the last one, so its numbers stand here.
#include "sys_device.hpp"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

namespace skein::inline v0::xsk::sys {

namespace {

constexpr std::uint8_t netdev_dev_get = 1;
constexpr std::uint16_t netdev_ifindex = 1;
constexpr std::uint16_t netdev_xdp_features = 3;
constexpr std::uint16_t netdev_zc_max_segments = 4;  // since Linux 6.6
constexpr std::uint16_t netdev_rx_metadata = 5;
constexpr std::uint16_t netdev_xsk_features = 6;  // since Linux 6.8

struct message {
    nlmsghdr header{};
    genlmsghdr generic{};
    std::array<std::byte, 64> attributes{};

    message(std::uint16_t family, std::uint8_t command) noexcept {
        header.nlmsg_type = family;
        header.nlmsg_flags = NLM_F_REQUEST;
        header.nlmsg_len = NLMSG_LENGTH(sizeof generic);
        generic.cmd = command;
        generic.version = 1;
    }
    void add(std::uint16_t type, std::span<const std::byte> value) noexcept {
        const nlattr attribute{static_cast<std::uint16_t>(NLA_HDRLEN + value.size()), type};
        std::byte* at = attributes.data() + (header.nlmsg_len - NLMSG_LENGTH(sizeof generic));
        std::memcpy(at, &attribute, sizeof attribute);
        std::memcpy(at + NLA_HDRLEN, value.data(), value.size());
        header.nlmsg_len += static_cast<std::uint32_t>(NLA_ALIGN(attribute.nla_len));
    }
};

class generic_netlink {
  public:
    generic_netlink() noexcept
        : fd_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)),
          status_(fd_ < 0 ? -errno : 0) {
        const timeval patience{1, 0};
        if (fd_ >= 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    generic_netlink(const generic_netlink&) = delete;
    generic_netlink& operator=(const generic_netlink&) = delete;
    ~generic_netlink() {
        if (fd_ >= 0) ::close(fd_);
    }

    // Calls see(type, bytes) for each attribute of the answer. 0 or a negated errno value.
    template <class See>
    int ask(const message& question, See&& see) noexcept {
        if (status_ < 0) return status_;
        if (::send(fd_, &question, question.header.nlmsg_len, 0) < 0) return -errno;
        const auto length = ::recv(fd_, answer_.data(), answer_.size(), 0);
        if (length < 0) return -errno;
        return read({answer_.data(), static_cast<std::size_t>(length)}, see);
    }

  private:
    template <class See>
    static int read(std::span<const std::byte> bytes, See&& see) noexcept {
        nlmsghdr header{};
        if (bytes.size() < NLMSG_LENGTH(sizeof(genlmsghdr))) return -EBADMSG;
        std::memcpy(&header, bytes.data(), sizeof header);
        if (header.nlmsg_len > bytes.size()) return -EBADMSG;
        if (header.nlmsg_type == NLMSG_ERROR) {
            std::int32_t error = 0;
            std::memcpy(&error, bytes.data() + NLMSG_HDRLEN, sizeof error);
            return error == 0 ? -EBADMSG : error;
        }
        bytes = bytes.first(header.nlmsg_len).subspan(NLMSG_LENGTH(sizeof(genlmsghdr)));
        for (nlattr attribute{}; bytes.size() >= sizeof attribute;) {
            std::memcpy(&attribute, bytes.data(), sizeof attribute);
            const std::size_t length = attribute.nla_len;
            if (length < sizeof attribute || length > bytes.size()) return -EBADMSG;
            see(static_cast<std::uint16_t>(attribute.nla_type & NLA_TYPE_MASK),
                bytes.subspan(sizeof attribute, length - sizeof attribute));
            bytes = bytes.subspan(std::min<std::size_t>(NLA_ALIGN(length), bytes.size()));
        }
        return 0;
    }

    int fd_;
    int status_;
    alignas(nlmsghdr) std::array<std::byte, 16384> answer_;
};

// Of 4 or 8 bytes: 64-bit values may come shorter (nla_put_uint).
std::uint64_t number(std::span<const std::byte> value) noexcept {
    std::uint64_t wide = 0;
    std::uint32_t narrow = 0;
    if (value.size() == sizeof wide) std::memcpy(&wide, value.data(), sizeof wide);
    if (value.size() != sizeof narrow) return wide;
    std::memcpy(&narrow, value.data(), sizeof narrow);
    return narrow;
}

int family_id(generic_netlink& socket, const char* name, std::uint16_t& id) noexcept {
    message question(GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
    question.add(CTRL_ATTR_FAMILY_NAME, std::as_bytes(std::span(name, std::strlen(name) + 1)));
    return socket.ask(question, [&](std::uint16_t type, std::span<const std::byte> value) {
        if (type == CTRL_ATTR_FAMILY_ID && value.size() == sizeof id)
            std::memcpy(&id, value.data(), sizeof id);
    });
}

void note(netdev_answer& answer, std::uint16_t type, std::span<const std::byte> value) noexcept {
    switch (type) {
        case netdev_xdp_features:
            answer.xdp_features = number(value);
            break;
        case netdev_zc_max_segments:
            answer.zc_max_segments = static_cast<std::uint32_t>(number(value));
            break;
        case netdev_rx_metadata:
            answer.rx_metadata = number(value);
            break;
        case netdev_xsk_features:
            answer.xsk_features = number(value);
            break;
        default:
            break;
    }
}

}  // namespace

int netdev_features(std::uint32_t interface_index, netdev_answer& answer) noexcept {
    generic_netlink socket;
    std::uint16_t family = 0;
    const int status = family_id(socket, "netdev", family);
    if (status < 0) return status;
    message question(family, netdev_dev_get);
    question.add(netdev_ifindex, std::as_bytes(std::span(&interface_index, 1)));
    return socket.ask(question, [&](std::uint16_t type, std::span<const std::byte> value) {
        note(answer, type, value);
    });
}

}  // namespace skein::inline v0::xsk::sys
