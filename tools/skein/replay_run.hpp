// SPDX-License-Identifier: Apache-2.0
// One replay: a capture through the pipeline.
//
//     record ─► clock ─► timers of that time ─► frames ─► packet ─► parse ─► stages ─► OUT
//
// Each interface of the capture is a place of its own, with its own stages. Packets go through one
// at a time: an aggregate is completed by its rules and timers, never by the end of a burst.
//
// Everything depends on the capture and the settings alone: no clock is read, no hash seed used.
//
// Frames: a packet needs all of its frames at once. If they are not free, stages let go of what
// they hold, and if that does not help the replay fails and says how many it takes; nothing is
// dropped for want of frames.
#pragma once

#include <memory>
#include <optional>

#include "capture_reader.hpp"
#include "capture_writer.hpp"
#include "file_stream.hpp"
#include "frame_memory.hpp"
#include "pipeline.hpp"
#include "replay_clock.hpp"
#include "replay_report.hpp"
#include "stage_options.hpp"

namespace skein::tool {

struct replay_settings {
    std::string in;   // "-": standard input
    std::string out;  // "-": standard output; empty: nowhere
    std::uint32_t frames = 4096;
    std::uint32_t chunk_bytes = 4096;
};

class replay_run {
  public:
    // Opens both files. Throws command_failure, usage_failure.
    replay_run(const replay_settings& settings, stage_options& stages);

    // Call once. Throws command_failure; OUT is then as it was before.
    replay_report run();

  private:
    // An interface of the capture.
    struct place {
        link_layer link;
        pipeline way;
    };

    void check_output() const;
    bool finest_is_nanoseconds();
    void open_writer();
    place& place_of(std::uint32_t interface);
    std::unique_ptr<place> make_place(const capture_interface& described);

    void take(const capture_record& record);
    packet lay(const capture_record& record, stage_time now);
    void parse(const packet& p, link_layer link);
    void put_out(burst& packets, std::uint32_t out_interface);
    void note_held();
    void finish();
    void check_balance() const;

    replay_settings settings_;
    stage_options& stages_;
    frame_memory memory_;
    replay_report report_;
    replay_clock clock_;
    input_file in_;
    std::unique_ptr<capture_reader> reader_;
    std::optional<output_file> out_;
    std::optional<capture_writer> writer_;
    std::vector<std::unique_ptr<place>>
        places_;  // by interface of IN; empty until its first packet
    burst one_;
};

}  // namespace skein::tool
