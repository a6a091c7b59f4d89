// SPDX-License-Identifier: Apache-2.0
#include "support/fake_custody.hpp"

namespace skein::test {

const char* fake_custody::name(hand where) {
    switch (where) {
        case hand::user:
            return "the port's";
        case hand::fill:
            return "in FILL";
        case hand::kernel:
            return "the kernel's to receive into";
        case hand::rx:
            return "in RX";
    }
    return "nowhere";
}

void fake_custody::announced_in_fill(std::uint64_t address, std::vector<std::string>& violations) {
    const auto index = frame_at(address);
    if (index < 0 || address % stride_bytes_ != 0) {
        violations.push_back("FILL: address " + std::to_string(address) + " is no frame's start");
        return;
    }
    auto& frame = at(index);
    if (frame.where != hand::user) {
        violations.push_back("FILL: frame " + std::to_string(index) + " is " + name(frame.where));
    }
    if (frame.tx != 0) {
        violations.push_back("FILL: frame " + std::to_string(index) + " is under way in TX");
    }
    frame.where = hand::fill;
}

void fake_custody::announced_in_tx(std::uint64_t address, std::vector<std::string>& violations) {
    const auto index = frame_at(address);
    if (index < 0) return;  // the kernel's own check finds it
    auto& frame = at(index);
    if (frame.where != hand::user) {
        violations.push_back("TX: frame " + std::to_string(index) + " is " + name(frame.where));
    }
    ++frame.tx;
}

custody_counts fake_custody::counts() const {
    custody_counts n;
    for (const auto& frame : frames_) {
        if (frame.where == hand::fill) ++n.fill;
        if (frame.where == hand::kernel) ++n.kernel_rx;
        if (frame.where == hand::rx) ++n.rx_ring;
        if (frame.tx != 0) ++n.tx;
    }
    return n;
}

}  // namespace skein::test
