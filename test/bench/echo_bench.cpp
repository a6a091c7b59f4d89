// SPDX-License-Identifier: Apache-2.0
// The echo over the fake kernel: see echo_course.hpp.
#include "echo_course.hpp"
#include "support/fake_kernel.hpp"

namespace skein::test {

namespace {

class fake_supply final : public supply {
  public:
    std::unique_ptr<xsk::port> open() override {
        kernel_.give_real_descriptors();
        kernel_.add_device({.name = "bench0"});
        auto port =
            std::make_unique<xsk::port>(xsk::port_options{.interface = "bench0"},
                                        std::make_shared<xsk::umem>(xsk::umem_options{}), nullptr);
        kernel_.socket("bench0").record_wire = false;
        port->refill();
        inside_before_ = kernel_.nanoseconds_inside();
        return port;
    }
    void deliver() override {
        for (std::size_t i = 0; i < batch; ++i)
            kernel_.deliver("bench0", 0, packet_);
    }
    std::uint64_t not_ours_ns() const override {
        return kernel_.nanoseconds_inside() - inside_before_;
    }
    bool all_echoed() override { return kernel_.socket("bench0").sent_packets == rounds * batch; }

  private:
    fake_kernel kernel_;
    std::vector<std::byte> packet_ = udp_packet();
    std::uint64_t inside_before_ = 0;
};

}  // namespace

}  // namespace skein::test

int main(int argc, char** argv) {
    return skein::test::compare_echoes<skein::test::fake_supply>("the fake kernel", argc, argv);
}
