// SPDX-License-Identifier: Apache-2.0
// skein tx: sends one packet over and over, as fast as it goes or at a rate.
//
// Where a packet fits one frame, every frame of the umem is prepared once; sending then writes
// nothing but descriptors.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <skein/xsk/interface.hpp>

#include "command.hpp"
#include "help.hpp"
#include "live_session.hpp"
#include "pacer.hpp"
#include "packet_limit.hpp"
#include "stop_signal.hpp"
#include "tx_packet.hpp"

namespace skein::tool {

namespace {

constexpr std::array examples = std::to_array<example>({
    {"skein tx veth0 --count 1000", "send a thousand packets of 60 bytes"},
    {"skein tx veth0 --size 1500 --rate 100000 --duration 2", "a steady rate for two seconds"},
    {"skein tx veth0 --src fd77::1 --dst fd77::2 --dport 5000 --count 10", "UDP over IPv6"},
});

struct tx_options {
    live_options live;
    tx_packet_options packet;
    std::string interface;
    std::uint64_t rate_pps = 0;  // of all queues together; 0: as fast as it goes
};

class tx_shard final : public live_shard {
  public:
    tx_shard(std::unique_ptr<xsk::port> port, std::vector<std::byte> packet, pacer pace,
             std::shared_ptr<packet_limit> limit, live_capture* capture)
        : port_(std::move(port)),
          packet_(std::move(packet)),
          pace_(pace),
          limit_(std::move(limit)),
          capture_(capture) {
        if (capture_ != nullptr) {
            capture_number_ = capture_->add_interface(port_->device());
        }
        if (packet_.size() <= area().chunk_bytes()) prepare_frames();
    }

    std::size_t round() override {
        port_->recycle();
        if (packets_.empty()) {
            make_burst();
            if (capture_ != nullptr) capture_->write(capture_number_, packets_);
        }
        const auto sent = port_->send(packets_);
        if (sent == 0 || !pace_.unbounded()) port_->flush();
        return sent;
    }

    bool finished() const override { return limit_->reached() && packets_.empty(); }
    std::vector<xsk::port*> ports() override { return {port_.get()}; }
    std::vector<std::uint64_t> let_go() override {
        const auto waiting = packets_.size();
        packets_.clear();
        return {waiting};
    }
    std::chrono::milliseconds longest_nap() const override {
        return std::chrono::milliseconds{pace_.unbounded() ? 100 : 1};
    }

  private:
    const frame_area& area() const { return port_->pool().area(); }

    void prepare_frames() {
        for (std::uint32_t i = 0; i < area().frames(); ++i) {
            const auto to = area().bytes(static_cast<frame_id>(i));
            std::copy(packet_.begin(), packet_.end(), to.begin());
        }
        prepared_ = true;
    }

    void make_burst() {
        const auto claimed =
            limit_->claim(std::min<std::uint64_t>(pace_.allowed(made_), burst::capacity));
        while (packets_.size() < claimed && make()) {
        }
        limit_->settle(claimed, packets_.size());
        made_ += packets_.size();
    }

    // Appends one packet to the burst; false if no frames are free.
    bool make() {
        auto& pool = port_->pool();
        packet next(pool);
        for (std::size_t at = 0; at < packet_.size();) {
            const auto n = std::min<std::size_t>(packet_.size() - at, area().chunk_bytes());
            frame_id frame{};
            if (pool.take({&frame, 1}) == 0) return false;
            const segment piece{frame, 0, static_cast<std::uint16_t>(n)};
            if (!prepared_) {
                std::copy_n(packet_.begin() + static_cast<std::ptrdiff_t>(at), n,
                            area().bytes(piece).begin());
            }
            if (!next.append(piece)) {
                pool.give(frame);
                return false;
            }
            at += n;
        }
        packets_.push_back(std::move(next));
        return true;
    }

