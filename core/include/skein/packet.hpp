// SPDX-License-Identifier: Apache-2.0
// A packet: an ordered list of segments that lie where they were received, and what is known of it.
//
//     packet ─► [segment 0][segment 1][segment 2] ─► block of 7 ─► block of 7 ─► …
//                inline, in the packet itself         from the pool, only when needed
//
// The common packet has one segment; a jumbo frame has three; a 512 KiB aggregate has hundreds. The
// packet itself is one cache line and never allocates: the first three segments are inline, further
// ones come in blocks of seven from the pool.
//
// Ownership: a packet holds one reference on the frame of each of its segments and gives them back
// when it is destroyed. It is move-only; share() makes a second packet that names the same frames.
// The pool must outlive its packets.
//
// Writing: bytes of a frame may be written only by its sole holder. make_writable() gives a span
// that may be written, copying the header to a frame of its own where the first one is shared.
//
// Units: size_bytes is payload of the packet as on the wire (from the Ethernet header on, no FCS);
// truesize_bytes is what it pins: whole frames.
// Threading: a packet belongs to the thread that owns its pool.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include <skein/export.hpp>
#include <skein/frame_pool.hpp>
#include <skein/tx_request.hpp>

namespace skein::inline v0 {

class packet {
  public:
    static constexpr std::size_t inline_segments = 3;
    static constexpr std::size_t max_segments = 0xffff;

    class iterator;

    packet() noexcept = default;
    explicit packet(frame_pool& pool) noexcept : pool_(&pool) {}
    // A packet of one segment; takes over a reference on its frame.
    packet(frame_pool& pool, segment only) noexcept
        : pool_(&pool), size_bytes_(only.length), segment_count_(1), pinned_frames_(1) {
        inline_[0] = only;
    }
    // Becomes such a packet; what it held is given back.
    void assign(frame_pool& pool, segment only) noexcept {
        clear();
        pool_ = &pool;
        size_bytes_ = only.length;
        segment_count_ = 1;
        pinned_frames_ = 1;
        inline_[0] = only;
    }
    packet(packet&& other) noexcept { adopt(other); }
    packet& operator=(packet&& other) noexcept {
        if (this != &other) {
            clear();
            adopt(other);
        }
        return *this;
    }
    ~packet() { clear(); }

    bool empty() const noexcept { return segment_count_ == 0; }
    std::uint32_t size_bytes() const noexcept { return size_bytes_; }
    std::size_t segment_count() const noexcept { return segment_count_; }
    frame_pool* pool() const noexcept { return pool_; }

    // What the packet keeps from being used otherwise. A frame named by neighbouring segments
    // counts once.
    std::uint64_t truesize_bytes() const noexcept {
        return pool_ == nullptr ? 0 : std::uint64_t{pinned_frames_} * pool_->area().chunk_bytes();
    }

    segment front() const noexcept {
        assert(!empty());
        return inline_[0];
    }
    // The first segment's bytes. Read-only: see make_writable.
    std::span<const std::byte> head() const noexcept {
        if (empty()) return {};
        return pool_->area().bytes(inline_[0]);
    }

    iterator begin() const noexcept;
    iterator end() const noexcept;

    // Appends a segment and takes over a reference on its frame. False, and nothing is taken, if
    // the packet is full or no block is free. The segment must not be empty.
    bool append(segment piece) noexcept {
        assert(pool_ != nullptr && piece.length > 0);
        assert(piece.offset + piece.length <= pool_->area().chunk_bytes());
        const bool neighbours = segment_count_ != 0 && last_segment().frame == piece.frame;
        if (segment_count_ < inline_segments) {
            inline_[segment_count_] = piece;
        } else if (!append_to_block(piece)) {
            return false;
        }
        if (!neighbours) ++pinned_frames_;
        ++segment_count_;
        size_bytes_ += piece.length;
        return true;
    }

    // Puts a segment in front, taking over a reference on its frame; false as for append.
    SKEIN_EXPORT bool prepend(segment piece) noexcept;

