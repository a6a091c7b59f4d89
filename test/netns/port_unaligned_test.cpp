// SPDX-License-Identifier: Apache-2.0
// Unaligned chunks and headroom over a real kernel: in both modes, in one piece and in several, on
// small pages and on huge ones.
#include <fstream>
#include <optional>
#include <string>

#include <skein/xsk/port.hpp>

#include "support/catch.hpp"
#include "support/live_cable.hpp"
#include "support/network_namespace.hpp"

using namespace skein::test;
using namespace skein::xsk;

namespace {

constexpr ring_sizes rings{.fill = 64, .rx = 64, .tx = 64, .completion = 64};

port_options at(const char* interface, const umem_options& memory, xdp_mode mode) {
    port_options options;
    options.interface = interface;
    options.rings = rings;
    options.memory = memory;
    options.program.mode = mode;
    return options;
}

// Frames of many sizes there and back again: received into the layout, sent out of it.
void exchange(const umem_options& memory, xdp_mode mode, std::size_t longest) {
    port near(at("cable", {.frames = 128}, mode));
    port far(at("cablep", memory, mode));
    INFO(far.description());
    const auto offset = 256 + memory.headroom_bytes;
    std::size_t pieces = 0;
    unsigned number = 0;
    for (std::size_t size = 60; size <= longest; size += longest / 37) {
        const auto frame = live_frame(size, ++number);
        send_frame(near, frame);
        skein::burst packets;
        for (int tries = 0; tries < 100 && packets.empty(); ++tries) {
            far.wait(std::chrono::milliseconds{10});
            far.receive(packets, 1);
            const bool other = !packets.empty() && live_bytes_of(packets[0])[12] != frame[12];
            if (other) packets.clear();
        }
        REQUIRE(packets.size() == 1);
        REQUIRE(live_bytes_of(packets[0]) == frame);
        for (const auto& piece : packets[0])
            REQUIRE(piece.offset == offset);
        pieces = std::max(pieces, packets[0].segment_count());
        REQUIRE(far.send(packets) == 1);
        far.flush();
        REQUIRE(next_frame(near) == frame);
    }
    CHECK(pieces == (longest + far.memory()->room_bytes() - 1) / far.memory()->room_bytes());
    CHECK(far.counters().completion_refused.value() == 0);
    CHECK(far.kernel_statistics().rx_invalid_descriptors == 0);
    CHECK(far.kernel_statistics().tx_invalid_descriptors == 0);
    const auto ledger_of = [](port& p) { return p.memory()->ledger(); };
    CHECK(far.close().written_off.empty());
    CHECK(ledger_of(far).free == ledger_of(far).total);
}

std::string setting(const char* path) {
    std::string value;
    std::ifstream(path) >> value;
    return value;
}

// Huge pages for the time of a test.
class huge_pages {
  public:
    explicit huge_pages(unsigned wanted) : before_(setting(path)) {
        std::ofstream(path) << wanted;
        std::ifstream(path) >> obtained_;
    }
    huge_pages(const huge_pages&) = delete;
    huge_pages& operator=(const huge_pages&) = delete;
    ~huge_pages() { std::ofstream(path) << before_; }
    unsigned obtained() const { return obtained_; }

  private:
    static constexpr const char* path = "/proc/sys/vm/nr_hugepages";
    std::string before_;
    unsigned obtained_ = 0;
};

}  // namespace

TEST_CASE("frames of 3000 and 3072 bytes carry packets both ways in both modes") {
    const network_namespace here;
    here.add_veth("cable");
    here.raise_veth("cable");
    for (const auto mode : {xdp_mode::native, xdp_mode::generic}) {
        for (const std::uint32_t chunk : {3000u, 3072u, 2049u}) {
            for (const std::uint32_t headroom : {0u, 128u, 256u}) {
                exchange({.frames = 64,
                          .chunk_bytes = chunk,
                          .unaligned = true,
                          .headroom_bytes = headroom},
                         mode, 1514);
            }
        }
    }
}

TEST_CASE("aligned frames with headroom put the data behind it in both modes") {
    const network_namespace here;
    here.add_veth("cable");
    here.raise_veth("cable");
    for (const auto mode : {xdp_mode::native, xdp_mode::generic}) {
        for (const std::uint32_t chunk : {2048u, 4096u}) {
            for (const std::uint32_t headroom : {128u, 256u})
                exchange({.frames = 64, .chunk_bytes = chunk, .headroom_bytes = headroom}, mode,
                         1514);
        }
    }
}

TEST_CASE("a jumbo frame lies in several unaligned pieces and leaves from them") {
    const network_namespace here;
    here.add_veth("cable");
    here.run("ip link set cable mtu 9000");
    here.run("ip link set cablep mtu 9000");
    here.raise_veth("cable");
    for (const auto mode : {xdp_mode::native, xdp_mode::generic}) {
        for (const std::uint32_t chunk : {3000u, 3072u})
            exchange({.frames = 64, .chunk_bytes = chunk, .unaligned = true}, mode, 9014);
    }
}

TEST_CASE("huge pages hold aligned and unaligned frames alike") {
    const huge_pages reserved(4);
    if (reserved.obtained() == 0) skip("this machine reserves no huge pages");
    const network_namespace here;
    here.add_veth("cable");
    here.raise_veth("cable");
    for (const bool unaligned : {false, true}) {
        const umem_options memory{.frames = 1000,
                                  .chunk_bytes = unaligned ? 3000u : 2048u,
                                  .unaligned = unaligned,
                                  .huge_pages = true};
        CHECK(umem(memory).huge_pages());
        exchange(memory, xdp_mode::native, 1514);
    }
}
