// SPDX-License-Identifier: Apache-2.0
// Stages in a row, with a sink at the end.
//
// A pipeline moves bursts through its stages and calls the sink with what comes out, in order. The
// sink takes the packets it wants; what it leaves is given back. Without stages the burst goes
// straight to the sink. Memory: one burst a stage, nothing in steady state.
// Threading: the thread of its stages.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "stage.hpp"

namespace skein::tool {

class pipeline {
  public:
    using sink = std::function<void(burst&)>;

    pipeline(std::vector<std::unique_ptr<stage>> stages, sink out);

    bool empty() const noexcept { return steps_.empty(); }

    // Sends packets through; `in` is empty afterwards.
    void process(burst& in, stage_time now) { enter(0, in, now); }

    // Lets every stage's timers run up to `now`. Call before the packets of that time.
    void expire(stage_time now);

    // Asks the stages, last first, to let go of held frames. False if none has any.
    bool relieve(stage_time now);

    // Empties the stages, first to last.
    void finish(stage_time now);

  private:
    struct step {
        std::unique_ptr<stage> work;
        burst out;
    };

    // Sends a burst into the stage at `index`, or the sink behind the last.
    void enter(std::size_t index, burst& in, stage_time now);
    template <class Call>
    void drain(std::size_t index, stage_time now, Call&& call);

    std::vector<std::unique_ptr<step>> steps_;
    sink sink_;
};

}  // namespace skein::tool
