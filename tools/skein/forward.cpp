// SPDX-License-Identifier: Apache-2.0
// skein forward: a transparent bridge of two devices.
//
// Both directions of a queue are one shard: two ports over one UMEM, so that a frame received on
// one side is sent on the other as it lies. Nothing is copied, changed or looked at; ARP and
// everything else goes through. What finds no room on the TX ring waits in its burst, and the ring
// it came from fills up behind it: the sender's loss is counted where it happens, none is hidden
// here.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <skein/xsk/interface.hpp>

#include "command.hpp"
#include "help.hpp"
#include "live_session.hpp"
#include "packet_limit.hpp"
#include "standard_output.hpp"
#include "stop_signal.hpp"

namespace skein::tool {

namespace {

constexpr std::array examples = std::to_array<example>({
    {"skein forward left right", "bridge two interfaces until Ctrl-C"},
    {"skein forward left right --mode native --duration 10 --json", "ten seconds, for a program"},
    {"skein forward left right --wait spin --cpu 1", "lowest latency, one whole core"},
    {"skein forward left right --pcap seen.pcapng", "and capture both directions"},
});

class forward_shard final : public live_shard {
  public:
    forward_shard(std::shared_ptr<packet_limit> limit, live_capture* capture)
        : limit_(std::move(limit)), capture_(capture) {}

    void add(std::unique_ptr<xsk::port> a, std::unique_ptr<xsk::port> b) {
        auto& bridge = bridges_.emplace_back(std::make_unique<bridge_queue>());
        if (capture_ != nullptr) {
            bridge->a.capture_number = capture_->add_interface(a->device());
            bridge->b.capture_number = capture_->add_interface(b->device());
        }
        bridge->a.port = std::move(a);
        bridge->b.port = std::move(b);
    }

    std::size_t round() override {
        std::size_t moved = 0;
        for (auto& bridge : bridges_) {
            moved += carry(bridge->a, *bridge->b.port);
            moved += carry(bridge->b, *bridge->a.port);
        }
        return moved;
    }

    bool finished() const override {
        const auto idle = [](const auto& bridge) {
            return bridge->a.waiting.empty() && bridge->b.waiting.empty();
        };
        return limit_->reached() && std::all_of(bridges_.begin(), bridges_.end(), idle);
    }

    std::vector<xsk::port*> ports() override {
        std::vector<xsk::port*> all;
        for (auto& bridge : bridges_) {
            all.push_back(bridge->a.port.get());
            all.push_back(bridge->b.port.get());
        }
        return all;
    }

    std::vector<std::uint64_t> let_go() override {
        std::vector<std::uint64_t> unsent;
        for (auto& bridge : bridges_) {
            unsent.push_back(give_up(bridge->b.waiting));
            unsent.push_back(give_up(bridge->a.waiting));
        }
        return unsent;
    }

  private:
    struct side {
        std::unique_ptr<xsk::port> port;
        burst waiting;  // received here, on its way to the other side
        std::uint32_t capture_number = 0;
    };
    struct bridge_queue {
        side a;
        side b;
    };

    static std::uint64_t give_up(burst& waiting) noexcept {
        const auto n = waiting.size();
        waiting.clear();
        return n;
    }

    std::size_t carry(side& from, xsk::port& to) {
        auto& packets = from.waiting;
        if (capture_ == nullptr || packets.empty()) {
            const auto claimed = limit_->claim(packets.room());
            const auto received = from.port->receive(packets, claimed);
            limit_->settle(claimed, received);
            if (capture_ != nullptr && received != 0) capture_->write(from.capture_number, packets);
        }
        const bool more_to_come = packets.full();
        const auto sent = to.send(packets);
        // While bursts come full, the port flushes by its own policy; the last one is pushed out.
        if (!more_to_come || !packets.empty()) to.flush();
        return sent;
    }