    // Drops bytes at the front (the back), and the references of segments that vanish. n must not
    // exceed size_bytes().
    SKEIN_EXPORT void drop_front(std::uint32_t n) noexcept;
    SKEIN_EXPORT void drop_back(std::uint32_t n) noexcept;

    // n bytes at an offset: in place if one segment holds them all, else copied to scratch. Null if
    // the packet ends before. The packet is not changed.
    const std::byte* peek(std::size_t offset, std::size_t n, std::byte* scratch) const noexcept {
        if (segment_count_ != 0 && n <= inline_[0].length && offset <= inline_[0].length - n) {
            return pool_->area().data(inline_[0].frame) + inline_[0].offset + offset;
        }
        return peek_across(offset, n, scratch);
    }
    // So that a packet is a byte source for the parser.
    std::size_t size() const noexcept { return size_bytes_; }

    // Copies from an offset on; returns how many bytes the packet had there.
    SKEIN_EXPORT std::size_t copy_to(std::span<std::byte> to,
                                     std::size_t offset = 0) const noexcept;

    // The first n bytes, contiguous and allowed to be written. In place if the first segment holds
    // them and nobody else holds its frame; otherwise they are copied to a frame of their own, at
    // `headroom` bytes from its start, counted by the pool and, if given, in *copied_bytes. An
    // empty span if the packet is shorter, n + headroom exceeds a frame, or no frame is free: the
    // packet is then unchanged.
    SKEIN_EXPORT std::span<std::byte> make_writable(std::uint32_t n,
                                                    std::uint64_t* copied_bytes = nullptr,
                                                    std::uint16_t headroom = 256) noexcept;

    // A second packet that names the same frames. An empty packet if references or blocks run out.
    SKEIN_EXPORT packet share() const noexcept;

    // Gives every frame back; the packet is empty afterwards.
    void clear() noexcept {
        if (segment_count_ == 1) [[likely]] {
            pool_->give(inline_[0].frame);
            forget();
        } else if (segment_count_ != 0) {
            clear_long();
        }
    }

    // Hands every segment to `consume(segment)` in order, which takes over the references; the
    // packet is empty afterwards. This is how a packet becomes descriptors.
    template <class Consume>
    void release_into(Consume&& consume) noexcept;

    // --- what is known of the packet -------------------------------------------------------------

    std::uint64_t timestamp_ns = 0;    // 0: unknown; the clock is the port's
    std::uint32_t original_bytes = 0;  // its length on the wire if it was cut short; 0: it was not

    // True if the packet was cut short by whoever captured it.
    bool snapped() const noexcept { return original_bytes > size_bytes_; }

    // True if what the device told of it lies in front of its data (see rx_metadata.hpp). Marked by
    // who received it; gone as soon as the packet begins elsewhere.
    bool has_metadata() const noexcept { return (request_.wants & metadata_mark) != 0; }
    void mark_metadata() noexcept { request_.wants |= metadata_mark; }

    // What the sending device is asked for (see tx_request.hpp). Sending or clearing the packet
    // ends it. A request names bytes by their place in the packet: who puts bytes in front of them
    // or takes some away asks anew.
    void request_checksum(std::uint16_t start, std::uint8_t offset) noexcept {
        request_.wants |= tx_request::wants_checksum;
        request_.checksum_start = start;
        request_.checksum_offset = offset;
    }
    // The time comes with the value that timestamp_ns had when the packet was sent.
    void request_timestamp() noexcept { request_.wants |= tx_request::wants_timestamp; }
    // To be sent at this time of the device's clock; kept in timestamp_ns.
    void request_launch(std::uint64_t at_ns) noexcept {
        request_.wants |= tx_request::wants_launch;
        timestamp_ns = at_ns;
    }
    void drop_request() noexcept {
        request_ = {.wants = static_cast<std::uint8_t>(request_.wants & metadata_mark)};
    }
    bool has_request() const noexcept { return (request_.wants & tx_request::any) != 0; }
    tx_request request() const noexcept {
        auto only = request_;
        only.wants &= tx_request::any;
        return only;
    }

  private:
    static constexpr std::uint8_t metadata_mark = 1u << 7;
    static_assert((metadata_mark & tx_request::any) == 0);

