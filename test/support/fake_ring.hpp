// SPDX-License-Identifier: Apache-2.0
// The kernel's side of the four rings, laid out in memory as Linux 6.12 net/xdp/xsk_queue.h does.
//
//     fake_source<E>   the kernel consumes what the port produces:  FILL, TX
//     fake_sink<E>     the kernel produces what the port consumes:  RX, COMPLETION
//
// Both notice a port that breaks the protocol: an index that runs backwards, past its counterpart,
// or further ahead than the ring is long.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <linux/if_xdp.h>

namespace skein::test {

// Each of producer, consumer and flags has a cache line of its own, with padding lines between.
inline constexpr xdp_ring_offset fake_ring_layout{
    .producer = 0, .consumer = 128, .desc = 320, .flags = 196};

// The memory of one ring; mappings of it share ownership, so that it outlives its socket.
class fake_ring_memory {
  public:
    explicit fake_ring_memory(std::size_t bytes) : lines_((bytes + 63) / 64) {}

    std::byte* base() noexcept { return lines_.front().bytes; }
    std::size_t bytes() const noexcept { return lines_.size() * 64; }

  private:
    struct alignas(64) line {
        std::byte bytes[64]{};
    };
    std::vector<line> lines_;
};

template <class Entry>
class fake_ring {
  public:
    fake_ring(std::uint32_t entries, std::uint32_t first_index)
        : memory_(std::make_shared<fake_ring_memory>(fake_ring_layout.desc +
                                                     std::size_t{entries} * sizeof(Entry))),
          size_(entries),
          next_(first_index) {
        word(fake_ring_layout.producer).store(first_index);
        word(fake_ring_layout.consumer).store(first_index);
    }

    const std::shared_ptr<fake_ring_memory>& memory() const noexcept { return memory_; }
    std::uint32_t size() const noexcept { return size_; }

    std::uint32_t producer() const noexcept {
        return word(fake_ring_layout.producer).load(std::memory_order_acquire);
    }
    std::uint32_t consumer() const noexcept {
        return word(fake_ring_layout.consumer).load(std::memory_order_acquire);
    }
    void set_flags(std::uint32_t flags) noexcept { word(fake_ring_layout.flags).store(flags); }

    // True while the two indices make sense.
    bool sane() const noexcept { return producer() - consumer() <= size_; }

  protected:
    std::atomic_ref<std::uint32_t> word(std::uint64_t offset) const noexcept {
        return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(memory_->base() + offset));
    }
    Entry& entry(std::uint32_t index) const noexcept {
        auto* entries = reinterpret_cast<Entry*>(memory_->base() + fake_ring_layout.desc);
        return entries[index & (size_ - 1)];
    }

    std::shared_ptr<fake_ring_memory> memory_;
    std::uint32_t size_;
    std::uint32_t next_;  // the kernel's own index, published later
};

template <class Entry>
class fake_source : public fake_ring<Entry> {
  public:
    fake_source(std::uint32_t entries, std::uint32_t first_index)
        : fake_ring<Entry>(entries, first_index), seen_(first_index) {}

    // Announced and not yet taken.
    std::uint32_t waiting() const noexcept { return this->producer() - this->next_; }
    const Entry& peek(std::uint32_t ahead = 0) const noexcept {
        return this->entry(this->next_ + ahead);
    }
    Entry take() noexcept { return this->entry(this->next_++); }
    // Real kernels publish what they took at the end of a batch.
    void publish() noexcept {
        this->word(fake_ring_layout.consumer).store(this->next_, std::memory_order_release);
    }

    // Shows each entry announced since the last call once.
    template <class Visit>
    void newly_announced(Visit&& visit) {
        for (const auto end = this->producer(); seen_ != end; ++seen_)
            visit(this->entry(seen_));
    }

  private:
    std::uint32_t seen_;
};

template <class Entry>
class fake_sink : public fake_ring<Entry> {
  public:
    // What an entry stands for: the frame whose custody it carries, or none if it is forged.
    static constexpr std::int64_t forged = -1;

    fake_sink(std::uint32_t entries, std::uint32_t first_index)
        : fake_ring<Entry>(entries, first_index), released_(first_index), frames_(entries) {}

    std::uint32_t room() const noexcept { return this->size_ - (this->next_ - this->consumer()); }
    // Written, published or not, and not yet released by the port.
    std::uint32_t occupied() const noexcept { return this->next_ - this->consumer(); }

    void put(const Entry& what, std::int64_t frame) noexcept {
        frames_[this->next_ & (this->size_ - 1)] = frame;
        this->entry(this->next_++) = what;
    }
    void publish() noexcept { publish_but(0); }
    // Keeps the last `held` entries back.
    void publish_but(std::uint32_t held) noexcept {
        this->word(fake_ring_layout.producer).store(this->next_ - held, std::memory_order_release);
    }

    // Shows the frame of each entry the port released since the last call.
    template <class Visit>
    void newly_released(Visit&& visit) {
        for (const auto end = this->consumer(); released_ != end; ++released_)
            visit(frames_[released_ & (this->size_ - 1)]);
    }
    // Shows the frame of each entry not released.
    template <class Visit>
    void unreleased(Visit&& visit) const {
        for (auto i = released_; i != this->next_; ++i)
            visit(frames_[i & (this->size_ - 1)]);
    }

  private:
    std::uint32_t released_;
    std::vector<std::int64_t> frames_;
};

}  // namespace skein::test
