// SPDX-License-Identifier: Apache-2.0
// The sending half of a fake socket, after Linux 6.12 and 6.18 net/xdp/xsk.c
// __xsk_generic_xmit().
#include <algorithm>
#include <cerrno>
#include <utility>

#include "support/fake_socket.hpp"

namespace skein::test {

namespace uapi = skein::xsk::uapi;

int fake_socket::transmit() {
    if (device == nullptr) return std::exchange(tell_device_lost, false) ? -ENETDOWN : -ENXIO;
    if (!device->up) return -ENETDOWN;
    if (tx == nullptr) return -ENOBUFS;
    if (tx->waiting() == 0) ++statistics.tx_ring_empty;

    int status = 0;
    for (auto left = umem->zero_copy ? ~0u : tx_budget; tx->waiting() != 0; --left) {
        if (left == 0) {
            status = -EAGAIN;
            break;
        }
        status = stop_or_take();
        if (status != 0) break;
    }
    tx->publish();
    completion->publish();
    return std::min(status, 0);
}

// 0: go on; 1: this call is over without an error; else a negated errno.
int fake_socket::stop_or_take() {
    if (completion_room() == 0) return profile_.full_completion_is_success ? 1 : -EAGAIN;
    if (send_buffer_exhausted()) return -EAGAIN;
    if (valid(tx->peek()) && !draining_ && !acceptable_metadata(tx->peek())) {
        // Not taken, and yet its address is reported, at every call.
        completion->put(tx->peek().address, fake_sink<std::uint64_t>::forged);
        return -EINVAL;
    }
    const auto d = tx->take();
    if (!valid(d)) {
        invalid(d);
        return 1;
    }
    return take(d);
}

// Linux 6.12 include/net/xdp_sock_drv.h xp_unaligned_add_offset_to_addr().
std::uint64_t fake_socket::plain(std::uint64_t address) const noexcept {
    if (!umem->unaligned) return address;
    return (address & ((std::uint64_t{1} << 48) - 1)) + (address >> 48);
}

// Linux 6.12 net/xdp/xsk_queue.h xp_aligned_validate_desc(), xp_unaligned_validate_desc(),
// xp_unused_options_set().
bool fake_socket::valid(const descriptor& d) const noexcept {
    const auto known = (profile_.scatter_gather ? descriptor_continues : 0u) |
                       (profile_.tx_metadata ? descriptor_has_metadata : 0u);
    const auto at = plain(d.address);
    if (d.length == 0 || (d.options & ~known) != 0 || at >= umem->length) return false;
    const auto metadata = umem->registration.tx_metadata_bytes;
    if (umem->unaligned) {
        return at >= metadata && d.length + metadata <= umem->chunk_bytes &&
               at + d.length <= umem->length;
    }
    return at % umem->chunk_bytes >= metadata &&
           at % umem->chunk_bytes + d.length <= umem->chunk_bytes;
}

bool fake_socket::send_buffer_exhausted() const noexcept {
    return !umem->zero_copy && charged_bytes_ > send_buffer_bytes;
}

// A bad descriptor takes the packet it belongs to with it.
void fake_socket::invalid(const descriptor& d) {
    ++statistics.tx_invalid_descriptors;
    drop_chain();
    draining_ = profile_.returns_invalid && (d.options & descriptor_continues) != 0;
    if (profile_.returns_invalid) report(d.address);
}

void fake_socket::drop_chain() {
    outstanding_ -= static_cast<std::uint32_t>(pending_.size());
    for (const auto& piece : pending_)
        post(piece.address);
    pending_.clear();
}

int fake_socket::take(const descriptor& d) {
    const bool last = (d.options & descriptor_continues) == 0;
    if (draining_) {
        ++statistics.tx_invalid_descriptors;
        report(d.address);
        draining_ = !last;
        return 0;
    }
    if (pending_.empty()) read_metadata(d);
    pending_.push_back(d);
    ++outstanding_;
    if (profile_.addresses_at_reserve) reserved_.push_back(d.address);
    return last ? finish() : 0;
}

int fake_socket::finish() {
    std::uint64_t length = 0;
    for (const auto& piece : pending_)
        length += piece.length;
    if (pending_.size() > most_tx_descriptors && !umem->zero_copy) {
        statistics.tx_invalid_descriptors += pending_.size();
        launch();
        return 0;
    }
    const bool fits = length >= 14 && length <= device->mtu_bytes + 14u + 4u;
    if (fits && device->carrier) send_pending();
    launch();
    return fits && device->carrier ? 0 : -EBUSY;
}

void fake_socket::send_pending() {
    ++sent_packets;
    if (!record_wire && !carry) return;
    gathered_.clear();
    for (const auto& piece : pending_) {
        const auto* from = umem->base + plain(piece.address);
        gathered_.insert(gathered_.end(), from, from + piece.length);
    }
    if (record_wire) wire.push_back(gathered_);
    if (carry) carry(gathered_);
}

// The packet is with the device, which may be done with it at once.
void fake_socket::launch() {
    if (!hold_completions) {
        write_time(std::exchange(time_at_, nullptr));
        outstanding_ -= static_cast<std::uint32_t>(pending_.size());
        for (const auto& piece : pending_)
            post(piece.address);
    } else {
        flight held{
            .addresses = {}, .charged_bytes = 0, .time_at = std::exchange(time_at_, nullptr)};
        for (const auto& piece : pending_) {
            held.addresses.push_back(piece.address);
            held.charged_bytes += piece.length + 512;
        }
        charged_bytes_ += held.charged_bytes;
        in_flight_.push_back(std::move(held));
    }
    pending_.clear();
}

void fake_socket::complete_nth(std::size_t n) {
    observe_releases();  // before their slots are written again
    const auto done = std::move(in_flight_.at(n));
    in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(n));
    charged_bytes_ -= done.charged_bytes;
    write_time(done.time_at);
    outstanding_ -= static_cast<std::uint32_t>(done.addresses.size());
    for (const auto address : done.addresses)
        post(address);
    completion->publish();
}

void fake_socket::forget_all() {
    for (const auto& lost : in_flight_)
        outstanding_ -= static_cast<std::uint32_t>(lost.addresses.size());
    in_flight_.clear();
    reserved_.clear();
    charged_bytes_ = 0;
}

void fake_socket::complete_all() {
    while (!in_flight_.empty())
        complete_nth(0);
}

// A packet with this address was freed: older kernels report the one reserved first.
void fake_socket::post(std::uint64_t address) {
    if (profile_.addresses_at_reserve && !reserved_.empty()) {
        address = reserved_.front();
        reserved_.pop_front();
    }
    report(address);
}

void fake_socket::report(std::uint64_t address) {
    // Linux 6.18 keeps a tag in bit 0 of a completed address.
    const auto told = profile_.addresses_at_reserve ? address : address & ~std::uint64_t{1};
    completion->put(told, umem->custody->frame_at(address));
}

void fake_socket::post_completion(std::uint64_t address) {
    observe_releases();
    completion->put(address, fake_sink<std::uint64_t>::forged);
    completion->publish();
}

}  // namespace skein::test
