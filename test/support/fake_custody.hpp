// SPDX-License-Identifier: Apache-2.0
// Who has each frame of a UMEM, as the kernel would see it: the judge of a port's conduct.
//
//     user ──FILL──► fill ──kernel takes──► kernel ──received──► rx ──port releases──► user
//     user ──TX descriptor announced──► user, tx + 1 ──completion released──► tx - 1
//
// A frame may be in TX several times (two segments of one frame) but never in TX and in the RX
// half at once, and never in the RX half twice. What breaks that is noted as a violation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skein::test {

struct custody_counts {
    std::uint64_t fill = 0;
    std::uint64_t kernel_rx = 0;
    std::uint64_t rx_ring = 0;
    std::uint64_t tx = 0;  // frames named by at least one descriptor under way
};

class fake_custody {
  public:
    // stride_bytes: from one frame to the next. The kernel knows of none between unaligned chunks,
    // so it is the custodian's guess at what the port does, and FILL shows whether it is right.
    fake_custody(const std::byte* base, std::uint64_t length, std::uint32_t stride_bytes)
        : base_(base),
          stride_bytes_(stride_bytes),
          frames_(static_cast<std::size_t>(length / stride_bytes)) {}

    const std::byte* base() const noexcept { return base_; }

    std::uint32_t stride_bytes() const noexcept { return stride_bytes_; }

    // The frame of an address, or -1.
    std::int64_t frame_at(std::uint64_t address) const noexcept {
        const auto frame = address / stride_bytes_;
        return frame < frames_.size() ? static_cast<std::int64_t>(frame) : -1;
    }

    void announced_in_fill(std::uint64_t address, std::vector<std::string>& violations);
    void announced_in_tx(std::uint64_t address, std::vector<std::string>& violations);

    void taken_from_fill(std::int64_t frame) { at(frame).where = hand::kernel; }
    void received(std::int64_t frame) { at(frame).where = hand::rx; }
    void back_to_user(std::int64_t frame) { at(frame).where = hand::user; }
    void left_tx(std::int64_t frame) {
        if (at(frame).tx != 0) --at(frame).tx;
    }

    custody_counts counts() const;

  private:
    enum class hand : std::uint8_t { user, fill, kernel, rx };
    struct frame_state {
        hand where = hand::user;
        std::uint32_t tx = 0;
    };
    static const char* name(hand where);
    frame_state& at(std::int64_t frame) { return frames_[static_cast<std::size_t>(frame)]; }

    const std::byte* base_;
    std::uint32_t stride_bytes_;
    std::vector<frame_state> frames_;
};

}  // namespace skein::test
