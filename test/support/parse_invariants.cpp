// SPDX-License-Identifier: Apache-2.0
#include "support/parse_invariants.hpp"

#include <optional>

namespace skein::test {

namespace {

// Reads bytes through a volatile sum, so that no read of a view is left out.
class reader {
  public:
    explicit reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::span<const std::byte> at(std::size_t offset, std::size_t size) const {
        return bytes_.subspan(offset, size);
    }
    template <class Number>
    void use(Number number) {
        sink_ = sink_ + static_cast<std::uint64_t>(number);
    }
    void use(std::span<const std::byte> data) {
        for (const std::byte byte : data)
            use(std::to_integer<unsigned>(byte));
    }

  private:
    std::span<const std::byte> bytes_;
    volatile std::uint64_t sink_ = 0;
};

void use_options(reader& reading, const wire::option_list& options) {
    std::size_t steps = 0;
    for (const wire::option& each : options) {
        reading.use(each.data);
        ++steps;
    }
    reading.use(steps);
    reading.use(options.is_well_formed());
}

bool reads_ipv4(reader& reading, const parsed_headers& found) {
    const auto view = wire::ipv4_view::check(reading.at(found.l3_offset, found.l3_bytes));
    if (!view) return false;
    reading.use(view->bytes());
    use_options(reading, view->options());
    return view->bytes().size() == found.l3_bytes && view->protocol() == found.protocol;
}

bool reads_ipv6(reader& reading, const parsed_headers& found) {
    const auto view = wire::ipv6_view::check(reading.at(found.l3_offset, found.l3_bytes));
    if (!view) return false;
    reading.use(view->bytes());
    return view->bytes().size() <= found.l3_bytes;
}

bool reads_tcp(reader& reading, const parsed_headers& found) {
    const auto view = wire::tcp_view::check(reading.at(found.l4_offset, found.l4_bytes));
    if (!view) return found.is_cut;
    reading.use(view->flags().bits);
    const auto options = view->options();
    use_options(reading, options);
    reading.use(options.mss().value_or(0));
    reading.use(options.sack().count);
    reading.use(options.timestamps().value_or(wire::tcp_timestamps{}).value);
    return view->bytes().size() == found.l4_bytes;
}

bool reads_sctp(reader& reading, const parsed_headers& found) {
    const auto view = wire::sctp_view::check(reading.at(found.l4_offset, found.l4_bytes));
    if (!view) return found.is_cut;
    const wire::sctp_chunk_list chunks(reading.at(found.payload_offset, found.payload_bytes));
    for (const wire::sctp_chunk& each : chunks)
        reading.use(each.value);
    reading.use(static_cast<unsigned>(chunks.reason()));
    return true;
}

bool reads_l4(reader& reading, const parsed_headers& found) {
    const auto header = reading.at(found.l4_offset, found.l4_bytes);
    switch (found.protocol) {
        case wire::ip_protocol::tcp:
            return reads_tcp(reading, found);
        case wire::ip_protocol::sctp:
            return reads_sctp(reading, found);
        case wire::ip_protocol::udp:
            return static_cast<bool>(wire::udp_view::check(header));
        case wire::ip_protocol::icmp:
            return static_cast<bool>(wire::icmpv4_view::check(header));
        case wire::ip_protocol::icmpv6:
            return static_cast<bool>(wire::icmpv6_view::check(header));
        default:
            return false;
    }
}

bool lies_inside(std::uint64_t offset, std::uint64_t size, std::uint64_t end) {
    return offset <= end && size <= end - offset;
}

std::string_view violated_fragment(const parsed_headers& found) {
    const fragment_info& fragment = found.fragment;
    if (fragment.is_fragment && fragment.is_atomic) return "fragment and atomic at once";
    if (!fragment.is_fragment && !fragment.is_atomic) return "";
    if (fragment.offset_bytes % 8 != 0) return "fragment offset";
    if (fragment.data_offset + std::uint64_t{fragment.data_bytes} != found.ip_end())
        return "fragment data end with the packet";
    if (fragment.data_offset > found.l4_offset) return "fragment data begin before the transport";
    if (fragment.is_fragment && fragment.offset_bytes != 0 && found.has_l4())
        return "later fragments have no transport header";
    return "";
}

std::string_view violated_layout(std::size_t size, const parsed_headers& found) {
    if (!lies_inside(found.l3_offset, found.ip_bytes, size)) return "IP packet lies inside";
    if (found.l3_offset + found.l3_bytes != found.l4_offset) return "transport follows IP";
    if (found.l4_offset + found.l4_bytes != found.payload_offset)
        return "payload follows transport";
    if (found.payload_offset + std::uint64_t{found.payload_bytes} != found.ip_end())
        return "payload ends with the IP packet";
    if (found.is_aggregate && found.ip_end() != size) return "aggregates fill the capture";
    return violated_fragment(found);
}

// What was found before a fault lies inside as well.
std::string_view violated_after_fault(std::size_t size, const parsed_headers& found) {
    if (found.l3_offset > size) return "network header begins inside";
    if (!lies_inside(found.l3_offset, found.ip_bytes, size)) return "IP packet lies inside";
    if (found.l4_offset > size || found.payload_offset > size) return "offsets lie inside";
    if (found.has_l4()) return "no transport header after a fault";
    return "";
}

}  // namespace

std::array<parse_options, 5> every_parse_option() {
    constexpr auto aggregate = zero_length_rule::own_aggregate;
    return {{{},
             {.zero_length = aggregate},
             {.zero_length = aggregate, .snapped = true},
             {.quoted = true},
             {.zero_length = aggregate, .quoted = true}}};
}

std::string_view violated_invariant(std::span<const std::byte> bytes, const parsed_headers& found) {
    if (found.vlans.size() > wire::max_vlan_tags) return "tags fit";
    if (!found.is_ok()) return violated_after_fault(bytes.size(), found);
    if (found.l3_offset > bytes.size()) return "network header begins inside";
    if (!found.is_ip()) return found.has_l4() ? "no transport without IP" : "";
    const std::string_view layout = violated_layout(bytes.size(), found);
    if (!layout.empty()) return layout;
    reader reading(bytes);
    const bool reads_l3 =
        found.l3 == l3_kind::ipv4 ? reads_ipv4(reading, found) : reads_ipv6(reading, found);
    if (!reads_l3) return "a view over the IP header";
    if (found.has_l4() && !reads_l4(reading, found)) return "a view over the transport header";
    return "";
}

}  // namespace skein::test
