// SPDX-License-Identifier: Apache-2.0
#include <skein/packet.hpp>

#include <algorithm>

namespace skein::inline v0 {

// --- blocks --------------------------------------------------------------------------------------

bool packet::append_to_block(segment piece) noexcept {
    if (segment_count_ == max_segments) return false;
    const bool first = segment_count_ == inline_segments;
    if (first || pool_->block(last_block_).end == segment_block::capacity) {
        const auto fresh = pool_->take_block();
        if (fresh == segment_block::none) return false;
        auto& block = pool_->block(fresh);
        block.begin = block.end = 0;
        block.next = segment_block::none;
        (first ? first_block_ : pool_->block(last_block_).next) = fresh;
        last_block_ = fresh;
    }
    auto& block = pool_->block(last_block_);
    block.segments[block.end++] = piece;
    return true;
}

// Makes `piece` the first of the segments that are not inline.
bool packet::push_block_front(segment piece) noexcept {
    const bool first = segment_count_ == inline_segments;
    if (first || pool_->block(first_block_).begin == 0) {
        const auto fresh = pool_->take_block();
        if (fresh == segment_block::none) return false;
        auto& block = pool_->block(fresh);
        block.begin = block.end = segment_block::capacity;
        block.next = first ? segment_block::none : first_block_;
        if (first) last_block_ = fresh;
        first_block_ = fresh;
    }
    auto& block = pool_->block(first_block_);
    block.segments[--block.begin] = piece;
    return true;
}

void packet::pop_front() noexcept {
    const auto frame = inline_[0].frame;
    pool_->give(frame);
    std::copy(inline_.begin() + 1, inline_.end(), inline_.begin());
    if (segment_count_ > inline_segments) {
        auto& block = pool_->block(first_block_);
        inline_[inline_segments - 1] = block.segments[block.begin++];
        if (block.begin == block.end) {
            const auto empty_block = first_block_;
            first_block_ = block.next;
            pool_->give_block(empty_block);
        }
    }
    --segment_count_;
    if (empty() || inline_[0].frame != frame) --pinned_frames_;
}

void packet::pop_back() noexcept {
    const auto frame = last_segment().frame;
    pool_->give(frame);
    if (segment_count_ > inline_segments) {
        auto& block = pool_->block(last_block_);
        if (--block.end == block.begin) {
            const auto empty_block = last_block_;
            auto before = first_block_;
            while (before != empty_block && pool_->block(before).next != empty_block) {
                before = pool_->block(before).next;
            }
            last_block_ = before;
            if (before != empty_block) pool_->block(before).next = segment_block::none;
            pool_->give_block(empty_block);
        }
    }
    --segment_count_;
    if (empty() || last_segment().frame != frame) --pinned_frames_;
}

void packet::clear_long() noexcept {
    release_into([this](segment piece) { pool_->give(piece.frame); });
}

// --- bytes ---------------------------------------------------------------------------------------

bool packet::prepend(segment piece) noexcept {
    assert(pool_ != nullptr && piece.length > 0);
    assert(piece.offset + piece.length <= pool_->area().chunk_bytes());
    if (segment_count_ == max_segments) return false;
    if (segment_count_ >= inline_segments && !push_block_front(inline_[inline_segments - 1])) {
        return false;
    }
    const bool neighbours = segment_count_ != 0 && inline_[0].frame == piece.frame;
    std::copy_backward(inline_.begin(), inline_.end() - 1, inline_.end());
    inline_[0] = piece;
    if (!neighbours) ++pinned_frames_;
    ++segment_count_;
    size_bytes_ += piece.length;
    unmark_metadata();
    return true;
}

void packet::drop_front(std::uint32_t n) noexcept {
    assert(n <= size_bytes_);
    if (n != 0) unmark_metadata();
    size_bytes_ -= n;
    while (n != 0 && n >= inline_[0].length) {
        n -= inline_[0].length;
        pop_front();
    }
    if (n == 0) return;
    inline_[0].offset = static_cast<std::uint16_t>(inline_[0].offset + n);
    inline_[0].length = static_cast<std::uint16_t>(inline_[0].length - n);
}

void packet::drop_back(std::uint32_t n) noexcept {
    assert(n <= size_bytes_);
    size_bytes_ -= n;
    if (size_bytes_ == 0) unmark_metadata();
    while (n != 0 && n >= last_segment().length) {
        n -= last_segment().length;
        pop_back();
    }
    if (n != 0) last_segment().length = static_cast<std::uint16_t>(last_segment().length - n);
}

std::size_t packet::copy_to(std::span<std::byte> to, std::size_t offset) const noexcept {
    std::size_t copied = 0;
    for (const auto& piece : *this) {
        if (copied == to.size()) break;
        if (offset >= piece.length) {
            offset -= piece.length;
            continue;
        }
        const auto n = std::min<std::size_t>(piece.length - offset, to.size() - copied);
        const auto from = pool_->area().bytes(piece).subspan(offset, n);
        std::memcpy(to.data() + copied, from.data(), n);
        copied += n;
        offset = 0;
    }
    return copied;
}

const std::byte* packet::peek_across(std::size_t offset, std::size_t n,
                                     std::byte* scratch) const noexcept {
    if (offset > size_bytes_ || n > size_bytes_ - offset) return nullptr;
    auto at = offset;
    for (const auto& piece : *this) {
        if (at < piece.length) {
            if (n <= piece.length - at) return pool_->area().bytes(piece).data() + at;
            break;
        }
        at -= piece.length;
    }
    copy_to({scratch, n}, offset);
    return scratch;
}

std::span<std::byte> packet::make_writable(std::uint32_t n, std::uint64_t* copied_bytes,
                                           std::uint16_t headroom) noexcept {
    if (n == 0 || n > size_bytes_) return {};
    if (n <= inline_[0].length && pool_->sole_holder(inline_[0].frame)) {
        return pool_->area().bytes(inline_[0]).first(n);
    }
    if (std::uint64_t{n} + headroom > pool_->area().chunk_bytes()) return {};
    if (segment_count_ == max_segments) return {};
    // Putting the header in front may need a block: hold one until then.
    const bool long_packet = segment_count_ >= inline_segments;
    const auto spare = long_packet ? pool_->take_block() : segment_block::none;
    if (long_packet && spare == segment_block::none) return {};
    frame_id frame{};
    const bool taken = pool_->take({&frame, 1}) == 1;
    const segment header{frame, headroom, static_cast<std::uint16_t>(n)};
    if (taken) {
        copy_to(pool_->area().bytes(header));
        drop_front(n);
    }
    if (long_packet) pool_->give_block(spare);
    if (!taken) return {};
    prepend(header);
    pool_->count_copied(n);
    if (copied_bytes != nullptr) *copied_bytes += n;
    return pool_->area().bytes(header);
}

packet packet::share() const noexcept {
    packet twin;
    if (pool_ == nullptr) return twin;
    twin = packet(*pool_);
    for (const auto& piece : *this) {
        if (!pool_->share(piece.frame)) return packet(*pool_);
        if (!twin.append(piece)) {
            pool_->give(piece.frame);
            return packet(*pool_);
        }
    }
    twin.timestamp_ns = timestamp_ns;
    twin.original_bytes = original_bytes;
    twin.request_ = request_;
    return twin;
}

}  // namespace skein::inline v0
