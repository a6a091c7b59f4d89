// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <skein/driver_table.hpp>

#include "doctor.hpp"

namespace skein::tool {

namespace {

std::string bits_text(capability which, std::uint32_t value) {
    std::string text = fmt::format("{:#x}", value);
    const auto names = bit_names(which);
    for (std::size_t bit = 0; bit < names.size(); ++bit)
        if ((value >> bit & 1) != 0) text += fmt::format(" {}", names[bit]);
    return text;
}

std::string value_text(const device_caps& caps, capability which) {
    const auto value = value_of(caps, which);
    switch (kind_of(which)) {
        case caps_kind::flag:
            return value != 0 ? "yes" : "no";
        case caps_kind::bits:
            return bits_text(which, value);
        case caps_kind::number:
            break;
    }
    return std::to_string(value);
}

std::string caps_text(const caps_report& caps) {
    std::string text = "what it can do                  and where that was learned\n";
    for (std::size_t i = 0; i < capability_count; ++i) {
        const auto which = static_cast<capability>(i);
        const auto value = value_text(caps.values, which);
        const auto source = to_string(caps.source_of(which));
        text += fmt::format("  {:<19} {:<9}{} {}\n", to_string(which), value,
                            value.size() < 9 ? "" : " ", source);
    }
    return text;
}

std::string plan_text(const device_report& report) {
    std::string text = fmt::format(
        "how it would be opened\n  attach   {}\n",
        report.device.caps.values.xdp_native ? "native XDP, then generic" : "generic XDP");
    for (const planned_bind& step : plan_bind(report.device)) {
        if (step.expected == "not reached") break;
        text += fmt::format("  bind     {}: {}, {}\n", step.text, step.expected, step.why);
    }
    return text;
}

std::string peer_text(const peer_facts& peer) {
    if (!peer.hidden.empty()) return fmt::format("the other end: {}\n", peer.hidden);
    return fmt::format("the other end: {}{}, MTU {}, {} TX queues, {}\n", peer.name,
                       peer.space.empty() ? "" : " in namespace " + peer.space, peer.mtu,
                       peer.tx_queues, peer.up ? "up" : "down");
}

std::string locked_memory(std::uint64_t bytes) {
    if (bytes == std::numeric_limits<std::uint64_t>::max()) return "unlimited";
    return fmt::format("{} KiB", bytes / 1024);
}

std::string number_or_dash(std::uint32_t value, bool known) {
    return known ? std::to_string(value) : "-";
}

std::string zero_copy_text(const driver_row& row) {
    if (!row.zero_copy) return "-";
    if (!*row.zero_copy) return "no";
    return fmt::format("{}.{}", row.zero_copy_since.major, row.zero_copy_since.minor);
}

}  // namespace

std::string as_text(const machine_facts& machine) {
    std::string text = fmt::format("Linux {} on {}; AF_XDP {}; BTF {}; bpffs {}\n", machine.kernel,
                                   machine.architecture, machine.xdp_sockets ? "yes" : "no",
                                   machine.btf ? "yes" : "no",
                                   machine.bpffs ? "yes" : "no (no libxdp dispatcher)");
    text += fmt::format("capabilities {}\n",
                        machine.capabilities.empty()
                            ? std::string("none")
                            : fmt::format("{}", fmt::join(machine.capabilities, " ")));
    text += fmt::format(
        "locked memory {}; huge pages {} of 2 MiB, {} free; send buffer up to {} bytes; TCP {}\n",
        locked_memory(machine.memlock_bytes), machine.huge_pages, machine.huge_pages_free,
        machine.wmem_max_bytes, machine.congestion_control);
    return text;
}

std::string as_text(const std::vector<problem>& problems) {
    if (problems.empty()) return "no problems\n";
    std::string text = "problems\n";
    for (const problem& each : problems)
        text += fmt::format("  {}\n    remedy: {}\n", each.what, each.remedy);
    return text;
}

std::string as_text(const device_report& report, const machine_facts& machine) {
    const auto& device = report.device;
    std::string text = as_text(machine) + "\n" + as_line(report);
    if (report.peer) text += peer_text(*report.peer);
    if (device.rings)
        text += fmt::format("rings: RX {} of {}, TX {} of {} descriptors\n", device.rings->rx,
                            device.rings->rx_most, device.rings->tx, device.rings->tx_most);
    for (const auto& each : report.programs)
        text += fmt::format("attached: {}\n", to_string(each));
    text += "\n" + caps_text(device.caps) + "\n" + plan_text(report) + "\n";
    for (const std::string& note : device.notes)
        text += fmt::format("note: {}\n", note);
    auto problems = problems_of(machine);
    const auto more = problems_of(report, machine);
    problems.insert(problems.end(), more.begin(), more.end());
    return text + as_text(problems);
}

std::string as_line(const device_report& report) {
    const auto& device = report.device;
    const device_caps& caps = device.caps.values;
    return fmt::format("{}: {}, {}, MTU {}, {} queue{}, XDP {}, {}{}\n", device.interface,
                       device.driver.empty() ? "no driver" : device.driver,
                       !device.up       ? "down"
                       : device.carrier ? "up"
                                        : "no carrier",
                       caps.mtu, caps.queues, caps.queues == 1 ? "" : "s",
                       caps.xdp_native ? "native" : "generic",
                       caps.zero_copy ? "zero-copy" : "copy",
                       report.programs.empty() ? "" : ", a program is attached");
}

std::string drivers_text() {
    std::string text =
        fmt::format("{:<16} {:<6} {:>4} {:>5} {:>9} {:>4} {:>8}  {}\n", "driver", "linear", "head",
                    "frame", "zero-copy", "segs", "XDP MTU", "source");
    for (const driver_row& row : driver_table()) {
        const std::string name = row.variant.empty()
                                     ? std::string(row.driver)
                                     : fmt::format("{}:{}", row.driver, row.variant);
        text += fmt::format(
            "{:<16} {:<6} {:>4} {:>5} {:>9} {:>4} {:>8}  {}\n", name,
            row.tx_no_linear ? (*row.tx_no_linear ? "no" : "yes") : "-",
            number_or_dash(row.min_head_bytes.value_or(0), row.min_head_bytes.has_value()),
            number_or_dash(row.min_frame_bytes.value_or(0), row.min_frame_bytes.has_value()),
            zero_copy_text(row),
            number_or_dash(row.zc_max_segments.value_or(0), row.zc_max_segments.has_value()),
            number_or_dash(row.native_mtu, row.native_mtu != 0), row.source);
    }
    return text +
           "\nlinear: needs a linear head; head, frame: bytes at least; zero-copy: since that "
           "Linux; segs: pieces in zero-copy mode; -: not known, the default holds\n";
}

}  // namespace skein::tool
