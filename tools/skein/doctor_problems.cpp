// SPDX-License-Identifier: Apache-2.0
// What will bite, and what helps: from the facts alone.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <skein/xsk/bind_plan.hpp>
#include <skein/xsk/uapi.hpp>

#include "doctor.hpp"

namespace skein::tool {

namespace {

// A frame of the default chunk, less what the kernel keeps in front of a packet.
constexpr std::uint32_t frame_room = 4096 - xsk::uapi::packet_headroom;
constexpr std::uint32_t link_header = 14 + 4;  // Ethernet, and a tag

bool needs_several_frames(const xsk::discovered_device& device) {
    return device.caps.values.mtu + link_header > frame_room;
}

struct named_offload {
    std::string_view name;    // the kernel's
    std::string_view option;  // ethtool -K's
    std::string_view effect;
};

constexpr named_offload biting[] = {
    {"rx-lro", "lro", "LRO joins packets before XDP sees them, and drivers refuse XDP with it"},
    {"rx-gro-hw", "rx-gro-hw", "hardware GRO joins packets before XDP sees them"},
    {"rx-udp-gro-forwarding", "rx-udp-gro-forwarding",
     "UDP GRO forwarding joins datagrams that the kernel passes on"},
    {"rx-vlan-hw-parse", "rxvlan", "VLAN tags are taken out of the frame before XDP sees it"},
};

class diagnosis {
  public:
    diagnosis(const device_report& report, const machine_facts& machine)
        : report_(report), device_(report.device), machine_(machine) {}

    std::vector<problem> run() {
        link();
        programs();
        xdp_mode();
        length();
        offloads();
        if (report_.peer) peer(*report_.peer);
        queues();
        table();
        return std::move(found_);
    }

  private:
    void add(std::string what, std::string remedy) {
        found_.push_back({std::move(what), std::move(remedy)});
    }
    const std::string& name() const { return device_.interface; }

    void link() {
        if (!device_.up)
            add(fmt::format("{} is down: nothing arrives, nothing leaves", name()),
                fmt::format("ip link set {} up", name()));
        else if (!device_.carrier)
            add(fmt::format("{} has no carrier: what is sent is lost", name()),
                report_.peer ? "set the other end of the veth up" : "look at the cable");
    }

    void programs() {
        for (const xsk::attached_program& each : report_.programs) {
            switch (each.owner) {
                case xsk::program_owner::ours_dead:
                    add(fmt::format("{} was left behind by skein process {}", to_string(each),
                                    each.process_id),
                        fmt::format("skein doctor {} --clean", name()));
                    break;
                case xsk::program_owner::ours_alive:
                    add(fmt::format("skein process {} receives here, by {}", each.process_id,
                                    to_string(each)),
                        "stop that process, or use --replace");
                    break;
                default:
                    add(fmt::format("{} is attached, which is not skein's", to_string(each)),
                        fmt::format("ip link set {} xdp off, or use --replace", name()));
            }
        }
    }

    void xdp_mode() {
        const auto& caps = device_.caps;
        const bool known = caps.source_of(capability::xdp_native) != caps_source::by_default;
        if (caps.values.xdp_native || !known) return;
        if (device_.driver != "veth")
            return add(fmt::format("{} has no native XDP, generic mode is slower", name()),
                       "use generic mode (--mode generic), which every device has; another driver "
                       "would be faster");
        const std::string wanted = report_.peer && report_.peer->tx_queues != 0
                                       ? std::to_string(report_.peer->tx_queues)
                                       : "N";
        add(fmt::format("{} has fewer RX queues than its peer has TX queues: no native XDP; and in "
                        "generic mode TX queue N arrives on RX queue N - 1",
                        name()),
            fmt::format("ethtool -L {} rx {}, or make the veth with numrxqueues {}", name(), wanted,
                        wanted));
    }

    void length() {
        if (!needs_several_frames(device_) || device_.caps.values.scatter_gather) return;
        add(fmt::format("packets of MTU {} do not fit a frame of {} bytes, and scatter-gather is "
                        "not to be had: they are dropped without a word",
                        device_.caps.values.mtu, frame_room),
            fmt::format("ip link set {} mtu {}", name(), frame_room - link_header));
    }

