// SPDX-License-Identifier: Apache-2.0
// How a packet_builder's headers become a frame: laid end to end, then filled in.
#include <algorithm>
#include <utility>

#include <skein/checksum.hpp>

#include "support/packet_builder.hpp"

namespace skein::test {

using wire::ether_type;
using wire::number;

// The frame while it is put together: headers laid end to end, then fixed from the inside out.
struct packet_builder::assembly {
    const packet_builder& from;
    std::vector<layer> layers;
    bytes frame;

    explicit assembly(const packet_builder& builder) : from(builder), layers(builder.layers_) {
        for (layer& each : layers) {
            each.offset = frame.size();
            frame.insert(frame.end(), each.header.begin(), each.header.end());
        }
    }

    std::byte* at(const layer& where) { return frame.data() + where.offset; }
    std::span<std::byte> rest(const layer& where) { return std::span(frame).subspan(where.offset); }

    void name_successor(std::size_t index) {
        const layer& outer = layers[index];
        const layer& inner = layers[index + 1];
        if (outer.type_at && inner.type != ether_type{})
            store_be(at(outer) + *outer.type_at, number(inner.type));
        if (outer.protocol_at && inner.protocol)
            store_be(at(outer) + *outer.protocol_at, number(*inner.protocol));
    }

    bool is_innermost_ip(std::size_t index) const {
        return std::none_of(
            layers.begin() + static_cast<std::ptrdiff_t>(index) + 1, layers.end(),
            [](const layer& each) { return each.what == kind::ipv4 || each.what == kind::ipv6; });
    }
    const layer* ip_before(std::size_t index) const {
        for (std::size_t i = index; i-- > 0;)
            if (layers[i].what == kind::ipv4 || layers[i].what == kind::ipv6) return &layers[i];
        return nullptr;
    }

    internet_sum pseudo_header(std::size_t index, std::size_t length) {
        const layer* ip = ip_before(index);
        if (ip == nullptr) return {};
        const auto size = static_cast<std::uint32_t>(length);
        if (ip->what == kind::ipv4) {
            const auto view = wire::ipv4_view::check(rest(*ip));
            return pseudo_header_sum(view->source(), view->destination(), *layers[index].protocol,
                                     size);
        }
        const auto view = wire::ipv6_view::check(rest(*ip));
        return pseudo_header_sum(view->source(), view->destination(), *layers[index].protocol,
                                 size);
    }

    void fill_l4_checksum(std::size_t index, std::size_t field_at, bool has_pseudo_header) {
        const layer& l4 = layers[index];
        const auto covered = rest(l4);
        store_be(at(l4) + field_at, std::uint16_t{0});
        internet_sum sum;
        if (has_pseudo_header) sum = pseudo_header(index, covered.size());
        sum.add(covered);
        std::uint16_t checksum = sum.finish();
        if (l4.what == kind::udp) checksum = udp_checksum(checksum);
        if (from.wrong_l4_checksum_) checksum ^= 0x0100;
        store_be(at(l4) + field_at, from.no_l4_checksum_ ? std::uint16_t{0} : checksum);
    }

    void finish_ipv4(std::size_t index) {
        const layer& ip = layers[index];
        const std::size_t length = rest(ip).size();
        auto stated = static_cast<std::uint16_t>(length > 0xffff ? 0 : length);
        if (from.ip_length_ && is_innermost_ip(index)) stated = *from.ip_length_;
        const std::size_t header_bytes = ip.header.size();
        store_be(at(ip) + 2, stated);
        store_be(at(ip) + 10, std::uint16_t{0});
        std::uint16_t checksum = internet_sum(rest(ip).first(header_bytes)).finish();
        if (from.wrong_ip_checksum_ && is_innermost_ip(index)) checksum ^= 0x0100;
        store_be(at(ip) + 10, checksum);
    }

    void finish_ipv6(std::size_t index) {
        const layer& ip = layers[index];
        const std::size_t length = rest(ip).size() - ip.header.size();
        auto stated = static_cast<std::uint16_t>(length > 0xffff ? 0 : length);
        if (from.ip_length_ && is_innermost_ip(index)) stated = *from.ip_length_;
        store_be(at(ip) + 4, stated);
    }

    void finish_udp(std::size_t index) {
        const std::size_t length = rest(layers[index]).size();
        const auto stated = static_cast<std::uint16_t>(length > 0xffff ? 0 : length);
        store_be(at(layers[index]) + 4, from.udp_length_.value_or(stated));
        fill_l4_checksum(index, 6, true);
    }

    void finish_sctp(std::size_t index) {
        const auto covered = rest(layers[index]);
        store_be(covered.data() + 8, std::uint32_t{0});
        std::uint32_t crc = slow_crc32c(covered);
        if (from.wrong_l4_checksum_) crc ^= 0x0100;
        wire::sctp_mutable_view::check(covered)->set_checksum(from.no_l4_checksum_ ? 0 : crc);
    }

    void finish(std::size_t index) {
        const layer& each = layers[index];
        switch (each.what) {
            case kind::ipv4:
                return finish_ipv4(index);
            case kind::ipv6:
                return finish_ipv6(index);
            case kind::jumbo:
                return store_be(at(each) + 4, static_cast<std::uint32_t>(rest(each).size()));
            case kind::udp:
                return finish_udp(index);
            case kind::tcp:
                return fill_l4_checksum(index, 16, true);
            case kind::icmp:
                return fill_l4_checksum(index, 2, false);
            case kind::icmpv6:
                return fill_l4_checksum(index, 2, true);
            case kind::sctp:
                return finish_sctp(index);
            default:
                return;
        }
    }
};

bytes packet_builder::build() const {
    assembly made(*this);
    for (std::size_t i = 0; i + 1 < made.layers.size(); ++i)
        made.name_successor(i);
    for (std::size_t i = made.layers.size(); i-- > 0;)
        made.finish(i);
    made.frame.resize(std::max(made.frame.size(), frame_bytes_));
    return std::move(made.frame);
}

}  // namespace skein::test
