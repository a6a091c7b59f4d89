// SPDX-License-Identifier: Apache-2.0
// The frame pool against a naive model under random events, among them a kernel that lies.
#include <set>

#include "support/catch.hpp"
#include "support/plain_frames.hpp"
#include "support/seed.hpp"

using namespace skein;
using namespace skein::test;

namespace {

constexpr std::uint32_t count = 24;
constexpr lender_id ports = 3;

// What is known of a frame, in the plainest form.
struct model_frame {
    unsigned held = 0;                 // segments in the application's hands
    int rx = -1;                       // the port it is lent to
    std::array<unsigned, ports> tx{};  // descriptors under way, by port
    bool written_off = false;

    unsigned under_way() const { return tx[0] + tx[1] + tx[2]; }
    bool free() const { return held == 0 && rx < 0 && under_way() == 0 && !written_off; }
};

class playground {
  public:
    explicit playground(std::uint64_t seed) : random_(seed), frames_(count), model_(count) {}

    void step() {
        const frame_id frame{static_cast<std::uint32_t>(random_.between(0, count - 1))};
        const auto port = static_cast<lender_id>(random_.between(0, ports - 1));
        switch (random_.between(0, 9)) {
            case 0:
                return take();
            case 1:
                return lend_to_rx(port);
            case 2:
                return share(frame);
            case 3:
            case 4:
                return give(frame);
            case 5:
                return receive(frame, port);
            case 6:
                return lend_to_tx(frame, port);
            case 7:
            case 8:
                return complete(frame, port);
            default:
                if (random_.one_in(20)) reclaim_rx(port);
        }
    }

    void check() {
        std::uint32_t free = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const frame_id frame{i};
            const auto& m = model_[i];
            if (m.free()) ++free;
            REQUIRE((frames_.pool.holder(frame) == frame_holder::free) == m.free());
            REQUIRE((frames_.pool.holder(frame) == frame_holder::rx) == (m.rx >= 0));
            REQUIRE((frames_.pool.holder(frame) == frame_holder::tx) == (m.under_way() != 0));
            REQUIRE(frames_.pool.references(frame) == (m.rx >= 0 ? 0 : m.held + m.under_way()));
            REQUIRE(frames_.pool.sole_holder(frame) == (m.held == 1 && m.under_way() == 0));
        }
        REQUIRE(frames_.pool.free_frames() == free);
        REQUIRE(frames_.pool.audit());
    }

    void finish() {
        for (std::uint32_t i = 0; i < count; ++i) {
            const frame_id frame{i};
            for (lender_id port = 0; port < ports; ++port) {
                while (model_[i].tx[port] != 0) {
                    REQUIRE(frames_.pool.complete(frame, port));
                    --model_[i].tx[port];
                }
            }
            for (; model_[i].held != 0; --model_[i].held)
                frames_.pool.give(frame);
        }
        for (lender_id port = 0; port < ports; ++port)
            frames_.pool.reclaim_rx(port);
        REQUIRE(frames_.all_free());
    }

  private:
    model_frame& of(frame_id frame) { return model_[index_of(frame)]; }

    void take() {
        std::array<frame_id, 3> taken{};
        const auto n = frames_.pool.take(taken);
        for (std::size_t i = 0; i < n; ++i) {
            REQUIRE(of(taken[i]).free());
            of(taken[i]).held = 1;
        }
    }
    void lend_to_rx(lender_id port) {
        std::array<std::uint64_t, 3> addresses{};
        const auto n = frames_.pool.lend_to_rx(addresses, port);
        for (std::size_t i = 0; i < n; ++i) {
            auto& m = of(frames_.area().frame_at(addresses[i]).value());
            REQUIRE(m.free());
            m.rx = port;
        }
    }
    void share(frame_id frame) {
        if (of(frame).held == 0) return;
        REQUIRE(frames_.pool.share(frame));
        ++of(frame).held;
    }
    void give(frame_id frame) {
        if (of(frame).held == 0) return;
        frames_.pool.give(frame);
        --of(frame).held;
    }
    // The kernel says so; it may be wrong.
    void receive(frame_id frame, lender_id port) {
        const bool true_one = of(frame).rx == port;
        REQUIRE(frames_.pool.receive(frame, port) == true_one);
        if (!true_one) return;
        of(frame).rx = -1;
        of(frame).held = 1;
    }
    void lend_to_tx(frame_id frame, lender_id port) {
        if (of(frame).held == 0) return;
        frames_.pool.lend_to_tx(frame, port);
        --of(frame).held;
        ++of(frame).tx[port];
    }
    // As above. A frame under way in several ports at once may be completed by any of them: the
    // pool cannot tell them apart, and loses nothing by it.
    void complete(frame_id frame, lender_id port) {
        auto& m = of(frame);
        const auto accepted = frames_.pool.complete(frame, port);
        if (m.tx[port] != 0) {
            REQUIRE(accepted);
            --m.tx[port];
        } else if (m.under_way() == 0) {
            REQUIRE_FALSE(accepted);
        } else if (accepted) {
            auto* other = std::find_if(m.tx.begin(), m.tx.end(), [](auto n) { return n != 0; });
            --*other;
        }
    }
    void reclaim_rx(lender_id port) {
        std::uint32_t expected = 0;
        for (auto& m : model_) {
            if (m.rx != port) continue;
            m.rx = -1;
            ++expected;
        }
        REQUIRE(frames_.pool.reclaim_rx(port) == expected);
    }

    random_numbers random_;
    plain_frames frames_;
    std::vector<model_frame> model_;
};

}  // namespace

TEST_CASE("whatever happens, a frame is where the model says, and never in two places") {
    const auto seed = announced_seed("pool_property_test");
    for (std::uint64_t i = 0; i < 30; ++i) {
        playground ground(seed + i);
        for (int step = 0; step < 3000; ++step) {
            ground.step();
            if (step % 5 == 0) ground.check();
        }
        ground.finish();
    }
}