    void unmark_metadata() noexcept { request_.wants &= tx_request::any; }
    void adopt(packet& other) noexcept {
        static_assert(std::is_trivially_copyable_v<segment>);
        std::memcpy(static_cast<void*>(this), static_cast<const void*>(&other), sizeof *this);
        other.forget();
    }
    // Empty, without giving anything back.
    void forget() noexcept {
        size_bytes_ = 0;
        segment_count_ = 0;
        pinned_frames_ = 0;
        timestamp_ns = 0;
        original_bytes = 0;
        request_ = {};
    }

    SKEIN_EXPORT bool append_to_block(segment piece) noexcept;
    bool push_block_front(segment piece) noexcept;
    SKEIN_EXPORT void clear_long() noexcept;
    SKEIN_EXPORT const std::byte* peek_across(std::size_t offset, std::size_t n,
                                              std::byte* scratch) const noexcept;
    void pop_front() noexcept;
    void pop_back() noexcept;
    const segment& last_segment() const noexcept {
        if (segment_count_ <= inline_segments) return inline_[segment_count_ - 1u];
        const auto& block = pool_->block(last_block_);
        return block.segments[block.end - 1u];
    }
    segment& last_segment() noexcept {
        return const_cast<segment&>(std::as_const(*this).last_segment());
    }

    tx_request request_{};  // and the metadata mark
    frame_pool* pool_ = nullptr;
    std::uint32_t size_bytes_ = 0;
    std::uint16_t segment_count_ = 0;
    std::uint16_t pinned_frames_ = 0;
    std::array<segment, inline_segments> inline_{};
    std::uint32_t first_block_ = segment_block::none;
    std::uint32_t last_block_ = segment_block::none;
};
static_assert(sizeof(packet) == 64, "a packet is one cache line");

// Walks a packet's segments in order. Valid while the packet is not changed.
class packet::iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = segment;
    using difference_type = std::ptrdiff_t;
    using pointer = const segment*;
    using reference = const segment&;

    iterator() noexcept = default;

    reference operator*() const noexcept {
        if (index_ < inline_segments) return owner_->inline_[index_];
        return owner_->pool_->block(block_).segments[in_block_];
    }
    pointer operator->() const noexcept { return &**this; }

    iterator& operator++() noexcept {
        ++index_;
        if (index_ > inline_segments) {
            step_in_blocks();
        } else if (index_ == inline_segments && index_ < owner_->segment_count_) {
            enter(owner_->first_block_);
        }
        return *this;
    }
    iterator operator++(int) noexcept {
        auto before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const iterator& a, const iterator& b) noexcept {
        return a.index_ == b.index_;
    }

  private:
    friend class packet;
    iterator(const packet* owner, std::size_t index) noexcept : owner_(owner), index_(index) {}

    void enter(std::uint32_t block) noexcept {
        block_ = block;
        in_block_ = owner_->pool_->block(block).begin;
    }
    void step_in_blocks() noexcept {
        const auto& block = owner_->pool_->block(block_);
        if (++in_block_ == block.end && block.next != segment_block::none) enter(block.next);
    }

    const packet* owner_ = nullptr;
    std::size_t index_ = 0;
    std::uint32_t block_ = segment_block::none;
    std::uint32_t in_block_ = 0;
};

inline packet::iterator packet::begin() const noexcept {
    return {this, 0};
}
inline packet::iterator packet::end() const noexcept {
    return {this, segment_count_};
}

template <class Consume>
void packet::release_into(Consume&& consume) noexcept {
    if (segment_count_ != 0) [[likely]]
        consume(inline_[0]);
    for (std::size_t i = 1; i < segment_count_ && i < inline_segments; ++i)
        consume(inline_[i]);
    if (segment_count_ > inline_segments) [[unlikely]] {
        for (auto index = first_block_; index != segment_block::none;) {
            const auto& block = pool_->block(index);
            for (auto i = block.begin; i < block.end; ++i)
                consume(block.segments[i]);
            const auto next = block.next;
            pool_->give_block(index);
            index = next;
        }
    }
    forget();
}

}  // namespace skein::inline v0
