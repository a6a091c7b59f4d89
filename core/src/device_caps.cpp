// SPDX-License-Identifier: Apache-2.0
#include <skein/device_caps.hpp>

#include <algorithm>

namespace skein::inline v0 {

namespace {

struct caps_entry {
    std::string_view name;
    caps_kind kind;
};

#define SKEIN_CAPS_ENTRY(name, kind, fallback) caps_entry{#name, caps_kind::kind},
constexpr std::array<caps_entry, capability_count> entries{SKEIN_DEVICE_CAPS(SKEIN_CAPS_ENTRY)};
#undef SKEIN_CAPS_ENTRY

// One packet: Linux 6.12 include/linux/skbuff.h MAX_SKB_FRAGS, and the linear part before them.
constexpr std::uint32_t most_fragments = 17;
constexpr std::uint32_t copy_mode_segments = most_fragments + 1;

void store(device_caps& caps, capability which, std::uint32_t value) noexcept {
    switch (which) {
#define SKEIN_CAPS_STORE(name, kind, fallback)               \
    case capability::name:                                   \
        caps.name = static_cast<decltype(caps.name)>(value); \
        return;
        SKEIN_DEVICE_CAPS(SKEIN_CAPS_STORE)
#undef SKEIN_CAPS_STORE
    }
}

class settling {
  public:
    void take(const known_caps& known, caps_source source) noexcept {
        for (std::size_t i = 0; i < capability_count; ++i) {
            const auto which = static_cast<capability>(i);
            if (const auto value = known.find(which)) put(which, *value, source);
        }
    }

    // What follows from something else; an override stays.
    void derive(capability which, std::uint32_t value, caps_source source) noexcept {
        if (report_.source_of(which) != caps_source::overridden) put(which, value, source);
    }
    void derive_from(capability origin, capability which, std::uint32_t value) noexcept {
        derive(which, value, report_.source_of(origin));
    }

    const device_caps& caps() const noexcept { return report_.values; }
    const caps_report& report() const noexcept { return report_; }

  private:
    void put(capability which, std::uint32_t value, caps_source source) noexcept {
        store(report_.values, which, value);
        report_.sources[static_cast<std::size_t>(which)] = source;
    }

    caps_report report_;
};

// A driver's zero-copy path takes what it announces, and nothing of the kernel's stands before it.
void settle_zero_copy(settling& s, const kernel_abilities& kernel) {
    using enum capability;
    const auto most = s.caps().zc_max_segments;
    s.derive_from(zc_max_segments, max_tx_segments, most);
    s.derive_from(zc_max_segments, scatter_gather, most > 1);
    s.derive_from(zero_copy, segment_cost_bytes, zero_copy_segment_cost_bytes);
    const bool timestamp = (kernel.xsk_features & xsk_feature::tx_timestamp) != 0;
    const bool checksum = (kernel.xsk_features & xsk_feature::tx_checksum) != 0;
    s.derive_from(zero_copy, tx_timestamp, timestamp);
    s.derive_from(zero_copy, tx_checksum, checksum);
}

// The kernel copies each piece: the first into the linear part, further ones into a page each. With
// tx_no_linear it copies nothing and hands the device the pages.
void settle_copy_segments(settling& s, const kernel_abilities& kernel) {
    using enum capability;
    s.derive(max_tx_segments, copy_mode_segments, caps_source::by_default);
    s.derive(segment_cost_bytes, copy_segment_cost_bytes, caps_source::by_default);
    if (s.caps().tx_no_linear) {
        s.derive_from(tx_no_linear, max_tx_segments, most_fragments);
        s.derive_from(tx_no_linear, segment_cost_bytes, page_segment_cost_bytes);
    }
    if (kernel.multi_buffer) s.derive(scatter_gather, *kernel.multi_buffer, caps_source::kernel);
    if (!s.caps().scatter_gather) s.derive_from(scatter_gather, max_tx_segments, 1);
}

// The kernel finishes requests itself, but cannot sum what has no linear part (skb_checksum_help).
void settle_copy_requests(settling& s, const kernel_abilities& kernel) {
    using enum capability;
    if (!kernel.tx_metadata) return;
    const bool pages = s.caps().tx_no_linear;
    const bool taken = *kernel.tx_metadata && (!pages || kernel.no_linear_metadata.value_or(false));
    s.derive(tx_timestamp, taken, caps_source::kernel);
    s.derive(tx_checksum, taken && (!pages || kernel.hardware_checksum.value_or(false)),
             caps_source::kernel);
}

}  // namespace

caps_report settle_caps(const known_caps& overrides, const known_caps& kernel,
                        const known_caps& table, const kernel_abilities& abilities) {
    settling s;
    s.take(table, caps_source::table);
    s.take(kernel, caps_source::kernel);
    s.take(overrides, caps_source::overridden);
    if (s.caps().zero_copy) {
        settle_zero_copy(s, abilities);
    } else {
        settle_copy_segments(s, abilities);
        settle_copy_requests(s, abilities);
    }
    if (s.caps().tx_no_linear) {
        s.derive_from(capability::tx_no_linear, capability::min_head_bytes, 0);
    }
    return s.report();
}

std::string_view to_string(capability which) noexcept {
    return entries[static_cast<std::size_t>(which)].name;
}

caps_kind kind_of(capability which) noexcept {
    return entries[static_cast<std::size_t>(which)].kind;
}

std::string_view to_string(caps_source source) noexcept {
    switch (source) {
        case caps_source::by_default:
            return "default";
        case caps_source::table:
            return "table";
        case caps_source::kernel:
            return "kernel";
        case caps_source::overridden:
            return "override";
    }
    return "unknown";
}

std::optional<capability> capability_named(std::string_view name) noexcept {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const caps_entry& entry) { return entry.name == name; });
    if (found == entries.end()) return {};
    return static_cast<capability>(found - entries.begin());
}

std::uint32_t value_of(const device_caps& caps, capability which) noexcept {
    switch (which) {
#define SKEIN_CAPS_LOAD(name, kind, fallback) \
    case capability::name:                    \
        return static_cast<std::uint32_t>(caps.name);
        SKEIN_DEVICE_CAPS(SKEIN_CAPS_LOAD)
#undef SKEIN_CAPS_LOAD
    }
    return 0;
}

std::span<const std::string_view> bit_names(capability which) noexcept {
    static constexpr std::array<std::string_view, 7> features = {
        "basic", "redirect", "ndo_xmit", "xsk_zerocopy", "hw_offload", "rx_sg", "ndo_xmit_sg"};
    static constexpr std::array<std::string_view, 3> metadata = {"timestamp", "hash", "vlan_tag"};
    if (which == capability::xdp_features) return features;
    if (which == capability::rx_metadata) return metadata;
    return {};
}

}  // namespace skein::inline v0
