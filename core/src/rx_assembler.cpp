// SPDX-License-Identifier: Apache-2.0
#include <skein/rx_assembler.hpp>

namespace skein::inline v0 {

std::string_view to_string(rx_drop reason) noexcept {
    switch (reason) {
        case rx_drop::bad_descriptor:
            return "bad_descriptor";
        case rx_drop::frame_not_ours:
            return "frame_not_ours";
        case rx_drop::too_many_pieces:
            return "too_many_pieces";
    }
    return "unknown";
}

// Everything but a good packet of one descriptor. `refused` says that the frame was already asked
// for and turned down. Returns the bytes of the packet that was completed, 0 if none was.
std::uint64_t rx_assembler::assemble_slowly(const descriptor& d, std::optional<segment> piece,
                                            bool refused, burst& out) noexcept {
    const bool last = (d.options & descriptor_continues) == 0;
    const bool ours = piece && !refused && pool_->receive(piece->frame, options_.port);
    if (!dropping_) {
        if (!piece) {
            drop_packet(rx_drop::bad_descriptor);
        } else if (!ours) {
            drop_packet(rx_drop::frame_not_ours);
        } else if (half_.segment_count() == options_.max_segments || !half_.append(*piece)) {
            pool_->give(piece->frame);
            drop_packet(rx_drop::too_many_pieces);
        }
    } else if (ours) {
        pool_->give(piece->frame);
    }
    if (!last) return 0;
    if (dropping_) {
        dropping_ = false;
        return 0;
    }
    const auto bytes = half_.size_bytes();
    if (options_.metadata) half_.mark_metadata();
    out.push_back(std::move(half_));
    half_ = packet(*pool_);
    return bytes;
}

void rx_assembler::drop_packet(rx_drop reason) noexcept {
    half_.clear();
    dropping_ = true;
    ++counters_.drops(reason);
}

void rx_assembler::abandon() noexcept {
    half_.clear();
    dropping_ = false;
}

}  // namespace skein::inline v0
