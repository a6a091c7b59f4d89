// SPDX-License-Identifier: Apache-2.0
// skein rx: receives, counts and drops; with --pcap it captures.
#include <array>
#include <memory>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "help.hpp"
#include "live_session.hpp"
#include "packet_limit.hpp"
#include "stop_signal.hpp"

namespace skein::tool {

namespace {

constexpr std::array examples = std::to_array<example>({
    {"skein rx veth0", "count what arrives, every second, until Ctrl-C"},
    {"skein rx veth0 --unaligned --chunk 2304", "frames that a packet of 1500 bytes fills better"},
    {"skein rx veth0 --pcap seen.pcapng --count 100", "capture a hundred packets"},
    {"skein rx veth0 --rule \"take udp dport 53\" --duration 5 --json",
     "only DNS queries; everything else goes on to the kernel"},
});

class rx_shard final : public live_shard {
  public:
    rx_shard(std::shared_ptr<packet_limit> limit, live_capture* capture)
        : limit_(std::move(limit)), capture_(capture) {}

    void add(std::unique_ptr<xsk::port> port) {
        const auto number = capture_ == nullptr ? 0 : capture_->add_interface(port->device());
        ports_.push_back({std::move(port), number});
    }

    std::size_t round() override {
        std::size_t moved = 0;
        for (auto& [port, number] : ports_) {
            const auto claimed = limit_->claim(burst::capacity);
            const auto received = port->receive(packets_, claimed);
            limit_->settle(claimed, received);
            moved += received;
            if (capture_ != nullptr && !packets_.empty()) capture_->write(number, packets_);
            packets_.clear();
        }
        return moved;
    }

    bool finished() const override { return limit_->reached(); }

    std::vector<xsk::port*> ports() override {
        std::vector<xsk::port*> all;
        for (auto& entry : ports_)
            all.push_back(entry.port.get());
        return all;
    }

  private:
    struct captured_port {
        std::unique_ptr<xsk::port> port;
        std::uint32_t capture_number;
    };

    std::shared_ptr<packet_limit> limit_;
    live_capture* capture_;
    std::vector<captured_port> ports_;
    burst packets_;
};

int run_rx(const live_options& options, const std::string& interface) {
    const stop_signal stop;
    const auto queues = chosen_queues(options, interface);
    const auto capture = open_capture(options);
    const auto program = attach_program(options, interface);
    const auto threads = shard_count(options, queues.size());
    const auto limit = std::make_shared<packet_limit>(options.count);

    std::vector<std::unique_ptr<live_shard>> shards;
    for (std::size_t i = 0; i < threads; ++i) {
        auto shard = std::make_unique<rx_shard>(limit, capture.get());
        const auto served = (queues.size() - i + threads - 1) / threads;
        const auto memory = map_memory(options, served);
        for (std::size_t q = i; q < queues.size(); q += threads) {
            auto how = port_options_for(options, interface, queues[q]);
            how.transmits = false;
            shard->add(std::make_unique<xsk::port>(how, memory, program));
        }
        shards.push_back(std::move(shard));
    }
    return run_live(options, std::move(shards), capture.get());
}

}  // namespace

void add_rx_command(CLI::App& app, invocation& chosen) {
    auto* command = app.add_subcommand("rx", "Receive on an interface: count, capture, drop");
    auto options = std::make_shared<live_options>();
    auto interface = std::make_shared<std::string>();
    command
        ->add_option("IFACE", *interface, std::string("interface to receive on") + interface_help)
        ->required();
    add_live_options(*command, *options, true);
    add_examples(*command, examples);
    command->callback([=, &chosen] {
        chosen.json = options->json;
        chosen.run = [=] { return run_rx(*options, *interface); };
    });
}

}  // namespace skein::tool
