// SPDX-License-Identifier: Apache-2.0
// The data path of a port. Set-up and teardown are in port_lifecycle.cpp.
#include <skein/xsk/port.hpp>

#include <algorithm>
#include <array>
#include <cerrno>

#include "rx_metadata.hpp"
#include "sys.hpp"
#include "tx_metadata.hpp"

namespace skein::inline v0::xsk {

namespace {

constexpr std::uint32_t ethernet_header_bytes = 14;

std::uint32_t count_segments(const burst& packets) noexcept {
    std::size_t n = 0;
    for (const auto& p : packets)
        n += p.segment_count();
    return static_cast<std::uint32_t>(n);
}

std::optional<tx_refusal> why_refuse(const packet& p, const frame_pool* pool,
                                     std::uint32_t max_segments) noexcept {
    if (p.segment_count() > max_segments) return tx_refusal::too_many_pieces;
    if (p.size_bytes() < ethernet_header_bytes) return tx_refusal::too_short;
    if (p.pool() != pool) return tx_refusal::not_our_frames;
    return std::nullopt;
}

// Turns packets into TX descriptors. What the loop needs of the port is at hand here, so that
// nothing is looked up again for every packet.
class descriptor_writer {
  public:
    descriptor_writer(ring_slots<descriptor> slots, frame_pool& pool, lender_id lender) noexcept
        : slots_(slots), room_(slots.size()), area_(pool.area()), pool_(&pool), lender_(lender) {}

    bool has_room_for(const packet& p) const noexcept { return p.segment_count() <= room_ - at_; }
    void write(packet& p, std::uint32_t first_options) noexcept {
        const auto first = at_;
        p.release_into([this](segment piece) {
            slots_[at_++] = {area_.address_of(piece), piece.length, descriptor_continues};
            pool_->lend_to_tx(piece.frame, lender_);
        });
        slots_[at_ - 1].options = 0;
        if (first_options != 0) [[unlikely]]
            slots_[first].options |= first_options;
    }
    std::uint32_t written() const noexcept { return static_cast<std::uint32_t>(at_); }

