// SPDX-License-Identifier: Apache-2.0
// The echo over a veth pair in a network namespace of this process alone: see echo_course.hpp.
// Needs root; ends with 77 without.
#include <sched.h>

#include <optional>

#include "echo_course.hpp"

namespace skein::test {

namespace {

// Sends from the other end of a veth pair; native XDP has the packets there when the call returns.
class live_supply final : public supply {
  public:
    std::unique_ptr<xsk::port> open() override {
        client_.emplace(xsk::port_options{.interface = "bench1", .receives = false});
        return std::make_unique<xsk::port>(xsk::port_options{.interface = "bench0"});
    }
    void deliver() override {
        burst packets;
        for (std::size_t i = 0; i < batch; ++i) {
            frame_id frame{};
            if (client_->pool().take({&frame, 1}) == 0) break;
            const segment whole{frame, 256, static_cast<std::uint16_t>(packet_.size())};
            std::copy(packet_.begin(), packet_.end(), client_->pool().area().bytes(whole).begin());
            packets.push_back(packet(client_->pool(), whole));
        }
        client_->send(packets);
        client_->flush();
        client_->recycle();
    }
    bool all_echoed() override { return true; }  // counted by the course

  private:
    std::optional<xsk::port> client_;
    std::vector<std::byte> packet_ = udp_packet();
};

bool make_veth() {
    return ::unshare(CLONE_NEWNET) == 0 &&
           std::system(
               "ip link add bench0 type veth peer name bench1 && "
               "ip link set bench0 up && ip link set bench1 up") == 0;
}

}  // namespace

}  // namespace skein::test

int main(int argc, char** argv) {
    if (!skein::test::make_veth()) {
        std::puts("skipped: a veth pair in a network namespace cannot be made (not root?)");
        return 77;
    }
    return skein::test::compare_echoes<skein::test::live_supply>("a veth pair", argc, argv);
}
