// SPDX-License-Identifier: Apache-2.0
// Packets against a naive model, a vector of bytes, under random operations.
#include <map>
#include <utility>

#include "support/catch.hpp"
#include "support/plain_frames.hpp"
#include "support/seed.hpp"

using namespace skein;
using namespace skein::test;

namespace {

using byte_vector = std::vector<std::byte>;

struct pair_of {
    packet real;
    byte_vector model;
};

// A random operation on a random packet, done to the packet and to its model.
class playground {
  public:
    explicit playground(std::uint64_t seed, std::uint32_t frame_count, frame_pool::options how = {})
        : random_(seed), frames_(frame_count, 2048, how) {
        for (std::size_t i = 0; i < 6; ++i)
            pairs_.push_back({packet(frames_.pool), {}});
    }

    void step() {
        auto& p = any();
        switch (random_.between(0, 9)) {
            case 0:
            case 1:
            case 2:
                return append(p);
            case 3:
                return prepend(p);
            case 4:
                return drop_front(p);
            case 5:
                return drop_back(p);
            case 6:
                return move(p);
            case 7:
                return write(p);
            case 8:
                return share(p);
            default:
                return split_frame(p);
        }
    }

    void check() {
        std::map<frame_id, std::uint32_t> named;
        for (auto& p : pairs_) {
            REQUIRE(bytes_in(p.real) == p.model);
            REQUIRE(p.real.size_bytes() == p.model.size());
            check_peek(p);
            std::uint64_t runs = 0;
            const segment* before = nullptr;
            for (const auto& piece : p.real) {
                if (before == nullptr || before->frame != piece.frame) ++runs;
                before = &piece;
                ++named[piece.frame];
            }
            REQUIRE(p.real.truesize_bytes() == runs * 2048);
        }
        for (const auto& [frame, times] : named)
            REQUIRE(frames_.pool.references(frame) == times);
        REQUIRE(frames_.pool.held_by(frame_holder::application) == named.size());
        REQUIRE(frames_.pool.audit());
    }

    void finish() {
        pairs_.clear();
        REQUIRE(frames_.all_free());
    }

  private:
    pair_of& any() { return pairs_[random_.between(0, pairs_.size() - 1)]; }

    byte_vector content() {
        byte_vector bytes(random_.one_in(20) ? 2048 : random_.between(1, 60));
        for (auto& b : bytes)
            b = random_.byte();
        return bytes;
    }

    // A fresh segment with these bytes somewhere in its frame; nothing if no frame is free.
    std::optional<segment> fresh(const byte_vector& bytes) {
        frame_id frame{};
        if (frames_.pool.take({&frame, 1}) == 0) return std::nullopt;
        const auto offset = random_.between(0, 2048 - bytes.size());
        const segment piece{frame, static_cast<std::uint16_t>(offset),
                            static_cast<std::uint16_t>(bytes.size())};
        std::copy(bytes.begin(), bytes.end(), frames_.area().bytes(piece).begin());
        return piece;
    }

    void append(pair_of& p) {
        const auto bytes = content();
        const auto piece = fresh(bytes);
        if (!piece) return;
        if (p.real.append(*piece)) {
            p.model.insert(p.model.end(), bytes.begin(), bytes.end());
        } else {
            frames_.pool.give(piece->frame);
        }
    }

    void prepend(pair_of& p) {
        const auto bytes = content();
        const auto piece = fresh(bytes);
        if (!piece) return;
        if (p.real.prepend(*piece)) {
            p.model.insert(p.model.begin(), bytes.begin(), bytes.end());
        } else {
            frames_.pool.give(piece->frame);
        }
    }

    std::size_t some_of(const pair_of& p) {
        if (random_.one_in(40)) return p.model.size();
        return random_.between(0, std::min<std::size_t>(p.model.size(), 200));
    }

    void drop_front(pair_of& p) {
        const auto n = some_of(p);
        p.real.drop_front(static_cast<std::uint32_t>(n));
        p.model.erase(p.model.begin(), p.model.begin() + static_cast<std::ptrdiff_t>(n));
    }

    void drop_back(pair_of& p) {
        const auto n = some_of(p);
        p.real.drop_back(static_cast<std::uint32_t>(n));
        p.model.resize(p.model.size() - n);
    }

    void move(pair_of& p) {
        auto& from = any();
        if (&from == &p) return;
        p.real = std::move(from.real);
        p.model = std::exchange(from.model, {});
        from.real = packet(frames_.pool);
    }

    void write(pair_of& p) {
        const auto n = static_cast<std::uint32_t>(random_.between(0, 80));
        std::uint64_t copied = 0;
        const auto header = p.real.make_writable(n, &copied);
        if (header.empty()) return;
        REQUIRE(header.size() == n);
        for (std::size_t i = 0; i < n; ++i)
            p.model[i] = header[i] = random_.byte();
    }

    void share(pair_of& p) {
        auto& from = any();
        if (&from == &p) return;
        auto twin = from.real.share();
        if (twin.empty()) return;
        p.real = std::move(twin);
        p.model = from.model;
    }

    // A second segment in the frame of the last one, as GSO makes them.
    void split_frame(pair_of& p) {
        if (p.real.empty()) return;
        const auto first = p.real.front();
        const auto bytes = frames_.area().bytes(first);
        if (!frames_.pool.share(first.frame)) return;
        if (p.real.append(first)) {
            p.model.insert(p.model.end(), bytes.begin(), bytes.end());
        } else {
            frames_.pool.give(first.frame);
        }
    }

    void check_peek(const pair_of& p) {
        std::byte scratch[128];
        const auto offset = random_.between(0, p.model.size() + 4);
        const auto n = random_.between(0, sizeof scratch);
        const auto* found = p.real.peek(offset, n, scratch);
        REQUIRE((found != nullptr) == (offset + n <= p.model.size()));
        if (found == nullptr) return;
        REQUIRE(
            std::equal(found, found + n, p.model.begin() + static_cast<std::ptrdiff_t>(offset)));
    }

    random_numbers random_;
    plain_frames frames_;
    std::vector<pair_of> pairs_;
};

void play(std::uint64_t seed, std::uint32_t frames, frame_pool::options how, int steps) {
    playground ground(seed, frames, how);
    for (int i = 0; i < steps; ++i) {
        ground.step();
        if (i % 7 == 0) ground.check();
    }
    ground.check();
    ground.finish();
}

}  // namespace

TEST_CASE("packets behave as vectors of bytes do") {
    const auto seed = announced_seed("packet_property_test");
    for (std::uint64_t i = 0; i < 20; ++i)
        play(seed + i, 600, {}, 2000);
}

TEST_CASE("packets behave so, too, where frames and blocks run out all the time") {
    const auto seed = announced_seed("packet_property_test");
    for (std::uint64_t i = 0; i < 20; ++i)
        play(seed + i, 24, {.segment_blocks = 5}, 2000);
}
