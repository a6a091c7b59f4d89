// SPDX-License-Identifier: Apache-2.0
#include "netlink_message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace skein::inline v0::xsk::netlink {

namespace {

struct message_header {
    std::uint32_t length;
    std::uint16_t type;
    std::uint16_t flags;
    std::uint32_t sequence;
    std::uint32_t port;
};
static_assert(sizeof(message_header) == 16);

struct link_header {  // struct ifinfomsg
    std::uint8_t family;
    std::uint8_t padding;
    std::uint16_t type;
    std::uint32_t index;
    std::uint32_t flags;
    std::uint32_t change;
};
static_assert(sizeof(link_header) == 16);

struct generic_header {
    std::uint8_t command;
    std::uint8_t version;
    std::uint16_t reserved;
};
static_assert(sizeof(generic_header) == 4);

struct attribute_header {
    std::uint16_t length;
    std::uint16_t type;
};

constexpr std::uint16_t flag_request = 1;
constexpr std::uint16_t type_error = 2;
constexpr std::uint16_t new_link = 16;
constexpr std::uint16_t delete_link = 17;
constexpr std::uint16_t get_link = 18;
constexpr std::uint16_t type_control = 16;  // GENL_ID_CTRL

constexpr std::uint8_t get_family = 3;
constexpr std::uint8_t get_device = 1;  // NETDEV_CMD_DEV_GET

constexpr std::uint32_t link_is_up = 1;               // IFF_UP
constexpr std::uint32_t link_has_carrier = 1u << 16;  // IFF_LOWER_UP

constexpr std::uint16_t attribute_name = 3;  // IFLA_IFNAME
constexpr std::uint16_t attribute_mtu = 4;   // IFLA_MTU

constexpr std::uint16_t family_id = 1;
constexpr std::uint16_t family_name = 2;
constexpr std::uint16_t family_groups = 7;
constexpr std::uint16_t group_name = 1;
constexpr std::uint16_t group_id = 2;

constexpr std::uint16_t device_index = 1;
constexpr std::uint16_t device_features = 3;

constexpr std::size_t aligned(std::size_t bytes) noexcept {
    return (bytes + 3) & ~std::size_t{3};
}

// What stands at the front of these bytes; nothing where they do not suffice.
template <class Value>
std::optional<Value> front(std::span<const std::byte> bytes) noexcept {
    Value value;
    if (bytes.size() < sizeof value) return std::nullopt;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
    const auto* begin = reinterpret_cast<const char*>(bytes.data());
    return {begin, static_cast<std::size_t>(std::find(begin, begin + bytes.size(), '\0') - begin)};
}

// Calls what(type, payload) for each whole attribute.
template <class What>
void for_each_attribute(std::span<const std::byte> rest, What&& what) noexcept {
    constexpr std::uint16_t type_mask = 0x3fff;  // without NLA_F_NESTED, NLA_F_NET_BYTEORDER
    while (const auto header = front<attribute_header>(rest)) {
        if (header->length < sizeof *header || header->length > rest.size()) return;
        what(static_cast<std::uint16_t>(header->type & type_mask),
             rest.subspan(sizeof *header, header->length - sizeof *header));
        rest = rest.subspan(std::min(aligned(header->length), rest.size()));
    }
}

class writer {
  public:
    explicit writer(std::uint16_t type) noexcept {
        put(message_header{0, type, flag_request, 1, 0});
    }

    template <class Value>
    writer& put(const Value& value) noexcept {
        std::memcpy(message_.bytes.data() + message_.length, &value, sizeof value);
        message_.length += aligned(sizeof value);
        return *this;
    }
    template <class Value>
    writer& attribute(std::uint16_t type, const Value& value) noexcept {
        put(attribute_header{sizeof(attribute_header) + sizeof value, type});
        return put(value);
    }
    request done() noexcept {
        const auto length = static_cast<std::uint32_t>(message_.length);
        std::memcpy(message_.bytes.data(), &length, sizeof length);
        return message_;
    }

  private:
    request message_;
};

void apply_attribute(std::uint16_t type, std::span<const std::byte> value,
                     device_state& device) noexcept {
    if (type == attribute_mtu) {
        device.mtu_bytes = front<std::uint32_t>(value).value_or(device.mtu_bytes);
    } else if (type == attribute_name) {
        const auto name = text_of(value).substr(0, device.name.size() - 1);
        device.name = {};
        name.copy(device.name.data(), name.size());
    }
}

}  // namespace

request ask_for_link(std::uint32_t interface_index) noexcept {
    return writer(get_link).put(link_header{0, 0, 0, interface_index, 0, 0}).done();
}

request ask_for_family() noexcept {
    return writer(type_control)
        .put(generic_header{get_family, 1, 0})
        .attribute(family_name, std::array<char, 7>{"netdev"})
        .done();
}

request ask_for_features(std::uint16_t family, std::uint32_t interface_index) noexcept {
    return writer(family)
        .put(generic_header{get_device, 1, 0})
        .attribute(device_index, interface_index)
        .done();
}

std::optional<message> first_message(std::span<const std::byte> received) noexcept {
    const auto header = front<message_header>(received);
    if (!header || header->length < sizeof *header || header->length > received.size()) return {};
    return message{header->type, received.subspan(sizeof *header, header->length - sizeof *header),
                   std::min(aligned(header->length), received.size())};
}

// A bridge speaks of its ports in messages of its own family, which end with the membership, not
// with the device.
void apply_link(const message& m, device_state& device) noexcept {
    if (m.type == type_error) {
        const auto error = front<std::int32_t>(m.payload);
        if (error && *error == -ENODEV) device.present = false;
        return;
    }
    if (m.type != new_link && m.type != delete_link) return;
    const auto link = front<link_header>(m.payload);
    if (!link || link->family != 0 || link->index != device.index) return;
    device.present = m.type == new_link;
    device.up = (link->flags & link_is_up) != 0;
    device.carrier = (link->flags & link_has_carrier) != 0;
    for_each_attribute(m.payload.subspan(sizeof *link),
                       [&](auto type, auto value) { apply_attribute(type, value, device); });
}

// Answers and notifications (a device added, changed) look the same; of one that is gone rtnetlink
// tells.
void apply_features(const message& m, std::uint16_t family, device_state& device) noexcept {
    if (m.type != family || m.payload.size() < sizeof(generic_header)) return;
    std::optional<std::uint32_t> index;
    std::optional<std::uint64_t> features;
    for_each_attribute(m.payload.subspan(sizeof(generic_header)), [&](auto type, auto value) {
        if (type == device_index) index = front<std::uint32_t>(value);
        if (type == device_features) features = front<std::uint64_t>(value);
    });
    if (index == device.index && features) device.xdp_features = features;
}

std::optional<family> read_family(const message& m) noexcept {
    if (m.type != type_control || m.payload.size() < sizeof(generic_header)) return {};
    std::optional<std::uint16_t> id;
    std::optional<std::uint32_t> group;
    const auto look_at_group = [&](auto, auto attributes) {
        std::string_view name;
        std::optional<std::uint32_t> number;
        for_each_attribute(attributes, [&](auto type, auto value) {
            if (type == group_name) name = text_of(value);
            if (type == group_id) number = front<std::uint32_t>(value);
        });
        if (name == "mgmt") group = number;
    };
    for_each_attribute(m.payload.subspan(sizeof(generic_header)), [&](auto type, auto value) {
        if (type == family_id) id = front<std::uint16_t>(value);
        if (type == family_groups) for_each_attribute(value, look_at_group);
    });
    if (!id || !group) return {};
    return family{*id, *group};
}

}  // namespace skein::inline v0::xsk::netlink
