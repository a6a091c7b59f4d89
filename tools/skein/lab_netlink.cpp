// SPDX-License-Identifier: Apache-2.0
#include "lab_netlink.hpp"

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <array>
#include <cerrno>
#include <memory>

#include <skein/xsk/error.hpp>

#include "command.hpp"
#include "lab_namespace.hpp"

namespace skein::tool {

namespace {

// Linux 6.12 include/uapi/linux/if_link.h; the first four have these numbers in older headers too,
// where those know them.
constexpr std::uint16_t gso_max_size = 41;
constexpr std::uint16_t gro_max_size = 58;
constexpr std::uint16_t tso_max_size = 59;
constexpr std::uint16_t gso_ipv4_max_size = 63;
constexpr std::uint16_t gro_ipv4_max_size = 64;
static_assert(gso_max_size == IFLA_GSO_MAX_SIZE);

using message_buffer = std::array<char, 32768>;  // MNL_SOCKET_BUFFER_SIZE is at most 8 KiB

struct closer {
    void operator()(mnl_socket* socket) const noexcept { ::mnl_socket_close(socket); }
};
using netlink_socket = std::unique_ptr<mnl_socket, closer>;

// The socket stays in the namespace it was opened in.
netlink_socket open_in(const std::string& space) {
    const namespace_visit visit(space);
    netlink_socket socket(::mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC));
    if (!socket || ::mnl_socket_bind(socket.get(), 0, MNL_SOCKET_AUTOPID) != 0)
        throw command_failure("open rtnetlink in " + space + ": " + xsk::errno_text(errno));
    return socket;
}

nlmsghdr* start_message(message_buffer& buffer, std::uint16_t type, const std::string& device) {
    nlmsghdr* message = ::mnl_nlmsg_put_header(buffer.data());
    message->nlmsg_type = type;
    message->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
    message->nlmsg_seq = 1;
    ::mnl_nlmsg_put_extra_header(message, sizeof(ifinfomsg));
    ::mnl_attr_put_strz(message, IFLA_IFNAME, device.c_str());
    return message;
}

std::uint32_t* field_of(size_limits& limits, std::uint16_t type) {
    switch (type) {
        case gso_max_size:
            return &limits.gso;
        case gro_max_size:
            return &limits.gro;
        case gso_ipv4_max_size:
            return &limits.gso_ipv4;
        case gro_ipv4_max_size:
            return &limits.gro_ipv4;
        case tso_max_size:
            return &limits.tso;
        default:
            return nullptr;
    }
}

int note_attribute(const nlattr* attribute, void* limits) {
    std::uint32_t* field =
        field_of(*static_cast<size_limits*>(limits), ::mnl_attr_get_type(attribute));
    if (field != nullptr && ::mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
        *field = ::mnl_attr_get_u32(attribute);
    return MNL_CB_OK;
}

int note_link(const nlmsghdr* message, void* limits) {
    return ::mnl_attr_parse(message, sizeof(ifinfomsg), note_attribute, limits);
}

// Sends the message and reads up to its acknowledgement. 0 or an errno value.
int exchange(const netlink_socket& socket, const nlmsghdr* message, size_limits* limits) {
    if (::mnl_socket_sendto(socket.get(), message, message->nlmsg_len) < 0) return errno;
    const unsigned port = ::mnl_socket_get_portid(socket.get());
    message_buffer buffer;
    for (int more = MNL_CB_OK; more > MNL_CB_STOP;) {
        const ssize_t length = ::mnl_socket_recvfrom(socket.get(), buffer.data(), buffer.size());
        if (length < 0) return errno;
        more = ::mnl_cb_run(buffer.data(), static_cast<std::size_t>(length), 1, port,
                            limits == nullptr ? nullptr : note_link, limits);
        if (more < 0) return errno;
    }
    return 0;
}

}  // namespace

size_limits read_size_limits(const std::string& space, const std::string& device) {
    const netlink_socket socket = open_in(space);
    message_buffer buffer;
    size_limits limits;
    const int failed = exchange(socket, start_message(buffer, RTM_GETLINK, device), &limits);
    if (failed != 0)
        throw command_failure("read the size limits of " + device + " in " + space + ": " +
                              xsk::errno_text(failed));
    return limits;
}

size_limits set_size_limits(const std::string& space, const std::string& device,
                            std::uint32_t bytes) {
    const netlink_socket socket = open_in(space);
    message_buffer buffer;
    nlmsghdr* message = start_message(buffer, RTM_NEWLINK, device);
    for (std::uint16_t knob : {gso_max_size, gro_max_size, gso_ipv4_max_size, gro_ipv4_max_size})
        ::mnl_attr_put_u32(message, knob, bytes);
    const int failed = exchange(socket, message, nullptr);
    if (failed == 0) return read_size_limits(space, device);
    const std::uint32_t ceiling = read_size_limits(space, device).tso;
    throw command_failure("set the size limits of " + device + " in " + space + " to " +
                              std::to_string(bytes) + ": " + xsk::errno_text(failed),
                          ceiling == 0 ? "BIG TCP needs Linux 5.19 or later"
                                       : "the device takes at most " + std::to_string(ceiling));
}

}  // namespace skein::tool