    void offloads() {
        for (const auto& [offload, option, effect] : biting) {
            const auto* found = device_.find_offload(offload);
            if (found == nullptr || !found->on) continue;
            add(fmt::format("{}: {}", offload, effect),
                found->fixed ? "none: the driver does not let it be changed"
                             : fmt::format("ethtool -K {} {} off", name(), option));
        }
    }

    void peer(const peer_facts& other) {
        if (!other.hidden.empty())
            return add(fmt::format("the other end of {} cannot be seen: {}; if the kernel's own "
                                   "stack sends there, its checksums are unfinished",
                                   name(), other.hidden),
                       "on that side: ethtool -K DEV tx off txvlan off");
        const std::string inside =
            other.space.empty() ? "" : fmt::format("ip netns exec {} ", other.space);
        if (!other.up)
            add(fmt::format("the other end, {}, is down: what is sent is lost", other.name),
                fmt::format("{}ip link set {} up", inside, other.name));
        if (other.tx_checksum)
            add(fmt::format("{} leaves the checksums of packets from its kernel unfinished: only "
                            "the pseudo-header's sum arrives",
                            other.name),
                fmt::format("{}ethtool -K {} tx off", inside, other.name));
        if (other.tx_vlan)
            add(fmt::format("{} sends VLAN tags beside the frame, where XDP does not see them",
                            other.name),
                fmt::format("{}ethtool -K {} txvlan off", inside, other.name));
        if (other.mtu < device_.caps.values.mtu)
            add(fmt::format(
                    "{} takes packets of {} bytes, {} sends up to {}: longer ones are EBUSY "
                    "and lost",
                    other.name, other.mtu, name(), device_.caps.values.mtu),
                fmt::format("{}ip link set {} mtu {}", inside, other.name,
                            device_.caps.values.mtu));
    }

    void queues() {
        const auto count = device_.caps.values.queues;
        if (count < 2) return;
        add(fmt::format("{} spreads packets over {} queues, and a socket sees those of its own",
                        name(), count),
            fmt::format(
                "use --queue all, or ethtool -L {} {}", name(),
                device_.channels && device_.channels->combined != 0 ? "combined 1" : "rx 1 tx 1"));
    }

    void table() {
        if (device_.caps.source_of(capability::tx_no_linear) != caps_source::by_default) return;
        if (machine_.btf && !machine_.has("CAP_PERFMON"))
            add("tx_no_linear was not read from the kernel: it is taken to be false",
                "run as root, or add CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN");
    }

    const device_report& report_;
    const xsk::discovered_device& device_;
    const machine_facts& machine_;
    std::vector<problem> found_;
};

std::string why_refused(const xsk::discovered_device& device, std::uint16_t flags) {
    const device_caps& caps = device.caps.values;
    const bool zero_copy = (flags & xsk::uapi::bind_zero_copy) != 0;
    const bool scatter = (flags & xsk::uapi::bind_scatter_gather) != 0;
    if (zero_copy && !caps.zero_copy) return "the driver does not offer zero-copy";
    if (zero_copy && scatter && caps.zc_max_segments < 2)
        return "the driver takes one piece a packet in zero-copy mode";
    if (zero_copy && !scatter && needs_several_frames(device))
        return "a packet of the MTU does not fit a frame";
    if (!zero_copy && scatter && !caps.scatter_gather)
        return "the kernel has no AF_XDP scatter-gather (Linux 6.6)";
    return "";
}

}  // namespace

std::vector<problem> problems_of(const device_report& report, const machine_facts& machine) {
    return diagnosis(report, machine).run();
}

std::vector<planned_bind> plan_bind(const xsk::discovered_device& device) {
    std::vector<planned_bind> plan;
    bool taken = false;
    for (const auto flags :
         xsk::bind_plan({.needs_scatter_gather = needs_several_frames(device)})) {
        planned_bind step{flags, xsk::describe_bind_flags(flags), "not reached",
                          "an earlier one is accepted"};
        if (!taken) {
            step.why = why_refused(device, flags);
            taken = step.why.empty();
            step.expected = taken ? "accepted" : "refused";
            if (taken && device.caps.values.zero_copy && (flags & xsk::uapi::bind_zero_copy) != 0)
                step.why = "the driver announces it; only the bind itself tells";
            else if (taken)
                step.why = "the best the device and this kernel have";
        }
        plan.push_back(std::move(step));
    }
    return plan;
}

}  // namespace skein::tool
