// SPDX-License-Identifier: Apache-2.0
#include <skein/caps_overrides.hpp>

#include <string>

#include "support/catch.hpp"

using namespace skein;
using Catch::Contains;

namespace {

// "what; remedy" of what is refused, "" of what is not.
std::string refusal(std::string_view text) {
    try {
        parse_caps(text);
        return "";
    } catch (const caps_error& error) {
        CHECK_FALSE(error.remedy().empty());
        return std::string(error.what()) + "; " + error.remedy();
    }
}

std::optional<std::uint32_t> value(std::string_view text, capability which) {
    return parse_caps(text).values.find(which);
}

}  // namespace

TEST_CASE("a driver is named as ethtool does, with a variant behind a colon") {
    const auto plain = parse_caps("driver=virtio_net");
    CHECK(plain.driver == "virtio_net");
    CHECK(plain.variant.empty());
    CHECK(plain.values == known_caps{});
    const auto chosen = parse_caps("segment_cost_bytes=0,driver=mlx5_core:cx4lx");
    CHECK(chosen.driver == "mlx5_core");
    CHECK(chosen.variant == "cx4lx");
    CHECK(chosen.values.find(capability::segment_cost_bytes) == 0u);
}

TEST_CASE("flags, numbers and bits have their forms") {
    for (const char* yes : {"on", "true", "yes", "1"})
        CHECK(value("tx_no_linear=" + std::string(yes), capability::tx_no_linear) == 1u);
    for (const char* no : {"off", "false", "no", "0"})
        CHECK(value("tx_no_linear=" + std::string(no), capability::tx_no_linear) == 0u);
    CHECK(value("max_tx_segments=0x11", capability::max_tx_segments) == 17u);
    CHECK(value("mtu=9000", capability::mtu) == 9000u);
    CHECK(value("xdp_features=basic+redirect", capability::xdp_features) == 3u);
    CHECK(value("xdp_features=0x2b", capability::xdp_features) == 43u);
    CHECK(value("rx_metadata=vlan_tag", capability::rx_metadata) == 4u);
    CHECK(value("page_bytes=65536", capability::page_bytes) == 65536u);
}

TEST_CASE("what is wrong is named with what would be right") {
    CHECK_THAT(refusal(""), Contains("'' is no KEY=VALUE") && Contains("driver=veth"));
    CHECK_THAT(refusal("driver=veth,"), Contains("'' is no KEY=VALUE"));
    CHECK_THAT(refusal("veth"), Contains("'veth' is no KEY=VALUE"));
    CHECK_THAT(refusal("driver="), Contains("without a name") && Contains("ethtool -i"));
    CHECK_THAT(refusal("speed=1"),
               Contains("no capability is named 'speed'") && Contains("segment_cost_bytes"));
    CHECK_THAT(refusal("mtu=1500,mtu=1500"), Contains("'mtu' stands there twice"));
    CHECK_THAT(refusal("driver=a,driver=b"), Contains("'driver' stands there twice"));
    CHECK_THAT(refusal("tx_no_linear=maybe"), Contains("'maybe'") && Contains("on or off"));
    CHECK_THAT(refusal("tx_no_linear=2"), Contains("on or off"));
    CHECK_THAT(refusal("mtu=67"), Contains("from 68 to 65535"));
    CHECK_THAT(refusal("mtu=1500x"), Contains("mtu cannot be '1500x'"));
    CHECK_THAT(refusal("mtu=-1"), Contains("from 68"));
    CHECK_THAT(refusal("mtu=99999999999"), Contains("from 68"));
    CHECK_THAT(refusal("max_tx_segments=0"), Contains("from 1"));
    CHECK_THAT(refusal("page_bytes=5000"), Contains("a power of two from 4096 to 65536"));
    CHECK_THAT(refusal("xdp_features=basic+fast"),
               Contains("no bit 'fast'") && Contains("xsk_zerocopy"));
    CHECK_THAT(refusal("xdp_features="), Contains("no bit ''"));
    CHECK_THAT(refusal("driver=mlx5_core:cx9"),
               Contains("'mlx5_core:cx9'") && Contains("mlx5_core:cx4lx"));
    CHECK_THAT(refusal("driver=veth:fast"), Contains("there are none of 'veth'"));
    CHECK_THAT(refusal("driver=veth:"), Contains("'veth:'"));
}

TEST_CASE("a driver without a row gets the defaults of a device nobody knows") {
    const auto report = caps_of(parse_caps("driver=somebody_elses"));
    CHECK(report == caps_of(caps_overrides{}));
    CHECK_FALSE(report.values.tx_no_linear);
    CHECK(report.values.min_head_bytes == 64);
    CHECK(report.values.max_tx_segments == 18);
}

TEST_CASE("a driver's row is filled in, and single values changed") {
    const auto virtio = caps_of(parse_caps("driver=virtio_net"));
    CHECK(virtio.values.tx_no_linear);
    CHECK(virtio.source_of(capability::tx_no_linear) == caps_source::table);
    CHECK(virtio.values.min_head_bytes == 0);
    CHECK(virtio.values.max_tx_segments == 17);
    const auto lx = caps_of(parse_caps("driver=mlx5_core:cx4lx,zero_copy=off"));
    CHECK(lx.values.min_head_bytes == 18);
    CHECK(lx.values.max_tx_segments == 18);
    CHECK(lx.source_of(capability::zero_copy) == caps_source::overridden);
    const auto ice = caps_of(parse_caps("driver=ice,segment_cost_bytes=0"));
    CHECK(ice.values.max_tx_segments == 8);
    CHECK(ice.values.segment_cost_bytes == 0);
}