    std::unique_ptr<xsk::port> port_;
    std::vector<std::byte> packet_;
    pacer pace_;
    std::shared_ptr<packet_limit> limit_;
    std::uint64_t made_ = 0;
    live_capture* capture_;
    std::uint32_t capture_number_ = 0;
    bool prepared_ = false;  // every frame holds the packet already
    burst packets_;
};

// The interface's own address.
std::string mac_of_interface(const std::string& interface) {
    const auto device = xsk::parse_device_name(interface);
    const auto address = xsk::interface_address(device.interface, device.network_namespace);
    if (!address) return "02:00:00:00:00:02";
    return fmt::format("{:02x}", fmt::join(*address, ":"));
}

// A packet of more pieces than the port takes would be refused over and over.
void check_fits(const xsk::port& port, std::size_t packet_bytes) {
    const auto chunk = port.memory()->area().chunk_bytes();
    const auto pieces = (packet_bytes + chunk - 1) / chunk;
    const auto frames = port.memory()->pool().total();
    if (pieces > frames) {
        throw command_failure(fmt::format("a packet of {} bytes takes {} frames, and there are {}",
                                          packet_bytes, pieces, frames),
                              "give more --frames, or a smaller --size");
    }
    if (pieces <= port.max_tx_segments()) return;
    throw command_failure(
        fmt::format("a packet of {} bytes takes {} frames of {}, and this port sends at most {}",
                    packet_bytes, pieces, chunk, port.max_tx_segments()),
        "leave out --no-sg, use --chunk 4096, or a smaller --size");
}

int run_tx(const tx_options& options) {
    const stop_signal stop;
    auto description = options.packet;
    if (description.source_mac.empty())
        description.source_mac = mac_of_interface(options.interface);
    const auto packet = make_tx_packet(description);
    const auto queues = chosen_queues(options.live, options.interface);
    const auto capture = open_capture(options.live);

    const auto limit = std::make_shared<packet_limit>(options.live.count);
    std::vector<std::unique_ptr<live_shard>> shards;
    for (const auto queue : queues) {
        auto how = port_options_for(options.live, options.interface, queue);
        how.receives = false;
        auto port = std::make_unique<xsk::port>(how, map_memory(options.live, 1), nullptr);
        check_fits(*port, packet.size());
        shards.push_back(std::make_unique<tx_shard>(
            std::move(port), packet, pacer::share(options.rate_pps, shards.size(), queues.size()),
            limit, capture.get()));
    }
    return run_live(options.live, std::move(shards), capture.get());
}

void add_packet_options(CLI::App& command, tx_packet_options& packet) {
    command
        .add_option("--size", packet.size_bytes,
                    "bytes a packet from the Ethernet header on, no FCS")
        ->check(whole_number(1, 65549))
        ->type_name("BYTES")
        ->default_str("60, or the headers' if that is more");
    command.add_option("--src-mac", packet.source_mac, "source MAC (default: the interface's)")
        ->type_name("MAC");
    command.add_option("--dst-mac", packet.destination_mac, "destination MAC")
        ->type_name("MAC")
        ->capture_default_str();
    command.add_option("--src", packet.source, "source address, IPv4 or IPv6")
        ->type_name("ADDR")
        ->capture_default_str();
    command.add_option("--dst", packet.destination, "destination address, of the same family")
        ->type_name("ADDR")
        ->capture_default_str();
    command.add_option("--sport", packet.source_port, "UDP source port")
        ->check(whole_number(0, 65535))
        ->type_name("PORT")
        ->capture_default_str();
    command.add_option("--dport", packet.destination_port, "UDP destination port")
        ->check(whole_number(0, 65535))
        ->type_name("PORT")
        ->capture_default_str();
}

}  // namespace

void add_tx_command(CLI::App& app, invocation& chosen) {
    auto* command = app.add_subcommand("tx", "Send packets from an interface");
    auto options = std::make_shared<tx_options>();
    options->live.queue = "0";
    command
        ->add_option("IFACE", options->interface,
                     std::string("interface to send from") + interface_help)
        ->required();
    add_packet_options(*command, options->packet);
    command->add_option("--rate", options->rate_pps, "packets a second (0: as fast as it goes)")
        ->check(whole_number(0, 1'000'000'000))
        ->type_name("PPS")
        ->capture_default_str();
    add_live_options(*command, options->live, false);
    add_examples(*command, examples);
    command->callback([=, &chosen] {
        chosen.json = options->live.json;
        chosen.run = [=] { return run_tx(*options); };
    });
}

}  // namespace skein::tool
