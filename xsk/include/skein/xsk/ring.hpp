// SPDX-License-Identifier: Apache-2.0
// The four rings between a port and the kernel, over plain memory.
//
//     we produce: FILL (frames to receive into), TX (descriptors to send)
//     we consume: RX (descriptors received), COMPLETION (frames sent)
//
// A ring is a power of two of entries and two free-running 32-bit indices; slot = index & (size -
// 1), so that a full ring and an empty one differ. Single producer, single consumer. This is the
// only place that knows the memory order, which pairs with the kernel's as follows (Linux 6.12
// net/xdp/xsk_queue.h, barriers A to D):
//
//     producer                          consumer
//     if (space: consumer index) (A)    load-acquire producer index   (C)
//     write entries                     read entries
//     store-release producer index (B)  store-release consumer index  (D)
//
// C pairs with B: entries are seen before the index that announces them. A pairs with D: a slot is
// written again only after it was read. The kernel relies on a control dependency for A; here it is
// an acquire load, which costs nothing more on x86.
//
// The other side's index is read only when the copy of it shows too little; one release store
// publishes a batch. What lies between the wrap is given as two spans, so that callers never see a
// mask. Which memory a view describes is the socket's business, or a test's.
//
// Threading: each ring view belongs to one thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include <skein/descriptor.hpp>
#include <skein/xsk/uapi.hpp>

namespace skein::inline v0::xsk {

// The indices of a ring that does not exist: always empty, always full, never asking.
inline std::uint32_t absent_ring_words[3] = {0, 0, 0};

// Where a ring lies. Nothing is owned.
template <class Entry>
struct ring_memory {
    std::uint32_t* producer = &absent_ring_words[0];
    std::uint32_t* consumer = &absent_ring_words[1];
    std::uint32_t* flags = &absent_ring_words[2];
    Entry* entries = nullptr;
    std::uint32_t size = 0;  // entries, a power of two
};

// Consecutive slots: those up to the end of the ring, and those after the wrap.
template <class Entry>
struct ring_slots {
    std::span<Entry> first;
    std::span<Entry> second;

    std::size_t size() const noexcept { return first.size() + second.size(); }
    bool empty() const noexcept { return first.empty(); }
    Entry& operator[](std::size_t i) const noexcept {
        return i < first.size() ? first[i] : second[i - first.size()];
    }
};

// What both kinds of ring share: indices, slots, the flags word.
template <class Entry>
class ring {
  public:
    std::uint32_t size() const noexcept { return memory_.size; }

    // The kernel sleeps and wants a system call (XDP_RING_NEED_WAKEUP).
    bool needs_wakeup() const noexcept {
        return (std::atomic_ref(*memory_.flags).load(std::memory_order_relaxed) &
                uapi::ring_need_wakeup) != 0;
    }

    // Entries announced by the producer and not yet released by the consumer, as of now. For the
    // ledger; the data path uses the cached indices.
    std::uint32_t occupied() const noexcept {
        // The consumer first: it can only grow, so the difference never goes below zero.
        const auto consumed = std::atomic_ref(*memory_.consumer).load(std::memory_order_acquire);
        const auto produced = std::atomic_ref(*memory_.producer).load(std::memory_order_acquire);
        return std::min(produced - consumed, memory_.size);
    }

  protected:
    ring() noexcept = default;
    explicit ring(ring_memory<Entry> memory) noexcept
        : memory_(memory),
          mask_(memory.size - 1),
          producer_(*memory.producer),
          consumer_(*memory.consumer) {
        assert(memory.size != 0 && (memory.size & mask_) == 0);
    }

    // Never more than the ring has, whatever the other side's index says.
    ring_slots<Entry> slots(std::uint32_t from, std::uint32_t wanted) const noexcept {
        const auto n = std::min(wanted, memory_.size);
        const auto start = from & mask_;
        const auto before_wrap = std::min(n, memory_.size - start);
        return {{memory_.entries + start, before_wrap}, {memory_.entries, n - before_wrap}};
    }

    ring_memory<Entry> memory_;
    std::uint32_t mask_ = 0;
    std::uint32_t producer_ = 0;  // ours, or the last seen of the other side's
    std::uint32_t consumer_ = 0;
};

template <class Entry>
class producer_ring : public ring<Entry> {
  public:
    producer_ring() noexcept = default;
    explicit producer_ring(ring_memory<Entry> memory) noexcept : ring<Entry>(memory) {}

    // Up to n free slots to write. Nothing is announced before submit; reserving again without
    // submitting gives the same slots.
    ring_slots<Entry> reserve(std::uint32_t n) noexcept {
        return this->slots(this->producer_, std::min(n, free_slots(n)));
    }

    // Announces the first n reserved slots to the kernel.
    void submit(std::uint32_t n) noexcept {
        this->producer_ += n;
        std::atomic_ref(*this->memory_.producer).store(this->producer_, std::memory_order_release);
    }

    // Free slots; the consumer index is read again only if fewer than `wanted` are known to be
    // free.
    std::uint32_t free_slots(std::uint32_t wanted) noexcept {
        auto n = this->memory_.size - (this->producer_ - this->consumer_);
        if (n < wanted) {
            this->consumer_ =
                std::atomic_ref(*this->memory_.consumer).load(std::memory_order_acquire);
            n = this->memory_.size - (this->producer_ - this->consumer_);
        }
        return n;
    }

    // Announced and not yet taken by the kernel, as of now.
    std::uint32_t pending() noexcept {
        this->consumer_ = std::atomic_ref(*this->memory_.consumer).load(std::memory_order_acquire);
        return this->producer_ - this->consumer_;
    }

    // What is pending. Only once the kernel has let go of the ring is it certain to stay so.
    ring_slots<const Entry> untaken() noexcept {
        const auto n = pending();
        const auto found = this->slots(this->consumer_, n);
        return {found.first, found.second};
    }
};

template <class Entry>
class consumer_ring : public ring<Entry> {
  public:
    consumer_ring() noexcept = default;
    explicit consumer_ring(ring_memory<Entry> memory) noexcept : ring<Entry>(memory) {}

    // Up to n entries to read. They stay the ring's until release; peeking again gives them again.
    ring_slots<const Entry> peek(std::uint32_t n) noexcept {
        const auto found = this->slots(this->consumer_, std::min(n, available(n)));
        return {found.first, found.second};
    }

    // Gives the first n peeked slots back to the kernel.
    void release(std::uint32_t n) noexcept {
        this->consumer_ += n;
        std::atomic_ref(*this->memory_.consumer).store(this->consumer_, std::memory_order_release);
    }

    // Entries to read; the producer index is read again only if fewer than `wanted` are known.
    std::uint32_t available(std::uint32_t wanted) noexcept {
        auto n = this->producer_ - this->consumer_;
        if (n < wanted) {
            this->producer_ =
                std::atomic_ref(*this->memory_.producer).load(std::memory_order_acquire);
            n = this->producer_ - this->consumer_;
        }
        return n;
    }
};

class fill_ring : public producer_ring<std::uint64_t> {
    using producer_ring::producer_ring;
};
class tx_ring : public producer_ring<descriptor> {
    using producer_ring::producer_ring;
};
class rx_ring : public consumer_ring<descriptor> {
    using consumer_ring::consumer_ring;
};
class completion_ring : public consumer_ring<std::uint64_t> {
    using consumer_ring::consumer_ring;
};

}  // namespace skein::inline v0::xsk
