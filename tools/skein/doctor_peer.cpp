// SPDX-License-Identifier: Apache-2.0
// The other end of a veth, wherever it is. rtnetlink names it by its index and by this namespace's
// own number for the namespace it is in; which of the named ones that is, rtnetlink says as well.
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include <array>
#include <memory>

#include <fmt/format.h>
#include <skein/xsk/error.hpp>
#include <skein/xsk/interface.hpp>

#include "command.hpp"
#include "doctor.hpp"
#include "file_descriptor.hpp"
#include "lab_namespace.hpp"

namespace skein::tool {

namespace {

using message_buffer = std::array<char, 32768>;

struct closer {
    void operator()(mnl_socket* socket) const noexcept { ::mnl_socket_close(socket); }
};

// Two attributes of an answer, as signed numbers; -1 where there is none.
struct wanted {
    std::uint16_t first_type, second_type;
    std::uint32_t extra_bytes;
    std::int32_t first = -1, second = -1;
};

int note(const nlattr* attribute, void* data) {
    auto& want = *static_cast<wanted*>(data);
    if (::mnl_attr_validate(attribute, MNL_TYPE_U32) < 0) return MNL_CB_OK;
    const auto value = static_cast<std::int32_t>(::mnl_attr_get_u32(attribute));
    if (::mnl_attr_get_type(attribute) == want.first_type) want.first = value;
    if (::mnl_attr_get_type(attribute) == want.second_type) want.second = value;
    return MNL_CB_OK;
}

int look(const nlmsghdr* message, void* data) {
    return ::mnl_attr_parse(message, static_cast<wanted*>(data)->extra_bytes, note, data);
}

bool ask(nlmsghdr* question, wanted& want) {
    const std::unique_ptr<mnl_socket, closer> socket(
        ::mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC));
    if (!socket || ::mnl_socket_bind(socket.get(), 0, MNL_SOCKET_AUTOPID) != 0) return false;
    question->nlmsg_flags = NLM_F_REQUEST;
    question->nlmsg_seq = 1;
    if (::mnl_socket_sendto(socket.get(), question, question->nlmsg_len) < 0) return false;
    message_buffer answer;
    const auto length = ::mnl_socket_recvfrom(socket.get(), answer.data(), answer.size());
    return length > 0 && ::mnl_cb_run(answer.data(), static_cast<std::size_t>(length), 1,
                                      ::mnl_socket_get_portid(socket.get()), look, &want) >= 0;
}

// The peer's index, and the number of its namespace; -1: this one.
wanted ask_for_peer(std::uint32_t index) {
    message_buffer buffer;
    nlmsghdr* question = ::mnl_nlmsg_put_header(buffer.data());
    question->nlmsg_type = RTM_GETLINK;
    auto* link = static_cast<ifinfomsg*>(::mnl_nlmsg_put_extra_header(question, sizeof(ifinfomsg)));
    link->ifi_index = static_cast<int>(index);
    wanted want{IFLA_LINK, IFLA_LINK_NETNSID, sizeof(ifinfomsg)};
    ask(question, want);
    return want;
}

std::int32_t number_of(const std::string& space) {
    const file_descriptor opened(::open(("/run/netns/" + space).c_str(), O_RDONLY | O_CLOEXEC));
    if (opened.number() < 0) return -1;
    message_buffer buffer;
    nlmsghdr* question = ::mnl_nlmsg_put_header(buffer.data());
    question->nlmsg_type = RTM_GETNSID;
    ::mnl_nlmsg_put_extra_header(question, sizeof(rtgenmsg));
    ::mnl_attr_put_u32(question, NETNSA_FD, static_cast<std::uint32_t>(opened.number()));
    wanted want{NETNSA_NSID, NETNSA_NSID, sizeof(rtgenmsg)};
    ask(question, want);
    return want.first;
}

peer_facts look_at(std::uint32_t index, const std::string& space) {
    std::array<char, IF_NAMESIZE> name{};
    if (::if_indextoname(index, name.data()) == nullptr)
        return {.hidden = "it is not where it should be"};
    const auto device = xsk::discover(name.data());
    const std::uint32_t queues = device.channels ? device.channels->tx + device.channels->combined
                                                 : device.caps.values.queues;
    return {.name = device.interface,
            .space = space,
            .mtu = device.caps.values.mtu,
            .tx_queues = queues,
            .up = device.up,
            .tx_checksum = device.offload_is_on("tx-checksum-ip-generic"),
            .tx_vlan = device.offload_is_on("tx-vlan-hw-insert")};
}

}  // namespace

std::optional<peer_facts> find_peer(const xsk::discovered_device& device) {
    if (device.driver != "veth") return {};
    const wanted peer = ask_for_peer(device.index);
    if (peer.first <= 0) return peer_facts{.hidden = "the kernel does not tell its index"};
    const auto index = static_cast<std::uint32_t>(peer.first);
    if (peer.second < 0) return look_at(index, "");
    for (const std::string& space : named_spaces()) {
        if (number_of(space) != peer.second) continue;
        try {
            const namespace_visit visit(space);
            return look_at(index, space);
        } catch (const command_failure& refused) {
            return peer_facts{.space = space, .hidden = refused.what()};
        }
    }
    return peer_facts{.hidden = "it is in a network namespace without a name under /run/netns"};
}

}  // namespace skein::tool
