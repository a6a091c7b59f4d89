// SPDX-License-Identifier: Apache-2.0
// Options of the command line's contract whose stage this version does not have. They are refused
// by name rather than as unknown; what asks for nothing (--defrag off) is accepted.
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <skein/version.hpp>

#include "command.hpp"
#include "stage_options.hpp"

namespace skein::tool {

namespace {

struct unavailable_option {
    const char* name;
    const char* unit;  // empty: a flag
    std::string_view stage;
    std::string_view purpose;
    std::string_view without;        // its default
    std::string_view accepted = {};  // the value that asks for no stage
};

constexpr std::array unavailable = std::to_array<unavailable_option>({
    {"--defrag", "off|local|forward", "defrag", "reassemble IP fragments", "off", "off"},
    {"--gro", "off|on", "gro", "aggregate segments of a flow", "off", "off"},
    {"--gro-max", "BYTES", "gro", "longest aggregate", "65536"},
    {"--gro-max4", "BYTES", "gro", "longest aggregate, IPv4", "65536"},
    {"--gro-max6", "BYTES", "gro", "longest aggregate, IPv6", "65536"},
    {"--gro-timeout", "USEC", "gro", "longest time an aggregate is held", "10000"},
    {"--checksum", "verify|trust|deferred|complete", "checksum", "what is done about L4 checksums",
     "verify"},
    {"--nat", "RULE", "nat", "translate addresses; may be repeated", "none"},
    {"--vlan", "RULE", "vlan", "push, pop or set a tag; may be repeated", "none"},
    {"--gso", "MTU", "gso", "cut to this length of an IP packet, in bytes", "none"},
    {"--mss", "BYTES", "gso", "cut TCP to this payload", "none"},
    {"--caps", "KEY=VALUE,...", "tx planner", "transmit as this device would", "none"},
    {"--icmp", "", "icmp", "write the ICMP errors that stages make", ""},
});

void refuse(const unavailable_option& option) {
    throw usage_failure(
        fmt::format("{} is not available: the {} stage is not part of skein {}.{}.{}", option.name,
                    option.stage, header_version.major, header_version.minor, header_version.patch),
        fmt::format("leave {} out", option.name));
}

void add(CLI::App& command, const unavailable_option& option) {
    const std::string purpose(option.purpose);
    CLI::Option* added = nullptr;
    if (option.unit[0] == '\0') {
        added = command.add_flag_callback(
            option.name, [&option] { refuse(option); }, purpose);
    } else {
        const auto check = [&option](const std::vector<std::string>& values) {
            for (const auto& value : values) {
                if (option.accepted.empty() || value != option.accepted) refuse(option);
            }
        };
        added = command.add_option_function<std::vector<std::string>>(option.name, check, purpose);
        added->type_name(option.unit)
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        added->default_str(std::string(option.without));
    }
    added->group("Not part of this version");
}

}  // namespace

void add_unavailable_options(CLI::App& command) {
    for (const auto& option : unavailable)
        add(command, option);
}

void add_unavailable_forward_options(CLI::App& command) {
    static constexpr unavailable_option route = {"--route", "", "route",
                                                 "be a router instead of a bridge", ""};
    add(command, route);
}

}  // namespace skein::tool
