// SPDX-License-Identifier: Apache-2.0
// Netlink messages as the kernel's headers lay them out, and cut anywhere.
#include "../../../xsk/src/netlink_message.hpp"

#include <linux/genetlink.h>
#include <linux/rtnetlink.h>

#include <cstring>

#include "support/catch.hpp"
#include "support/fake_netlink.hpp"

using namespace skein::test;
using namespace skein::xsk;

namespace {

template <class Value>
Value at(std::span<const std::byte> bytes, std::size_t offset) {
    Value value{};
    REQUIRE(bytes.size() >= offset + sizeof value);
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

const fake_device example{.name = "fake0", .mtu_bytes = 9000, .xdp_features = 0x23, .index = 7};

}  // namespace

TEST_CASE("a question about a link is the kernel's own struct") {
    const auto question = netlink::ask_for_link(7);
    const auto header = at<nlmsghdr>(question.span(), 0);
    CHECK(header.nlmsg_len == question.length);
    CHECK(header.nlmsg_len == NLMSG_LENGTH(sizeof(ifinfomsg)));
    CHECK(header.nlmsg_type == RTM_GETLINK);
    CHECK(header.nlmsg_flags == NLM_F_REQUEST);
    CHECK(at<ifinfomsg>(question.span(), NLMSG_HDRLEN).ifi_index == 7);
}

TEST_CASE("a question about features names the device") {
    const auto question = netlink::ask_for_features(0x1c, 7);
    CHECK(at<nlmsghdr>(question.span(), 0).nlmsg_type == 0x1c);
    CHECK(at<genlmsghdr>(question.span(), NLMSG_HDRLEN).cmd == 1);
    const auto attribute = at<nlattr>(question.span(), NLMSG_HDRLEN + GENL_HDRLEN);
    CHECK(attribute.nla_len == 8);
    CHECK(attribute.nla_type == 1);
    CHECK(at<std::uint32_t>(question.span(), NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN) == 7);
}

TEST_CASE("the question for the family spells its name") {
    const auto question = netlink::ask_for_family();
    CHECK(at<nlmsghdr>(question.span(), 0).nlmsg_type == GENL_ID_CTRL);
    const auto name = at<std::array<char, 7>>(question.span(), NLMSG_HDRLEN + GENL_HDRLEN + 4);
    CHECK(std::string(name.data()) == "netdev");
}

TEST_CASE("a link's message is read, whatever is behind it") {
    auto received = link_message(RTM_NEWLINK, example);
    const auto alone = received.size();
    const auto second = link_message(RTM_DELLINK, example);
    received.insert(received.end(), second.begin(), second.end());
    const auto first = netlink::first_message(received);
    REQUIRE(first);
    CHECK(first->whole_bytes == alone);
    device_state device{.index = 7};
    netlink::apply_link(*first, device);
    CHECK(device.present);
    CHECK(device.up);
    CHECK(device.mtu_bytes == 9000);
    CHECK(device.interface() == "fake0");
    const auto next = netlink::first_message(std::span(received).subspan(first->whole_bytes));
    REQUIRE(next);
    netlink::apply_link(*next, device);
    CHECK_FALSE(device.present);
}

TEST_CASE("a message of another device changes nothing") {
    device_state device{.index = 8};
    const auto received = link_message(RTM_NEWLINK, example);
    netlink::apply_link(*netlink::first_message(received), device);
    CHECK(device == device_state{.index = 8});
    const auto features = feature_message(4, example);
    netlink::apply_features(*netlink::first_message(features), fake_netlink::netdev_family, device);
    CHECK(device == device_state{.index = 8});
}

TEST_CASE("a message cut anywhere, or with any byte changed, is read within its bounds") {
    for (const auto& whole : {link_message(RTM_NEWLINK, example), feature_message(4, example)}) {
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            for (int flip = -1; flip < static_cast<int>(length); ++flip) {
                // In memory of exactly that size, for the sanitizers to see.
                netlink_bytes damaged(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(length));
                if (flip >= 0) damaged[static_cast<std::size_t>(flip)] ^= std::byte{0xff};
                const auto message = netlink::first_message(damaged);
                if (!message) continue;
                REQUIRE(message->whole_bytes <= length);
                device_state device{.index = 7};
                netlink::apply_link(*message, device);
                netlink::apply_features(*message, fake_netlink::netdev_family, device);
                REQUIRE(device.name.back() == '\0');
                netlink::read_family(*message);
            }
        }
    }
}