  private:
    ring_slots<descriptor> slots_;
    std::size_t room_;
    std::size_t at_ = 0;
    frame_area area_;
    frame_pool* pool_;
    lender_id lender_;
};

}  // namespace

// --- receive -------------------------------------------------------------------------------------

std::size_t port::receive(burst& packets, std::size_t most) noexcept {
    recycle();
    if (owed_to_fill_ >= refill_at_) refill();
    auto& ring = socket_.rx();
    const auto before = packets.size();
    const auto full_at = before + std::min(most, packets.room());
    while (packets.size() < full_at) {
        // A packet has at least one descriptor: so many cannot give too many packets.
        const auto asked = static_cast<std::uint32_t>(full_at - packets.size());
        const auto found = ring.peek(asked);
        auto used = assembler_.assemble(found.first, packets);
        if (used == found.first.size()) used += assembler_.assemble(found.second, packets);
        if (used == 0) break;
        ring.release(static_cast<std::uint32_t>(used));
        owed_to_fill_ += static_cast<std::uint32_t>(used);
        if (used < asked) break;
    }
    if (socket_.fill().needs_wakeup()) [[unlikely]] {
        ++counters_.rx_calls;
        sys::wake_rx(fd());
    }
    return packets.size() - before;
}

std::size_t port::refill() noexcept {
    auto& ring = socket_.fill();
    if (!options_.receives) return 0;
    const auto room = ring.free_slots(refill_batch);
    const auto spare = pool_->free_frames() - std::min(pool_->free_frames(), reserve_frames_);
    if (spare == 0) [[unlikely]] {
        if (room == ring.size() && ring.pending() == 0) ++counters_.fill_starved;
        return 0;
    }
    const auto slots = ring.reserve(std::min(room, spare));
    const auto lent = pool_->lend_to_rx(slots.first, socket_.lender()) +
                      pool_->lend_to_rx(slots.second, socket_.lender());
    if (rx_metadata_) [[unlikely]] {
        erase_metadata(pool_->area(), memory()->headroom_bytes(), slots.first);
        erase_metadata(pool_->area(), memory()->headroom_bytes(), slots.second);
    }
    if (lent != 0) ring.submit(static_cast<std::uint32_t>(lent));
    owed_to_fill_ -= std::min(owed_to_fill_, static_cast<std::uint32_t>(lent));
    return lent;
}

bool port::wait(std::chrono::milliseconds timeout) noexcept {
    if (has_packets()) return true;
    if (fd() < 0) return false;
    recycle();
    refill();
    std::array<pollfd, 1> entry{{{.fd = fd(), .events = POLLIN, .revents = 0}}};
    sys::poll(entry, timeout);
    return has_packets();
}

// --- send ----------------------------------------------------------------------------------------

std::optional<tx_refusal> port::refuses(const packet& p) const noexcept {
    const auto reason = why_refuse(p, pool_, max_tx_segments_);
    return reason ? reason : refuses_metadata(p);
}

std::size_t port::send(burst& packets, burst* refused) noexcept {
    if (packets.empty()) return 0;
    auto& ring = socket_.tx();
    // Room for the longest packets there could be; counted only where that is not to be had.
    const auto most = static_cast<std::uint32_t>(packets.size()) * max_tx_segments_;
    const auto room = ring.free_slots(most);
    if (room < most && room < count_segments(packets)) make_room();
    descriptor_writer writer(ring.reserve(most), *pool_, socket_.lender());

    const bool looks_closer = tx_metadata_ != nullptr;
    std::size_t taken = 0;
    std::size_t sent = 0;
    std::uint64_t bytes = 0;
    for (auto& p : packets) {
        const bool asks = p.has_request();
        const bool special = looks_closer || asks;
        if (const auto reason = special ? prepare_metadata(p)
                                        : why_refuse(p, pool_, max_tx_segments_)) [[unlikely]] {
            turn_down(p, *reason, refused);
        } else if (!writer.has_room_for(p)) {
            break;
        } else {
            bytes += p.size_bytes();
            if (asks) [[unlikely]]
                tx_metadata_->write(p);
            writer.write(p, asks ? descriptor_has_metadata : 0);
            ++sent;
        }
        ++taken;
    }
    packets.drop_front(taken);
    counters_.tx_ring_full += packets.size();
    if (sent != 0) {
        ring.submit(writer.written());
        unflushed_ += writer.written();
        under_way_ += writer.written();
        counters_.tx_packets += sent;
        counters_.tx_bytes += bytes;
    }
    if (options_.flush.due(unflushed_)) flush();
    return sent;
}

// The ring is full: what was put and not flushed may be all that fills it.
void port::make_room() noexcept {
    recycle();
    if (unflushed_ != 0 && options_.flush.flush_at_descriptors != 0) flush();
}

void port::turn_down(packet& p, tx_refusal reason, burst* refused) noexcept {
    ++counters_.refusals(reason);
    if (refused != nullptr && !refused->full()) {
        refused->push_back(std::move(p));
    } else {
        p.clear();
    }
}

// --- flush and recycle ---------------------------------------------------------------------------

void port::flush() noexcept {
    unflushed_ = 0;
    if (under_way_ == 0 || fd() < 0 || status_ == port_status::tx_stuck) return;
    auto& ring = socket_.tx();
    auto pending = ring.pending();
    if (pending == 0) return;
    if (bound().zero_copy) {
        if (bound().need_wakeup && !ring.needs_wakeup()) return;
        ++counters_.tx_calls;
        goes_on_after(sys::wake_tx(fd()));
        return;
    }
    std::uint32_t idle_calls = 0;
    for (std::uint32_t calls = 0; pending != 0 && options_.flush.go_on(calls, idle_calls);
         ++calls) {
        ++counters_.tx_calls;
        const bool goes_on = goes_on_after(sys::wake_tx(fd()));
        const bool freed = recycle() != 0;
        const auto left = ring.pending();
        idle_calls = left < pending || freed ? 0 : idle_calls + 1;
        pending = left;
        if (!goes_on) break;
    }
}

port_status port::probe() noexcept {
    if (fd() < 0) return status_;
    const int answer = sys::wake_rx(fd());
    if (answer == -ENXIO || answer == -ENODEV) return status_ = port_status::device_gone;
    if (status_ == port_status::tx_stuck) return status_;
    return status_ = answer == -ENETDOWN ? port_status::link_down : port_status::ready;
}

// Notes what a send call returned; false if calling again now makes no sense.
bool port::goes_on_after(int status) noexcept {
    switch (status) {
        case -EAGAIN:
            ++counters_.tx_again;
            break;
        case -EBUSY:
            ++counters_.troubles(tx_trouble::kernel_dropped);
            break;
        case -ENETDOWN:
            ++counters_.troubles(tx_trouble::link_down);
            status_ = port_status::link_down;
            return false;
        case -ENXIO:
        case -ENODEV:
            ++counters_.troubles(tx_trouble::device_gone);
            status_ = port_status::device_gone;
            return false;
        default:
            if (status >= 0) break;
            if (status == -EINVAL && tx_metadata_ != nullptr) {
                ++counters_.troubles(tx_trouble::rejected);
                status_ = port_status::tx_stuck;
                return false;
            }
            ++counters_.troubles(tx_trouble::other);
            return false;
    }
    status_ = port_status::ready;
    return true;
}

// Also where nothing is under way: an address that lay there until its frame is would be believed.
std::size_t port::recycle() noexcept {
    auto& ring = socket_.completion();
    const auto found = ring.peek(ring.size());
    if (found.empty()) return 0;
    const auto done = complete(found.first) + complete(found.second);
    ring.release(static_cast<std::uint32_t>(found.size()));
    under_way_ -= std::min(done, under_way_);
    counters_.completed += done;
    if (done != found.size()) [[unlikely]] {
        counters_.completion_refused += found.size() - done;
    }
    return done;
}

std::uint32_t port::complete(std::span<const std::uint64_t> addresses) noexcept {
    if (tx_metadata_ != nullptr) [[unlikely]]
        return complete_carefully(addresses);
    return pool_->complete(addresses, socket_.lender());
}

}  // namespace skein::inline v0::xsk
