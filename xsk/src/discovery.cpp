// SPDX-License-Identifier: Apache-2.0
#include <skein/xsk/discovery.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <skein/xsk/error.hpp>

#include "interface.hpp"
#include "probe.hpp"
#include "sys.hpp"
#include "sys_device.hpp"

namespace skein::inline v0::xsk {

namespace {

constexpr std::string_view probe_names[] = {
#define SKEIN_PROBE_NAME(name) #name,
    SKEIN_PROBE_FACTS(SKEIN_PROBE_NAME)
#undef SKEIN_PROBE_NAME
};

// The features that came with a release, where the kernel's structures could not be asked.
constexpr kernel_release with_multi_buffer{6, 6};
constexpr kernel_release with_tx_metadata{6, 8};
constexpr kernel_release with_no_linear_metadata{6, 18};

class inquiry {
  public:
    inquiry(const interface_facts& facts, const caps_overrides& overrides)
        : facts_(facts), release_(parse_release(sys::kernel_release())) {
        device_.interface = facts.name;
        device_.index = facts.index;
        device_.driver = facts.driver;
        device_.kernel = sys::kernel_release();
        const bool told = !overrides.driver.empty();
        device_.row = find_driver(told ? overrides.driver : facts.driver, overrides.variant);
    }

    void ask_about_link() {
        known_.set(capability::queues, facts_.queues);
        known_.set(capability::page_bytes, sys::page_bytes());
        const int mtu = sys::interface_mtu(facts_.name);
        if (mtu > 0) known_.set(capability::mtu, static_cast<std::uint32_t>(mtu));
        device_.up = sys::interface_is_up(facts_.name) == 1;
        device_.carrier = sys::device_has_carrier(facts_.name) == 1;
    }

    void ask_netdev() {
        sys::netdev_answer answer;
        const int status = sys::netdev_features(facts_.index, answer);
        if (status < 0) return note_netdev(-status);
        using namespace xdp_feature;
        const auto features = static_cast<std::uint32_t>(answer.xdp_features);
        known_.set(capability::xdp_features, features);
        known_.set(capability::xdp_native, (features & basic) != 0);
        known_.set(capability::zero_copy, (features & xsk_zero_copy) != 0);
        known_.set(capability::rx_metadata, static_cast<std::uint32_t>(answer.rx_metadata));
        if (answer.zc_max_segments != 0)
            known_.set(capability::zc_max_segments, answer.zc_max_segments);
        abilities_.xsk_features = static_cast<std::uint32_t>(answer.xsk_features);
    }

    void ask_ethtool() {
        if (sys::ring_sizes rings; sys::device_rings(facts_.name, rings) == 0)
            device_.rings = {rings.rx, rings.tx, rings.rx_most, rings.tx_most};
        if (sys::channel_counts count; sys::device_channels(facts_.name, count) == 0)
            device_.channels = {count.rx,      count.tx,      count.combined,
                                count.rx_most, count.tx_most, count.combined_most};
        std::vector<sys::named_feature> features;
        const int status = sys::device_features(facts_.name, features);
        if (status < 0)
            return device_.notes.push_back("offloads are not known: " + errno_text(-status));
        for (auto& feature : features)
            device_.offloads.push_back({std::move(feature.name), feature.on, feature.fixed});
        abilities_.hardware_checksum = device_.offload_is_on("tx-checksum-ip-generic") ||
                                       device_.offload_is_on("tx-checksum-ipv4");
    }

    void ask_probe() {
        const probe_result answer = probe_device(facts_.index);
        if (!answer.failure.empty())
            device_.notes.push_back("the kernel's structures were not read: " + answer.failure);
        for (std::size_t i = 0; i < answer.facts.size(); ++i)
            if (answer.facts[i])
                device_.probed.push_back({std::string(probe_names[i]), *answer.facts[i]});
        if (const auto flag = answer.find(SKEIN_PROBE_tx_no_linear))
            known_.set(capability::tx_no_linear, *flag);
        abilities_.multi_buffer = flag_of(answer, SKEIN_PROBE_kernel_multi_buffer);
        abilities_.tx_metadata = flag_of(answer, SKEIN_PROBE_kernel_tx_metadata);
    }

    discovered_device finish(const caps_overrides& overrides) {
        if (!abilities_.multi_buffer) abilities_.multi_buffer = has(with_multi_buffer);
        if (!abilities_.tx_metadata) abilities_.tx_metadata = has(with_tx_metadata);
        abilities_.no_linear_metadata = has(with_no_linear_metadata);
        const known_caps table =
            device_.row == nullptr ? known_caps{} : caps_of(*device_.row, release_);
        device_.caps = settle_caps(overrides.values, known_, table, abilities_);
        return std::move(device_);
    }

  private:
    static std::optional<bool> flag_of(const probe_result& answer, skein_probe_fact fact) {
        const auto value = answer.find(fact);
        return value ? std::optional(*value != 0) : std::nullopt;
    }
    std::optional<bool> has(kernel_release feature) const {
        return release_ ? std::optional(*release_ >= feature) : std::nullopt;
    }
    void note_netdev(int error_number) {
        device_.notes.push_back(
            error_number == ENOENT
                ? "this kernel does not tell XDP features (netdev netlink, since Linux 6.3)"
                : "XDP features were not told: " + errno_text(error_number));
    }

    interface_facts facts_;
    std::optional<kernel_release> release_;
    discovered_device device_;
    known_caps known_;
    kernel_abilities abilities_;
};

}  // namespace

const device_offload* discovered_device::find_offload(std::string_view name) const noexcept {
    const auto found = std::find_if(offloads.begin(), offloads.end(),
                                    [&](const device_offload& each) { return each.name == name; });
    return found == offloads.end() ? nullptr : &*found;
}

bool discovered_device::offload_is_on(std::string_view name) const noexcept {
    const auto* found = find_offload(name);
    return found != nullptr && found->on;
}

discovered_device discover(const std::string& interface, const caps_overrides& overrides) {
    inquiry asking(inspect_interface(interface), overrides);
    asking.ask_about_link();
    asking.ask_netdev();
    asking.ask_ethtool();
    asking.ask_probe();
    return asking.finish(overrides);
}

caps_report discover_caps(const std::string& interface, const caps_overrides& overrides) {
    return discover(interface, overrides).caps;
}

std::vector<device_counter> device_statistics(const std::string& interface) {
    std::vector<sys::named_counter> counters;
    sys::device_statistics(inspect_interface(interface).name, counters);
    std::vector<device_counter> result;
    for (auto& counter : counters)
        result.push_back({std::move(counter.name), counter.value});
    return result;
}

std::optional<kernel_release> parse_release(std::string_view text) noexcept {
    kernel_release release;
    const auto* end = text.data() + text.size();
    const auto [dot, error] = std::from_chars(text.data(), end, release.major);
    if (error != std::errc{} || dot == end || *dot != '.') return {};
    if (std::from_chars(dot + 1, end, release.minor).ec != std::errc{}) return {};
    return release;
}

}  // namespace skein::inline v0::xsk
