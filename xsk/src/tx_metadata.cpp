// SPDX-License-Identifier: Apache-2.0
#include "tx_metadata.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <skein/xsk/uapi.hpp>

namespace skein::inline v0::xsk {

namespace {

// The word at which the kernel writes the time, as it is until then.
std::uint64_t request_word(const tx_request& wanted) noexcept {
    uapi::tx_metadata words{};
    if (wanted.asks_for(tx_request::wants_checksum)) {
        words.request = {wanted.checksum_start, wanted.checksum_offset, 0};
    }
    return words.completed_ns;
}

std::uint64_t kernel_flags(const tx_request& wanted) noexcept {
    std::uint64_t flags = 0;
    if (wanted.asks_for(tx_request::wants_checksum)) flags |= uapi::tx_metadata_checksum;
    if (wanted.asks_for(tx_request::wants_timestamp)) flags |= uapi::tx_metadata_timestamp;
    if (wanted.asks_for(tx_request::wants_launch)) flags |= uapi::tx_metadata_launch;
    return flags;
}

// How much of the head to copy to a frame of its own: little, unless no segment may be added.
std::uint32_t head_to_copy(const packet& p, std::size_t max_segments) noexcept {
    constexpr std::uint32_t enough = 128;
    const std::uint32_t first = p.front().length;
    if (p.segment_count() >= max_segments) return first;
    const auto needed = p.request().asks_for(tx_request::wants_checksum)
                            ? p.request().checksum_end()
                            : std::uint32_t{0};
    return std::min(first, std::max(needed, enough));
}

}  // namespace

tx_metadata_writer::tx_metadata_writer(frame_pool& pool, tx_metadata_result offered,
                                       std::size_t most_timestamps)
    : pool_(&pool),
      offered_(offered),
      data_at_(offered.timestamp ? pool.total() : 0),
      times_(offered.timestamp ? most_timestamps : 0) {}

std::optional<tx_refusal> tx_metadata_writer::refuses(const packet& p) const noexcept {
    if (p.has_request()) {
        if (const auto reason = refuses_request(p)) return reason;
    }
    if (offered_.bytes == 0) return std::nullopt;
    const bool room = std::all_of(p.begin(), p.end(),
                                  [this](segment piece) { return piece.offset >= offered_.bytes; });
    return room ? std::nullopt : std::optional(tx_refusal::no_headroom);
}

std::optional<tx_refusal> tx_metadata_writer::refuses_request(const packet& p) const noexcept {
    const auto wanted = p.request();
    const bool checksum = wanted.asks_for(tx_request::wants_checksum);
    if ((checksum && !offered_.checksum) ||
        (wanted.asks_for(tx_request::wants_timestamp) && !offered_.timestamp) ||
        (wanted.asks_for(tx_request::wants_launch) && !offered_.launch) ||
        (checksum && offered_.software_checksum && p.segment_count() > 1)) {
        return tx_refusal::not_offered;
    }
    if (checksum && wanted.checksum_end() > p.front().length) return tx_refusal::checksum_outside;
    return std::nullopt;
}

bool tx_metadata_writer::make_own(packet& p, std::size_t max_segments) noexcept {
    if (pool_->sole_holder(p.front().frame)) return true;
    const bool in_one_piece =
        offered_.software_checksum && p.request().asks_for(tx_request::wants_checksum);
    const auto n = head_to_copy(p, in_one_piece ? 1 : max_segments);
    constexpr std::uint32_t usual_headroom = 256;
    const auto headroom = std::min(usual_headroom, pool_->area().chunk_bytes() - n);
    if (headroom < offered_.bytes) return false;
    return !p.make_writable(n, nullptr, static_cast<std::uint16_t>(headroom)).empty();
}

void tx_metadata_writer::write(const packet& p) noexcept {
    const auto wanted = p.request();
    const auto head = p.front();
    uapi::tx_metadata words{};
    words.flags = kernel_flags(wanted);
    words.completed_ns = request_word(wanted);
    words.launch_ns = p.timestamp_ns;  // not looked at without the flag: there it names the packet
    std::memcpy(pool_->area().bytes(head).data() - sizeof words, &words, sizeof words);
    if (!wanted.asks_for(tx_request::wants_timestamp)) return;
    data_at_[index_of(head.frame)] = head.offset;
    ++awaited_;
}

std::size_t tx_metadata_writer::collect_awaited(std::span<const std::uint64_t> addresses) noexcept {
    std::size_t lost = 0;
    for (const auto address : addresses) {
        const auto frame = pool_->area().frame_at(address);
        if (!frame || data_at_[index_of(*frame)] == 0) continue;
        lost += keep_time_of(*frame, std::exchange(data_at_[index_of(*frame)], 0)) ? 0 : 1;
        --awaited_;
    }
    return lost;
}

bool tx_metadata_writer::keep_time_of(frame_id frame, std::uint16_t data_at) noexcept {
    uapi::tx_metadata words;
    std::memcpy(&words, pool_->area().data(frame) + data_at - sizeof words, sizeof words);
    // What was written there itself is far below any time since 1970, and no time.
    constexpr std::uint64_t above_any_request = std::uint64_t{1} << 32;
    if (words.completed_ns < above_any_request || kept_ == times_.size()) return false;
    times_[(first_ + kept_++) % times_.size()] = {words.completed_ns, words.launch_ns, frame};
    return true;
}

std::size_t tx_metadata_writer::take(std::span<tx_timestamp> to) noexcept {
    const auto n = std::min(to.size(), kept_);
    for (std::size_t i = 0; i < n; ++i)
        to[i] = times_[(first_ + i) % times_.size()];
    if (n != 0) first_ = (first_ + n) % times_.size();
    kept_ -= n;
    return n;
}

}  // namespace skein::inline v0::xsk
