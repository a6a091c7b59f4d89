// SPDX-License-Identifier: Apache-2.0
// How a port is opened and closed.
#include <skein/xsk/port.hpp>

#include <algorithm>

#include <skein/xsk/interface.hpp>

#include "busy_poll.hpp"
#include "sys.hpp"
#include "tx_metadata.hpp"

namespace skein::inline v0::xsk {

namespace {

socket_options socket_options_of(const port_options& options) {
    auto rings = options.rings;
    if (!options.receives) rings.rx = 0;
    if (!options.transmits) rings.tx = 0;
    return {.interface = options.interface,
            .network_namespace = options.network_namespace,
            .queue = options.queue,
            .rings = rings,
            .zero_copy = options.zero_copy,
            .scatter_gather = options.scatter_gather,
            .need_wakeup = options.need_wakeup,
            .tx_budget = options.tx_budget,
            .busy_patience = options.busy_patience,
            .reserve_frames = options.reserve_frames,
            .tx_metadata = options.tx_metadata,
            .tx_software_checksum = options.tx_software_checksum};
}

std::shared_ptr<redirect_program> program_for(const port_options& options) {
    if (!options.receives) return nullptr;
    auto how = options.program;
    how.interface = options.interface;
    how.network_namespace = options.network_namespace;
    return std::make_shared<redirect_program>(how);
}

std::chrono::microseconds since(std::uint64_t start_ns) {
    return std::chrono::microseconds((sys::monotonic_ns() - start_ns) / 1000);
}

void list_frames(std::string& text, const std::vector<frame_id>& frames) {
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < std::min(frames.size(), most); ++i) {
        text += (i == 0 ? " " : ", ") + std::to_string(index_of(frames[i]));
    }
    if (frames.size() > most) text += ", …";
}

}  // namespace

port::port(port_options options)
    : port(options, std::make_shared<umem>(options.memory), program_for(options)) {}

port::port(port_options options, std::shared_ptr<umem> memory,
           std::shared_ptr<redirect_program> program)
    : options_(std::move(options)),
      program_(std::move(program)),
      socket_(std::move(memory), socket_options_of(options_)),
      pool_(&socket_.memory()->pool()),
      rx_metadata_(program_ && program_->attached().metadata != metadata_kind::none),
      assembler_(*pool_, {.port = socket_.lender(), .metadata = rx_metadata_}) {
    reserve_frames_ = socket_.reserve_frames();
    owed_to_fill_ = socket_.fill().size() - socket_.fill().pending();
    refill_at_ = bound().zero_copy ? 0 : std::min(refill_batch, socket_.fill().size() / 4);
    // Without scatter-gather a packet of several pieces may be an invalid one (before Linux 6.6);
    // one that can never fit the rings would block all others.
    const auto most = bound().scatter_gather ? options_.max_tx_segments : 1;
    max_tx_segments_ = std::min({most, socket_.tx().size(), socket_.completion().size()});
    if (options_.busy_poll) {
        busy_polling_ = prefer_busy_polling(fd(), {options_.interface, options_.network_namespace},
                                            *options_.busy_poll);
    }
    if (bound().tx_metadata.bytes != 0) {
        tx_metadata_ = std::make_unique<tx_metadata_writer>(*pool_, bound().tx_metadata,
                                                            options_.tx_timestamps);
    }
    if (program_ && options_.receives) program_->insert_socket(options_.queue, socket_.fd());
}

port::~port() {
    try {
        close();
    } catch (...) {  // no memory for the report; the socket closes with its own destructor
    }
}

std::string port::device() const {
    return to_string(device_name{options_.interface, options_.network_namespace});
}

std::string port::description() const {
    std::string text = device() + " queue " + std::to_string(options_.queue) + ": ";
    if (program_) {
        text += std::string(to_string(program_->attached().mode)) + " XDP by " +
                std::string(to_string(program_->attached().method)) + ", ";
        if (rx_metadata_) text += std::string(to_string(program_->attached().metadata)) + ", ";
    }
    text += to_string(bound()) + ", ";
    if (options_.busy_poll) text += to_string(busy_polling_) + ", ";
    return text + std::to_string(pool_->total()) + " frames of " +
           std::to_string(pool_->area().chunk_bytes()) + " bytes on " + memory()->pages();
}

teardown_report port::close(std::chrono::milliseconds deadline) {
    teardown_report report;
    if (status_ == port_status::closed) return report;
    if (program_) program_->remove_socket(options_.queue);

    const auto start = sys::monotonic_ns();
    drain(deadline);
    report.drained_for = std::chrono::duration_cast<std::chrono::milliseconds>(since(start));

    last_statistics_ = socket_.statistics();
    socket_.stop();
    take_back_rings(report);
    report.written_off = pool_->write_off_tx(socket_.lender(), under_way_);
    under_way_ = 0;
    report.reclaimed_rx_frames = socket_.close();
    program_.reset();
    status_ = port_status::closed;
    return report;
}

void port::drain(std::chrono::milliseconds deadline) noexcept {
    constexpr std::chrono::microseconds pause{100};
    const auto end =
        sys::monotonic_ns() + static_cast<std::uint64_t>(deadline.count()) * 1'000'000u;
    while (under_way_ != 0) {
        flush();
        recycle();
        const auto never = status_ == port_status::tx_stuck ? socket_.tx().pending() : 0;
        if (under_way_ <= never || sys::monotonic_ns() >= end) return;
        sys::sleep_for(pause);
    }
}

// The kernel has let go of the rings: what it left there is ours again.
void port::take_back_rings(teardown_report& report) noexcept {
    recycle();
    const auto unsent = socket_.tx().untaken();
    for (std::size_t i = 0; i < unsent.size(); ++i) {
        const auto frame = pool_->area().frame_at(unsent[i].address);
        if (frame && pool_->complete(*frame, socket_.lender())) --under_way_;
    }
    report.unsent_descriptors = static_cast<std::uint32_t>(unsent.size());
    report.unread_descriptors = socket_.rx().available(socket_.rx().size());
    assembler_.abandon();
}

std::string_view to_string(port_status status) noexcept {
    switch (status) {
        case port_status::ready:
            return "ready";
        case port_status::link_down:
            return "link_down";
        case port_status::device_gone:
            return "device_gone";
        case port_status::tx_stuck:
            return "tx_stuck";
        case port_status::closed:
            return "closed";
    }
    return "unknown";
}

std::string to_string(const teardown_report& report) {
    std::string text =
        "closed: " + std::to_string(report.reclaimed_rx_frames) + " frames back from FILL and RX";
    if (report.unread_descriptors != 0) {
        text += ", " + std::to_string(report.unread_descriptors) + " received and not read";
    }
    if (report.unsent_descriptors != 0) {
        text += ", " + std::to_string(report.unsent_descriptors) + " never sent";
    }
    if (report.written_off.empty()) return text + ", nothing under way";
    text += ", " + std::to_string(report.written_off.size()) + " frames never completed within " +
            std::to_string(report.drained_for.count()) + " ms, written off:";
    list_frames(text, report.written_off);
    return text;
}

}  // namespace skein::inline v0::xsk
