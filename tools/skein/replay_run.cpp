// SPDX-License-Identifier: Apache-2.0
#include "replay_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "progress_line.hpp"
#include "stop_signal.hpp"

namespace skein::tool {

namespace {

bool names_pcapng(const std::string& path) {
    return path.ends_with(".pcapng");
}

}  // namespace

// --- files ---------------------------------------------------------------------------------------

replay_run::replay_run(const replay_settings& settings, stage_options& stages)
    : settings_(settings),
      stages_(stages),
      memory_(settings.frames, settings.chunk_bytes),
      in_(settings.in),
      reader_(open_capture(in_, in_.name())) {
    if (!settings_.out.empty()) check_output();
    // The one interface of a pcap file is known; those of pcapng count once they have a packet.
    if (reader_->format() == capture_format::pcap) place_of(0);
}

void replay_run::check_output() const {
    if (!in_.is_same_file(settings_.out)) return;
    throw usage_failure(fmt::format("IN and OUT are the same file, {}", settings_.out),
                        "give another name to -o");
}

// Has any interface of IN a finer time than microseconds? A pcapng file tells only at its end: it
// is read once for that, if it can be read twice.
bool replay_run::finest_is_nanoseconds() {
    const auto any = [](const capture_reader& reader) {
        return std::any_of(reader.interfaces().begin(), reader.interfaces().end(),
                           [](const capture_interface& i) { return i.nanoseconds; });
    };
    if (reader_->format() == capture_format::pcap || !in_.seekable()) return any(*reader_);
    input_file again(settings_.in);
    again.rewind();
    const auto scout = open_capture(again, again.name());
    capture_record skipped;
    while (scout->next(skipped) == read_outcome::record)
        check_stop();
    return any(*scout);
}

void replay_run::open_writer() {
    if (settings_.out.empty() || writer_) return;
    const bool pcapng = names_pcapng(settings_.out);
    const bool nanoseconds = pcapng || finest_is_nanoseconds();
    out_.emplace(settings_.out, output_style::whole_or_nothing);
    writer_.emplace(*out_, capture_writer::options{
                               .format = pcapng ? capture_format::pcapng : capture_format::pcap,
                               .nanoseconds = nanoseconds});
}

// --- places --------------------------------------------------------------------------------------

replay_run::place& replay_run::place_of(std::uint32_t interface) {
    if (interface >= places_.size()) places_.resize(interface + 1);
    auto& here = places_[interface];
    if (!here) here = make_place(reader_->interfaces()[interface]);
    return *here;
}

std::unique_ptr<replay_run::place> replay_run::make_place(const capture_interface& described) {
    const auto number = static_cast<std::uint32_t>(described.link);
    const auto link = link_layer_of(number);
    if (!link) {
        throw command_failure(
            fmt::format("{} has packets of link type {}, which skein does not read", in_.name(),
                        number),
            "link types 0, 1, 12, 14, 101, 108, 113, 228, 229 and 276 are read");
    }
    open_writer();
    const auto out_interface = writer_ ? writer_->add_interface(described) : 0;
    auto sink = [this, out_interface](burst& packets) { put_out(packets, out_interface); };
    return std::make_unique<place>(
        place{*link, pipeline(stages_.make({memory_.pool(), *link, report_.tx}), std::move(sink))});
}

// --- packets -------------------------------------------------------------------------------------

replay_report replay_run::run() {
    const stop_signal stop;
    progress_line progress("packets");
    capture_record record;
    auto outcome = reader_->next(record);
    for (; outcome == read_outcome::record; outcome = reader_->next(record)) {
        check_stop();
        take(record);
        progress.show(report_.input.packets);
    }
    report_.input.truncated = outcome == read_outcome::truncated;
    finish();
    return report_;
}

void replay_run::take(const capture_record& record) {
    auto& here = place_of(record.interface);
    ++report_.input.packets;
    report_.input.bytes += record.bytes.size();
    const auto now = clock_.advance(record.timestamp_ns);
    if (stages_.any()) {
        for (auto& other : places_) {
            if (other) other->way.expire(now);
        }
    }
    auto& p = one_.push_back(lay(record, now));
    note_held();
    parse(p, here.link);
    here.way.process(one_, now);
    note_held();
}

packet replay_run::lay(const capture_record& record, stage_time now) {
    for (;;) {
        if (auto laid = memory_.lay(record)) return std::move(*laid);
        bool relieved = false;
        for (auto& other : places_)
            relieved = relieved || (other && other->way.relieve(now));
        if (relieved) continue;
        const auto needed = memory_.frames_for(record.bytes.size());
        throw command_failure(
            fmt::format("packet {} of {} bytes needs {} frames of {} bytes; {} of {} are free",
                        report_.input.packets, record.bytes.size(), needed, settings_.chunk_bytes,
                        memory_.pool().free_frames(), settings_.frames),
            fmt::format("give at least --frames {}",
                        needed + settings_.frames - memory_.pool().free_frames()));
    }
}

void replay_run::parse(const packet& p, link_layer link) {
    if (p.snapped()) {
        ++report_.parse.snapped;
        return;
    }
    const auto found = parse_packet(p, link, {.zero_length = zero_length_rule::own_aggregate});
    if (!found.is_ok()) ++report_.parse.not_parsed[static_cast<std::size_t>(found.reason)];
}

void replay_run::put_out(burst& packets, std::uint32_t out_interface) {
    for (const auto& p : packets) {
        ++report_.output.packets;
        ++report_.tx.scatter;
        report_.output.bytes += p.size_bytes();
        if (writer_ && writer_->write(out_interface, p)) ++report_.output.snapped;
    }
}

void replay_run::note_held() {
    const auto held = memory_.pool().total() - memory_.pool().free_frames();
    report_.held_peak = std::max<std::uint64_t>(report_.held_peak, held);
}

// --- the end -------------------------------------------------------------------------------------

void replay_run::finish() {
    for (auto& here : places_) {
        if (here) here->way.finish(clock_.now());
    }
    // Without any packet OUT still gets the link type of IN.
    if (places_.empty() && !reader_->interfaces().empty()) place_of(0);
    open_writer();
    auto& pool = memory_.pool();
    report_.frames = {.total = pool.total(),
                      .free = pool.free_frames(),
                      .application = pool.held_by(frame_holder::application),
                      .written_off = pool.held_by(frame_holder::written_off)};
    check_balance();
    if (writer_) writer_->finish();
    if (out_) out_->commit();
}

void replay_run::check_balance() const {
    const auto stages = stages_.balance();
    const auto came = report_.input.packets + stages.made;
    const auto went = report_.output.packets + stages.merged + stages.dropped + stages.unfinished;
    if (came == went && report_.frames.free == report_.frames.total) return;
    throw command_failure(
        fmt::format("internal error: {} packets came and {} went, {} of {} frames are free", came,
                    went, report_.frames.free, report_.frames.total),
        "this is a defect of skein; please report it with the capture");
}

}  // namespace skein::tool