    std::shared_ptr<packet_limit> limit_;
    live_capture* capture_;
    std::vector<std::unique_ptr<bridge_queue>> bridges_;
};

// The queues to bridge; both sides must have them.
std::vector<std::uint32_t> bridged_queues(const live_options& options, const std::string& a,
                                          const std::string& b) {
    const auto queues = chosen_queues(options, a);
    const auto others = chosen_queues(options, b);
    if (queues.size() == others.size()) return queues;
    throw command_failure(a + " has " + std::to_string(queues.size()) + " queues, " + b + " has " +
                              std::to_string(others.size()),
                          "give both the same number (`ethtool -L`), or choose one with --queue");
}

std::uint32_t mtu_of(const xsk::port& port) {
    return xsk::interface_mtu(port.options().interface, port.options().network_namespace);
}

// What is longer than this cannot be handed to a port as it lies.
void warn_of_long_packets(const xsk::port& from, const xsk::port& to) {
    const auto mtu = mtu_of(from);
    const auto other_mtu = mtu_of(to);
    const auto longest = to.memory()->room_bytes() * to.max_tx_segments();
    if (mtu + 18 > longest) {
        print_error(
            fmt::format("{} has MTU {}: packets over {} bytes are dropped on the way to {} "
                        "(too_many_pieces); use --chunk 4096, or lower the MTU\n",
                        from.device(), mtu, longest, to.device()));
    } else if (mtu > other_mtu) {
        print_error(fmt::format(
            "{} has MTU {}, {} only {}: longer packets are lost there; make "
            "them equal with `ip link set {} mtu {}`\n",
            from.device(), mtu, to.device(), other_mtu, from.options().interface, other_mtu));
    }
}

int run_forward(const live_options& options, const std::string& a, const std::string& b) {
    if (a == b) {
        throw usage_failure("forward needs two interfaces, not " + a + " twice",
                            "`skein rx` receives on one interface");
    }
    const stop_signal stop;
    const auto queues = bridged_queues(options, a, b);
    const auto capture = open_capture(options);
    const auto program_a = attach_program(options, a);
    const auto program_b = attach_program(options, b);
    const auto threads = shard_count(options, queues.size());
    const auto limit = std::make_shared<packet_limit>(options.count);

    std::vector<std::unique_ptr<live_shard>> shards;
    for (std::size_t i = 0; i < threads; ++i) {
        auto shard = std::make_unique<forward_shard>(limit, capture.get());
        const auto served = (queues.size() - i + threads - 1) / threads;
        const auto memory = map_memory(options, 2 * served);
        for (std::size_t q = i; q < queues.size(); q += threads) {
            const auto open = [&](const std::string& interface, const auto& program) {
                return std::make_unique<xsk::port>(port_options_for(options, interface, queues[q]),
                                                   memory, program);
            };
            auto port_a = open(a, program_a);
            auto port_b = open(b, program_b);
            if (q == 0) warn_of_long_packets(*port_a, *port_b);
            if (q == 0) warn_of_long_packets(*port_b, *port_a);
            shard->add(std::move(port_a), std::move(port_b));
        }
        shards.push_back(std::move(shard));
    }
    return run_live(options, std::move(shards), capture.get());
}

}  // namespace

void add_forward_command(CLI::App& app, invocation& chosen) {
    auto* command = app.add_subcommand("forward", "Bridge two interfaces, both directions");
    auto options = std::make_shared<live_options>();
    auto a = std::make_shared<std::string>();
    auto b = std::make_shared<std::string>();
    command->add_option("A", *a, std::string("one interface") + interface_help)->required();
    command->add_option("B", *b, "the other interface")->required();
    add_live_options(*command, *options, true);
    add_unavailable_forward_options(*command);
    add_examples(*command, examples);
    command->callback([=, &chosen] {
        chosen.json = options->json;
        chosen.run = [=] { return run_forward(*options, *a, *b); };
    });
}

}  // namespace skein::tool
